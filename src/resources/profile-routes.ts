import { Hono } from 'hono/tiny';
import { change } from '../collection/change.ts';
import { read } from '../collection/read.ts';
import type { Values } from '../db/columns.ts';
import { mine } from '../db/key.ts';
import { brands } from '../db/tables.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { json, RESOURCE_LIMIT } from '../http/body.ts';
import type { ProfileValues } from './profile.ts';
import { profile } from './profile.ts';

/** The profile as one resource: the row of the key's brand, which needs no id. */
const single = {
  noun: 'Profile',
  table: brands,
  writable: profile.writable,
  visible: profile.visible,
  isMine: () => mine({ brandId: brands.id }),
  toBody: profile.fromRow,
};

const readProfile = read(single);
const changeProfile = change(single);

export const profileRoutes: Hono<ApiEnv> = new Hono<ApiEnv>()
  .basePath('/profile')
  .get('/', (c) => readProfile(c, ''))
  .put('/', json(profile.putBody, RESOURCE_LIMIT), (c) =>
    changeProfile(c, '', fieldsOf(c.req.valid('json'))),
  )
  .patch('/', json(profile.patchBody, RESOURCE_LIMIT), (c) =>
    changeProfile(c, '', fieldsOf(c.req.valid('json'))),
  );

/** Returns the fields of both halves. No field is in both. */
function fieldsOf({ brand, connection }: ProfileValues): Values {
  return { ...brand, ...connection };
}
