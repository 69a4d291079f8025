import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '../../src/auth/api-key.ts';
import { newId } from '../../src/collection/identifier.ts';
import type { Row } from '../../src/db/statement.ts';
import { keyIsLive, now } from '../../src/db/statement.ts';
import { apiKeys, brands } from '../../src/db/tables.ts';
import { AdminError } from './admin-error.ts';
import type { Subject } from './audit.ts';
import { newAct, noteAct, notedAct } from './audit.ts';
import type { Execute } from './execute.ts';
import { checkedId, checkedLabel } from './validation.ts';

/** A key just made. Its text is stored nowhere. */
export interface IssuedKey {
  readonly brandId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly expiresAt: string | null;
}

/** A key as the operator sees it later on. */
export interface KeySummary {
  readonly keyId: string;
  readonly prefix: string;
  readonly label: string;
  readonly scope: string;
  readonly status: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** How a new key is to be; for a rotation, label and scope are the old key's where they are left out. */
export interface KeyOptions {
  readonly label?: string | undefined;
  readonly scope?: 'read' | 'write' | undefined;
  /** Seconds from now; a key without it does not expire. */
  readonly expiresIn?: number | undefined;
  /** The key's text, if it is not to be made here. */
  readonly apiKey?: string | undefined;
}

/** The parts of a new key, its text among them. */
export interface NewKey {
  readonly apiKey: string;
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
}

/** Makes a key, or its parts from its text; it opens nothing until it is inserted. */
export async function newKey(apiKey = generateApiKey()): Promise<NewKey> {
  return { apiKey, id: newId(), hash: await hashApiKey(apiKey), prefix: apiKeyPrefix(apiKey) };
}

/** Inserts a key if there is a brand with this id. */
export function insertKey(key: NewKey, brandId: string, options: KeyOptions): SQL {
  const { label = '', scope = 'write', expiresIn } = options;
  return sql`${insertInto(key)} ${brands.id}, ${checkedLabel(label)}, ${scope}, ${now}, ${fromNow(expiresIn)}
    from ${brands} where ${brands.id} = ${brandId} on conflict do nothing`;
}

/** Where the audit trail reads a new key and its brand: nowhere if it was not inserted. */
export function ofKey({ hash }: NewKey): Subject {
  return {
    brandId: sql`${apiKeys.brandId}`,
    keyId: sql`${apiKeys.id}`,
    from: sql`${apiKeys} where ${apiKeys.hash} = ${hash}`,
  };
}

/** Reads a key that was just inserted, by this try or an earlier one: one row, or none. */
export function insertedKey({ hash }: NewKey): SQL {
  return sql`select ${apiKeys.brandId}, ${apiKeys.expiresAt} from ${apiKeys} where ${apiKeys.hash} = ${hash}`;
}

/**
 * Issues a further key of a brand.
 * @throws AdminError where there is no such brand
 */
export async function issueKey(
  execute: Execute,
  brandId: string,
  options: KeyOptions,
): Promise<IssuedKey> {
  const key = await newKey(options.apiKey);
  const [, , [row] = []] = await execute(
    insertKey(key, checkedId('brand', brandId), options),
    noteAct(newAct(execute, 'key.issue'), ofKey(key)),
    insertedKey(key),
  );
  if (row === undefined) throw new AdminError(`There is no brand ${brandId}.`);
  return issuedKey(key, row);
}

/** A brand's keys, oldest first. */
export async function listKeys(execute: Execute, brandId: string): Promise<KeySummary[]> {
  const [brand = [], rows = []] = await execute(
    sql`select ${brands.id} from ${brands} where ${brands.id} = ${checkedId('brand', brandId)}`,
    sql`select *, case when ${apiKeys.revokedAt} is not null then 'revoked' when ${keyIsLive} then 'live' else 'expired' end as status
      from ${apiKeys} where ${apiKeys.brandId} = ${brandId} order by ${apiKeys.id}`,
  );
  if (brand.length === 0) throw new AdminError(`There is no brand ${brandId}.`);
  return rows.map((row) => ({
    keyId: String(row['id']),
    prefix: String(row['prefix']),
    label: String(row['label']),
    scope: String(row['scope']),
    status: String(row['status']),
    createdAt: String(row['created_at']),
    expiresAt: textOrNull(row['expires_at']),
    revokedAt: textOrNull(row['revoked_at']),
  }));
}

/**
 * Makes a key that takes the place of another. The old one stays good for a while, so that its clients can change over.
 * @param overlap for how long the old key stays good, in seconds
 * @throws AdminError where there is no such live key
 */
export async function rotateKey(
  execute: Execute,
  keyId: string,
  overlap: number,
  { label, scope, expiresIn }: KeyOptions,
): Promise<IssuedKey> {
  const key = await newKey();
  const old = sql`${apiKeys.id} = ${checkedId('key', keyId)} and ${keyIsLive}`;
  const newLabel = label === undefined ? apiKeys.label : checkedLabel(label);
  const details = sql`json_object('replacedKeyId', ${keyId})`;
  const [, , , [row] = []] = await execute(
    sql`${insertInto(key)} ${apiKeys.brandId}, ${newLabel}, ${scope ?? apiKeys.scope}, ${now}, ${fromNow(expiresIn)}
      from ${apiKeys} where ${old} on conflict do nothing`,
    sql`update ${apiKeys} set expires_at = min(coalesce(${apiKeys.expiresAt}, '9999'), ${fromNow(overlap)}) where ${old}`,
    noteAct(newAct(execute, 'key.rotate'), { ...ofKey(key), details }),
    insertedKey(key),
  );
  if (row === undefined) throw new AdminError(`There is no live key ${keyId}.`);
  return issuedKey(key, row);
}

/**
 * Revokes a key: from the next request on it is refused.
 * @throws AdminError if there is no such key, or if it was revoked before
 */
export async function revokeKey(execute: Execute, keyId: string): Promise<void> {
  const act = newAct(execute, 'key.revoke');
  const unrevoked = sql`${apiKeys.id} = ${checkedId('key', keyId)} and ${apiKeys.revokedAt} is null`;
  const [, , [row] = []] = await execute(
    // Before the key changes: a repeat finds nothing to note, and the note of the first try.
    noteAct(act, {
      brandId: sql`${apiKeys.brandId}`,
      keyId: sql`${apiKeys.id}`,
      from: sql`${apiKeys} where ${unrevoked}`,
    }),
    sql`update ${apiKeys} set revoked_at = ${now} where ${unrevoked}`,
    notedAct(act),
  );
  if (row === undefined) throw new AdminError(`There is no key ${keyId} that could be revoked.`);
}

/** What `insertedKey` reads, with the key's text. */
export function issuedKey({ apiKey, id }: NewKey, row: Row): IssuedKey {
  const expiresAt = textOrNull(row['expires_at']);
  return { brandId: String(row['brand_id']), keyId: id, apiKey, expiresAt };
}

function insertInto({ hash, id, prefix }: NewKey): SQL {
  return sql`insert into ${apiKeys} (hash, id, prefix, brand_id, label, scope, created_at, expires_at)
    select ${hash}, ${id}, ${prefix},`;
}

function fromNow(seconds: number | undefined): SQL {
  return seconds === undefined
    ? sql.raw('null')
    : sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`+${seconds} seconds`})`;
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
