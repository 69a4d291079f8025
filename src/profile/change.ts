import type * as z from 'zod/mini';
import { assertPrecondition, guardedUpdates } from '../db/guarded-update.ts';
import { sql } from '../db/sql.ts';
import { bind, isOurs, newStem, writableBrand } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { checkAll } from '../http/checks.ts';
import { readPrecondition } from '../http/conditional.ts';
import { validate } from '../http/validation.ts';
import type { Operation } from '../http/operation.ts';
import type { Profile, ProfileValues } from './profile.ts';
import { profileResponse, selectProfile } from './row.ts';

/**
 * PUT and PATCH of the profile; they differ only in the schema of their bodies. One guarded UPDATE changes both halves.
 * @returns a function that takes the schema of the body and returns the operation
 */
export function profileChanges(
  profile: Profile,
): (schema: z.ZodMiniType<ProfileValues>) => Operation {
  const updateStatements = guardedUpdates({
    table: brands,
    row: sql`${brands.id} = ${writableBrand}`,
  });
  const outcome = selectProfile(profile, isOurs(sql`${brands.revision}`));

  return (schema) => async (c) => {
    const body = await readJson(c.req.raw, RESOURCE_LIMIT);
    const [values, precondition] = checkAll(
      c,
      () => validate(schema, body.take()),
      () => readPrecondition(c.req.raw.headers),
    );
    const newValues = profile.encode(values);
    const stem = newStem();

    const { keyRow, unlessRetried } = await c
      .get('session')
      .run(
        updateStatements({ newValues, stem, precondition, values: {} }),
        bind(outcome, { stem }),
      );

    assertPrecondition(String(keyRow['revision']), { stem, precondition }, unlessRetried);
    return profileResponse(c, keyRow);
  };
}
