// What the operator's tool uses of the service: its tables, and the rules of what is in them. The Worker does not import it.

import { encode } from './db/columns.ts';
import type { SqlValue } from './db/statement.ts';
import { validate } from './http/validation.ts';
import { profile } from './resources/profile.ts';

// Tables, with what the service writes into their columns.
export {
  apiKeys,
  auditTrail,
  brands,
  dailyJob,
  idempotencyRecords,
  tombstones,
} from './db/tables.ts';
export type { SqlValue } from './db/statement.ts';
export { databaseTime, timeBefore } from './db/statement.ts';
export { newestChange } from './db/change-numbers.ts';
export { isId, newId } from './collection/identifier.ts';

// The databases, and what their failures mean.
export type { DatabaseBinding, DatabaseBindings } from './db/databases.ts';
export { bindingOf, numbersIn } from './db/databases.ts';
export type { KnownD1Error } from './db/d1-errors.ts';
export { d1ErrorIn } from './db/d1-errors.ts';

// Keys.
export { databaseOfKey, isWellFormedApiKey, MAX_DATABASE, newApiKey } from './auth/api-key.ts';
export { keyIsLiveAt } from './db/key.ts';
export { sha256 } from './hash.ts';

// What a brand has, and the rules of its fields.
export type { Collection } from './collection/collection.ts';
export { InvalidRequest } from './errors.ts';
export { email } from './fields/internet.ts';
export { singleLineText } from './fields/text.ts';
export { timestamp } from './fields/timestamp.ts';
export { validate } from './http/validation.ts';
export { profile } from './resources/profile.ts';
export { collections } from './resources/registry.ts';

/**
 * Returns the profile of a new brand as its row has it, by column: its name, and defaults.
 * @throws InvalidRequest if the name breaks the rule of the field
 */
export function newProfileRow(brandName: unknown): ReadonlyMap<string, SqlValue> {
  const values = validate(profile.putBody, { brand: { brandName }, connection: {} });
  const row = encode(profile.writable, { ...values.brand, ...values.connection });
  return new Map(
    Object.entries(profile.writable).flatMap(([field, { name }]) => {
      const value = row[field];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}
