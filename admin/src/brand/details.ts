import { getTableColumns, sql } from 'drizzle-orm';
import type { Collection } from '../../../src/operator.ts';
import { apiKeys, brands, collections } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { keyIsUsable } from '../key/keys.ts';
import type { SyncState } from './sync-state.ts';
import { syncState } from './sync-state.ts';
import type { BrandState, Unfinished } from '../home/unfinished.ts';
import { brandState, withMove } from '../home/unfinished.ts';
import { checkedId } from '../validation.ts';

/** What a brand has of one collection. */
interface CollectionSummary {
  readonly count: number;
  /** The size of all values, in bytes of UTF-8 as they are stored. */
  readonly bytes: number;
  /** When one of them was last changed or created; null if there are none. */
  readonly lastChange: string | null;
}

export interface BrandDetails extends BrandState, SyncState {
  readonly brandId: string;
  readonly brandName: string;
  readonly createdAt: string;
  /** Since when it is suspended; null if it is not. */
  readonly suspendedAt: string | null;
  readonly storeDomain: string | null;
  readonly connectionStatus: string;
  readonly liveKeys: number;
  readonly keys: number;
  /** By the path of the collection, such as `products`. */
  readonly collections: Readonly<Record<string, CollectionSummary>>;
  /** The size of all its resources. */
  readonly bytes: number;
  /** When its profile or a resource was last changed. A deletion is no change. */
  readonly lastChange: string;
}

type BrandRow = Omit<BrandDetails, 'brandId' | 'collections' | 'bytes' | 'unfinished'> & {
  readonly unfinished: Unfinished | null;
};

/**
 * Describes a brand. It reads all rows of the brand.
 * @throws Failure if there is no such brand
 */
export async function describeBrand(
  database: OpenDatabase,
  brandId: string,
  all: readonly Collection[] = collections,
): Promise<BrandDetails> {
  const thisBrand = checkedId('brand', brandId);
  const keys = sql`from ${apiKeys} where ${apiKeys.brandId} = ${thisBrand}`;
  const [[brand], ...summaries] = await database.run(
    sql<BrandRow>`select ${brands.brandName} as "brandName", ${brands.createdAt} as "createdAt", ${brands.suspendedAt} as "suspendedAt", ${brandState},
        ${brands.storeDomain} as "storeDomain", ${brands.status} as "connectionStatus", ${syncState},
        (select count(*) ${keys} and ${keyIsUsable}) as "liveKeys", (select count(*) ${keys}) as keys, ${brands.updatedAt} as "lastChange"
      from ${brands} where ${brands.id} = ${thisBrand}`,
    ...all.map(({ table }) => {
      const sizes = Object.values(getTableColumns(table)).map(
        (column) => sql`coalesce(length(cast(${column} as blob)), 0)`,
      );
      return sql<CollectionSummary>`select count(*) as count, coalesce(sum(${sql.join(sizes, sql` + `)}), 0) as bytes, max(updated_at) as "lastChange"
        from ${table} where brand_id = ${thisBrand}`;
    }),
  );
  if (brand === undefined) throw new Failure(`There is no brand ${brandId}.`);
  const nothing: CollectionSummary = { count: 0, bytes: 0, lastChange: null };
  const found = all.map(({ path }, index) => [path, summaries[index]?.[0] ?? nothing] as const);
  const changes = found.flatMap(([, summary]) => summary.lastChange ?? []);
  const { lastChange, ...profile } = withMove(brand);
  return {
    brandId,
    ...profile,
    collections: Object.fromEntries(found),
    bytes: found.reduce((sum, [, { bytes }]) => sum + bytes, 0),
    lastChange: [lastChange, ...changes].sort().at(-1) ?? lastChange,
  };
}
