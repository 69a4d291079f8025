import { eq, sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { assertPrecondition, guardedUpdates } from '../db/guarded-update.ts';
import { joinedBrand, keyBrand, ownRows, selectWithKey } from '../db/key.ts';
import { isOfThisCall, statement } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { json, RESOURCE_LIMIT } from '../http/body.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { ProfileValues } from './profile.ts';
import { profile } from './profile.ts';

const select = statement([], () =>
  selectWithKey(
    {
      revision: brands.revision,
      isWritten: isOfThisCall(brands.revision),
    },
    [{ table: sql`${brands}`, on: eq(brands.id, joinedBrand) }],
    { columns: profile.visible },
  ),
);

const updateOf = guardedUpdates({
  table: brands,
  columns: profile.writable,
  rowCondition: () => ownRows(brands.id, keyBrand.write),
});

export const profileRoutes: Hono<ApiEnv> = new Hono<ApiEnv>()
  .basePath('/profile')
  .get('/', async (c) => {
    const precondition = readPrecondition(c.req.raw.headers);
    const { joined } = await c.get('session').run({}, select({}));
    const { body, revision } = profileIn(joined[0]);
    return resourceResponse(c, body, revision, { precondition });
  })
  .put('/', json(profile.putBody, RESOURCE_LIMIT), (c) => update(c, c.req.valid('json')))
  .patch('/', json(profile.patchBody, RESOURCE_LIMIT), (c) => update(c, c.req.valid('json')));

/** PUT and PATCH; they differ only in their bodies. One guarded UPDATE changes both halves. */
async function update(c: Context<ApiEnv>, values: ProfileValues): Promise<Response> {
  const precondition = readPrecondition(c.req.raw.headers);
  const newValues = profile.toRow(values);

  const { joined } = await c
    .get('session')
    .run({ update: updateOf({ newValues, precondition }) }, select({}));

  const [row] = joined;
  const { body, revision } = profileIn(row);
  assertPrecondition(row.isWritten === 1, revision, precondition);
  return resourceResponse(c, body, revision);
}

/** Returns the profile in a row of `select`, and its revision. */
function profileIn(row: { readonly revision: string | null }): {
  readonly body: Required<ProfileValues>;
  readonly revision: string;
} {
  if (row.revision === null) throw new Error('The key belongs to no brand.');
  return { body: profile.fromRow(row), revision: row.revision };
}
