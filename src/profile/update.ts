import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { assertPrecondition, guardedUpdates } from '../db/guarded-update.ts';
import { keyBrand, ownRows } from '../db/key.ts';
import { statement } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import { validate } from '../http/validation.ts';
import type { Profile, ProfileValues } from './definition.ts';
import { selectProfile } from './row.ts';

/**
 * PUT and PATCH of the profile; they differ only in the schema of their bodies. One guarded UPDATE changes both halves.
 * @returns a function that takes the context and the schema of the body
 */
export function updateProfile(
  profile: Profile,
): (c: Context<ApiEnv>, schema: z.ZodMiniType<ProfileValues>) => Promise<Response> {
  const updateOf = guardedUpdates({
    table: brands,
    columns: profile.writable,
    row: () => ownRows(brands.id, keyBrand.write),
  });
  const select = statement([], () => selectProfile(profile));

  return async (c, schema) => {
    const body = await readJson(c.req.raw, RESOURCE_LIMIT);
    const precondition = readPrecondition(c.req.raw.headers);
    const newValues = profile.encode(validate(schema, body.value));

    const { keyed } = await c
      .get('session')
      .run({ update: updateOf({ newValues, precondition }) }, select({}));

    const [row] = keyed;
    assertPrecondition(row.isWritten === 1, row.revision, precondition);
    return resourceResponse(c, profile.show(row), row.revision);
  };
}
