import type { Column, SQL } from 'drizzle-orm';
import { and, eq, gt, sql } from 'drizzle-orm';
import { apiKeys, brands, keyIsLiveAt, databaseTime } from '../../../src/operator.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome, brandName } from '../home/home.ts';
import { expiresSoon } from './expiry.ts';
import { keyIsImported, keyIsUsable } from './keys.ts';
import type { ListOrder, Page, PageOptions } from '../database/pages.ts';
import { onDatabases } from '../database/on-databases.ts';
import { readPage } from '../database/pages.ts';
import { checkedId } from '../validation.ts';

/** An existing key, as the operator sees it. */
export interface KeySummary {
  readonly keyId: string;
  readonly brandId: string;
  readonly brandName: string;
  readonly prefix: string;
  /** The key in the log: the first digits of its hash; null of an imported one, which has none. */
  readonly keyHash: string | null;
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

export interface KeyQuery extends PageOptions {
  /** Those of this brand; of all brands by default. */
  readonly brandId?: string | undefined;
  /** Those that begin with these characters. */
  readonly prefix?: string | undefined;
  /** Live ones without a successor that expire soon, within this time in seconds. */
  readonly expiringIn?: number | undefined;
  readonly live?: boolean | undefined;
  /** The one that the log names so: the first digits of its hash. */
  readonly hash?: string | undefined;
}

/**
 * Lists the keys of databases in one order, oldest first.
 * @throws Failure if there is no such brand, or if `after` is not the id of a key
 */
export async function listKeys(
  all: readonly OpenDatabase[],
  query: KeyQuery,
): Promise<Page<KeySummary>> {
  const { brandId } = query;
  if (brandId !== undefined) checkedId('brand', brandId);
  const page = await readPage(all, query, OLDEST_FIRST, async (database, after, count) => {
    const [rows] = await database.run(selectKeys(database, { ...query, after }, count));
    return rows;
  });
  // Only for its error: without a key, the brand may be unknown.
  if (page.items.length === 0 && brandId !== undefined) {
    await onDatabases(all, (database) => brandName(database, brandId));
  }
  return page;
}

const OLDEST_FIRST: ListOrder<KeySummary> = { by: ({ keyId }) => keyId, isDescending: false };

function selectKeys(
  database: OpenDatabase,
  { after, brandId, prefix, expiringIn, live, hash }: KeyQuery,
  count: number,
): SQL<KeySummary> {
  const condition = and(
    sql`true`,
    after === undefined ? undefined : gt(apiKeys.id, checkedId('key', after)),
    brandId === undefined ? undefined : eq(apiKeys.brandId, brandId),
    prefix === undefined ? undefined : startsWith(apiKeys.prefix, prefix),
    hash === undefined ? undefined : startsWith(apiKeys.hash, hash),
    expiringIn === undefined ? undefined : expiresSoon(expiringIn),
    live || expiringIn !== undefined ? keyIsUsable : undefined,
  );
  // SQLite would rather read all keys in the order of their ids.
  const index =
    brandId !== undefined
      ? sql`indexed by api_keys_by_brand`
      : prefix !== undefined
        ? sql`indexed by api_keys_by_prefix`
        : expiringIn !== undefined
          ? sql`indexed by api_keys_by_expiry`
          : sql``;
  return sql<KeySummary>`select ${apiKeys.id} as "keyId", ${apiKeys.brandId} as "brandId", ${brands.brandName} as "brandName", ${apiKeys.prefix}, iif(${keyIsImported}, null, substr(${apiKeys.hash}, 1, 16)) as "keyHash", ${apiKeys.label}, ${apiKeys.scope},
      case when ${apiKeys.revokedAt} is not null then 'revoked' when not (${keyIsLiveAt(databaseTime)}) then 'expired' when ${keyIsImported} then 'imported' else 'live' end as status,
      ${apiKeys.createdAt} as "createdAt", ${apiKeys.expiresAt} as "expiresAt", ${apiKeys.revokedAt} as "revokedAt", ${apiKeys.suspendedAt} as "suspendedAt", ${apiKeys.replacedBy} as "replacedBy"
    from ${apiKeys} ${index} cross join ${brands} on ${brands.id} = ${apiKeys.brandId}
    where ${condition}${andAtHome(database, sql`${apiKeys.brandId}`)} order by ${apiKeys.id} limit ${count}`;
}

/** A range of texts, which an index serves. */
function startsWith(column: Column, beginning: string): SQL {
  return sql`${column} >= ${beginning} and ${column} < ${`${beginning}\u{7f}`}`;
}
