import type { Context } from 'hono';
import { jsonObject, jsonOfColumns } from '../db/json.ts';
import type { Precondition } from '../db/precondition.ts';
import type { Sql } from '../db/sql.ts';
import { sql } from '../db/sql.ts';
import type { KeyedSelect, Row } from '../db/statement.ts';
import { keyBrand, selectWithKey } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { Profile } from './profile.ts';

/**
 * Returns a statement that reads the profile: its `revision` and its JSON text.
 * @param hasWritten as for `selectWithKey`
 */
export function selectProfile<N extends string = never>(
  { shown }: Profile,
  hasWritten?: Sql<N>,
): KeyedSelect<N | 'keyHash'> {
  const json = jsonObject({
    brand: jsonOfColumns(shown.brand),
    connection: jsonOfColumns(shown.connection),
  });
  return selectWithKey<N>({
    columns: sql`${brands.revision}, ${json} as json`,
    join: sql`${brands} on ${brands.id} = ${keyBrand}`,
    ...(hasWritten && { hasWritten }),
  });
}

/** Returns the response with the profile in a row. */
export function profileResponse(
  c: Context<ApiEnv>,
  { json, revision }: Row,
  precondition?: Precondition,
): Response {
  return resourceResponse(c, String(json), String(revision), precondition);
}
