import { sql } from 'drizzle-orm';
import { newApiKey } from '../../src/auth/api-key.ts';
import { newId } from '../../src/collection/identifier.ts';
import { apiKeys, brands } from '../../src/db/tables.ts';
import { sha256 } from '../../src/hash.ts';
import { newProfileRow } from '../../src/operator.ts';
import type { Execute } from './statements.ts';

// What an operator does with brands and keys, as the rows that it leaves: the tests of the service need no other program.

/** A new key. Its text is not stored. */
export interface IssuedKey {
  readonly brandId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

export interface KeyOptions {
  readonly label?: string;
  readonly scope?: 'read' | 'write';
  /** The lifetime in seconds; by default the key does not expire. */
  readonly expiresIn?: number;
}

const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/**
 * Creates a brand with an otherwise empty profile, and its first key.
 * @param database the number of the database, which its key names
 */
export async function createBrand(
  execute: Execute,
  brandName: string,
  database = 0,
): Promise<IssuedKey> {
  const brandId = newId();
  const row = newProfileRow(brandName);
  const columns = Array.from(row.keys(), (name) => sql.identifier(name));
  const values = Array.from(row.values(), (value) => sql`${value}`);
  await execute(
    sql`insert into ${brands} (id, revision, created_at, updated_at, ${sql.join(columns, sql`, `)})
      values (${brandId}, ${brandId}, ${now}, ${now}, ${sql.join(values, sql`, `)})`,
  );
  return issueKey(execute, brandId, {}, database);
}

/** Issues another key of a brand. It is suspended if its brand is. */
export async function issueKey(
  execute: Execute,
  brandId: string,
  { label = '', scope = 'write', expiresIn }: KeyOptions = {},
  database = 0,
): Promise<IssuedKey> {
  const apiKey = newApiKey(database);
  const keyId = newId();
  const expiresAt =
    expiresIn === undefined
      ? sql`null`
      : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${expiresIn} seconds`})`;
  await execute(
    sql`insert into ${apiKeys} (hash, id, brand_id, prefix, label, scope, created_at, expires_at, suspended_at)
      select ${await sha256(apiKey)}, ${keyId}, ${brands.id}, ${apiKey.slice(0, 12)}, ${label}, ${scope}, ${now}, ${expiresAt}, ${brands.suspendedAt}
      from ${brands} where ${brands.id} = ${brandId}`,
  );
  return { brandId, keyId, apiKey };
}

export async function revokeKey(execute: Execute, keyId: string): Promise<void> {
  await execute(sql`update ${apiKeys} set revoked_at = ${now} where ${apiKeys.id} = ${keyId}`);
}

export async function suspendBrand(execute: Execute, brandId: string): Promise<void> {
  await execute(
    sql`update ${brands} set suspended_at = ${now} where ${brands.id} = ${brandId}`,
    sql`update ${apiKeys} set suspended_at = ${now} where ${apiKeys.brandId} = ${brandId}`,
  );
}

export async function resumeBrand(execute: Execute, brandId: string): Promise<void> {
  await execute(
    sql`update ${brands} set suspended_at = null where ${brands.id} = ${brandId}`,
    sql`update ${apiKeys} set suspended_at = null where ${apiKeys.brandId} = ${brandId}`,
  );
}
