import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../src/db/tables.ts';
import { keyIsLiveAt } from '../../src/db/key.ts';
import { databaseTime } from '../../src/db/statement.ts';
import { brandName } from './brands.ts';
import type { Execute } from './execute.ts';
import { andAtHome } from './home.ts';
import { keyIsImported, keyIsUsable } from './imported-keys.ts';
import type { Chunk, PageOptions } from './pages.ts';
import { mergeChunks, readChunks } from './pages.ts';
import { checkedId } from './validation.ts';

/** An existing key, as the operator sees it. */
export interface KeySummary {
  readonly keyId: string;
  readonly brandId: string;
  readonly brandName: string;
  readonly prefix: string;
  readonly label: string;
  readonly scope: string;
  readonly status: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Since when its brand is suspended. */
  readonly suspendedAt: string | null;
  /** The key that a rotation issued in its place. */
  readonly replacedBy: string | null;
}

/** The keys to list. */
export interface KeyQuery extends PageOptions {
  /** Those of this brand; of all brands by default. */
  readonly brandId?: string | undefined;
  /** Those that begin with these characters. */
  readonly prefix?: string | undefined;
  /** Live ones that expire within this time, in seconds. */
  readonly expiringIn?: number | undefined;
  readonly live?: boolean | undefined;
}

/**
 * Lists keys, oldest first. The second to last are read when they are asked for.
 * @throws AdminError if there is no such brand, or if `after` is not the id of a key
 */
export async function* listKeys(
  execute: Execute,
  query: KeyQuery,
): AsyncGenerator<Chunk<KeySummary>> {
  const { brandId } = query;
  if (brandId !== undefined) checkedId('brand', brandId);
  yield* readChunks(
    query,
    ({ keyId }) => keyId,
    async (after, count) => {
      const [rows] = await execute(selectKeys(execute, query, after, count));
      // Only for its error: without a key, the brand may be unknown.
      if (rows.length === 0 && brandId !== undefined) await brandName(execute, brandId);
      return rows.map(toSummary);
    },
  );
}

/**
 * Lists the keys of several databases in one order.
 * @throws AdminError if there is no such brand, or if `after` is not the id of a key
 */
export function listKeysOfAll(
  all: readonly Execute[],
  query: KeyQuery,
): AsyncGenerator<Chunk<KeySummary>> {
  const lists = all.map((execute) => listKeys(execute, query));
  return mergeChunks(lists, {
    idOf: ({ keyId }) => keyId,
    isBefore: (one, other) => one.keyId < other.keyId,
    limit: query.limit,
  });
}

function selectKeys(
  execute: Execute,
  query: KeyQuery,
  after: string | undefined,
  count: number,
): SQL<KeyRow> {
  const { brandId, prefix, expiringIn, live } = query;
  const conditions = [
    ...(after === undefined ? [] : [sql`${apiKeys.id} > ${checkedId('key', after)}`]),
    ...(brandId === undefined ? [] : [sql`${apiKeys.brandId} = ${brandId}`]),
    ...(prefix === undefined ? [] : [startsWith(prefix)]),
    ...(expiringIn === undefined ? [] : [expiresWithin(expiringIn)]),
    ...(live || expiringIn !== undefined ? [keyIsUsable] : []),
  ];
  // SQLite would rather read all keys in the order of their ids.
  const index =
    brandId !== undefined
      ? sql`indexed by api_keys_by_brand`
      : prefix !== undefined
        ? sql`indexed by api_keys_by_prefix`
        : expiringIn !== undefined
          ? sql`indexed by api_keys_by_expiry`
          : sql``;
  return sql<KeyRow>`select api_keys.*, ${brands.brandName},
      case when ${apiKeys.revokedAt} is not null then 'revoked' when not (${keyIsLiveAt(databaseTime)}) then 'expired' when ${keyIsImported} then 'imported' else 'live' end as status
    from ${apiKeys} ${index} cross join ${brands} on ${brands.id} = ${apiKeys.brandId}
    where ${sql.join([sql`true`, ...conditions], sql` and `)}${andAtHome(execute, sql`${apiKeys.brandId}`)} order by ${apiKeys.id} limit ${count}`;
}

/** A range, which an index serves: those that have expired are not read. */
function expiresWithin(seconds: number): SQL {
  return sql`${apiKeys.expiresAt} > ${databaseTime} and ${apiKeys.expiresAt} <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`+${seconds} seconds`})`;
}

/** A range of texts, which an index serves. */
function startsWith(prefix: string): SQL {
  return sql`${apiKeys.prefix} >= ${prefix} and ${apiKeys.prefix} < ${`${prefix}\u{7f}`}`;
}

interface KeyRow {
  readonly id: string;
  readonly brand_id: string;
  readonly brand_name: string;
  readonly prefix: string;
  readonly label: string;
  readonly scope: string;
  readonly status: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly suspended_at: string | null;
  readonly replaced_by: string | null;
}

function toSummary(row: KeyRow): KeySummary {
  return {
    keyId: row.id,
    brandId: row.brand_id,
    brandName: row.brand_name,
    prefix: row.prefix,
    label: row.label,
    scope: row.scope,
    status: row.status,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    suspendedAt: row.suspended_at,
    replacedBy: row.replaced_by,
  };
}
