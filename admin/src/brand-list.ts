import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../src/db/tables.ts';
import type { Execute } from './execute.ts';
import { andAtHome } from './home.ts';
import { keyIsUsable } from './keys.ts';
import type { Order, Page, PageOptions } from './pages.ts';
import { readPage } from './pages.ts';
import type { BrandState, Unfinished } from './unfinished.ts';
import { brandState, withMove } from './unfinished.ts';
import { checkedId, checkedText } from './validation.ts';

export interface BrandSummary extends BrandState {
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
}

/** Some brands, and how many there are. */
export interface BrandPage extends Page<BrandSummary> {
  readonly total: number;
}

/**
 * Lists the brands of databases in one order, newest first.
 * @throws OperatorError if `after` is not the id of a brand
 */
export async function listBrands(
  all: readonly Execute[],
  { search = '', ...part }: BrandQuery = {},
): Promise<BrandPage> {
  const hasName =
    search === ''
      ? sql`true`
      : sql`instr(lower(${brands.brandName}), lower(${checkedText('text given by --search', search)})) > 0`;
  let total = 0;
  const page = await readPage(all, part, NEWEST_FIRST, async (execute, after, count) => {
    const listed = sql`from ${brands} where ${hasName}${andAtHome(execute, sql`${brands.id}`)}`;
    const rest = after === undefined ? sql`` : sql`and ${brands.id} < ${checkedId('brand', after)}`;
    const [rows, [counted]] = await execute(
      sql<
        Omit<BrandSummary, 'unfinished'> & { unfinished: Unfinished | null }
      >`select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.createdAt} as "createdAt", ${brands.suspendedAt} as "suspendedAt", ${brandState},
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

const NEWEST_FIRST: Order<BrandSummary> = { by: ({ brandId }) => brandId, isDescending: true };
