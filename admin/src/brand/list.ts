import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/operator.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome } from '../home/home.ts';
import { keyIsUsable } from '../key/keys.ts';
import type { ListOrder, Page, PageOptions } from '../database/pages.ts';
import { readPage } from '../database/pages.ts';
import type { SyncState } from './sync-state.ts';
import { hasSyncError, isNotSynced, syncState } from './sync-state.ts';
import type { BrandState, Unfinished } from '../home/unfinished.ts';
import { brandState, withMove } from '../home/unfinished.ts';
import { checkedId, checkedText } from '../validation.ts';

export interface BrandSummary extends BrandState, SyncState {
  readonly brandId: string;
  readonly brandName: string;
  readonly createdAt: string;
  readonly liveKeys: number;
  /** Since when it is suspended; null if it is not. */
  readonly suspendedAt: string | null;
}

export interface BrandQuery extends PageOptions {
  /** A part of the name; upper and lower case of A to Z are the same. */
  readonly search?: string | undefined;
  /** Those whose last sync is longer ago than this, in seconds. */
  readonly notSynced?: number | undefined;
  readonly withSyncError?: boolean | undefined;
}

/** Some brands, and how many there are. */
interface BrandPage extends Page<BrandSummary> {
  readonly total: number;
}

/**
 * Lists the brands of databases in one order, newest first.
 * @throws OperatorError if `after` is not the id of a brand
 */
export async function listBrands(
  all: readonly OpenDatabase[],
  { search = '', notSynced, withSyncError, ...part }: BrandQuery = {},
): Promise<BrandPage> {
  const conditions = [
    sql`true`,
    ...(search === '' ? [] : [hasInName(search)]),
    ...(notSynced === undefined ? [] : [isNotSynced(notSynced)]),
    ...(withSyncError ? [hasSyncError] : []),
  ];
  const isMeant = sql.join(conditions, sql` and `);
  let total = 0;
  const page = await readPage(all, part, NEWEST_FIRST, async (database, after, count) => {
    const listed = sql`from ${brands} where ${isMeant}${andAtHome(database, sql`${brands.id}`)}`;
    const rest = after === undefined ? sql`` : sql`and ${brands.id} < ${checkedId('brand', after)}`;
    const [rows, [counted]] = await database.run(
      sql<
        Omit<BrandSummary, 'unfinished'> & { unfinished: Unfinished | null }
      >`select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.createdAt} as "createdAt", ${brands.suspendedAt} as "suspendedAt", ${brandState}, ${syncState},
        (select count(*) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${keyIsUsable}) as "liveKeys"
        ${listed} ${rest} order by ${brands.id} desc limit ${count}`,
      // In the same call, because each takes seconds.
      sql<{ brands: number }>`select count(*) as brands ${listed}`,
    );
    total += counted?.brands ?? 0;
    return rows.map(withMove);
  });
  return { ...page, total };
}

function hasInName(text: string): SQL {
  return sql`instr(lower(${brands.brandName}), lower(${checkedText('text given by --search', text)})) > 0`;
}

const NEWEST_FIRST: ListOrder<BrandSummary> = { by: ({ brandId }) => brandId, isDescending: true };
