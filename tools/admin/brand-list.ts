import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../src/db/tables.ts';
import type { Execute } from './execute.ts';
import { andAtHome } from './home.ts';
import { keyIsUsable } from './imported-keys.ts';
import type { Page, PageOptions } from './pages.ts';
import { inGroups, mergePages, readPage } from './pages.ts';
import { checkedId, checkedText } from './validation.ts';

/** A brand as the operator sees it. */
export interface BrandSummary {
  readonly brandId: string;
  readonly brandName: string;
  readonly createdAt: string;
  readonly liveKeys: number;
  /** Since when it is suspended; null if it is not. */
  readonly suspendedAt: string | null;
}

/** The brands to list. */
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
 * @throws AdminError if `after` is not the id of a brand
 */
export async function listBrands(
  all: readonly Execute[],
  query: BrandQuery = {},
): Promise<BrandPage> {
  const pages = await inGroups(all, (execute) => brandsIn(execute, query));
  const merged = mergePages(
    pages,
    ({ brandId }) => brandId,
    (one, other) => one.brandId > other.brandId,
    query.limit,
  );
  return { ...merged, total: pages.reduce((sum, { total }) => sum + total, 0) };
}

async function brandsIn(execute: Execute, query: BrandQuery): Promise<BrandPage> {
  let total = 0;
  const page = await readPage(
    query,
    ({ brandId }: BrandSummary) => brandId,
    async (after, count) => {
      const rest =
        after === undefined ? sql`` : sql`and ${brands.id} < ${checkedId('brand', after)}`;
      const [rows, [counted]] = await execute(
        sql<BrandSummary>`select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.createdAt} as "createdAt", ${brands.suspendedAt} as "suspendedAt",
          (select count(*) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${keyIsUsable}) as "liveKeys"
          from ${brands} where ${isListed(execute, query)} ${rest} order by ${brands.id} desc limit ${count}`,
        // In the same call, because each takes seconds.
        selectCount(execute, query),
      );
      total = counted?.brands ?? 0;
      return rows;
    },
  );
  return { ...page, total };
}

/** Returns how many brands there are, or how many have this part in their name. It reads one row for each brand. */
export async function countBrands(
  execute: Execute,
  query: Pick<BrandQuery, 'search'> = {},
): Promise<number> {
  const [[row]] = await execute(selectCount(execute, query));
  return row?.brands ?? 0;
}

function selectCount(execute: Execute, query: Pick<BrandQuery, 'search'>): SQL<{ brands: number }> {
  return sql<{
    brands: number;
  }>`select count(*) as brands from ${brands} where ${isListed(execute, query)}`;
}

function isListed(execute: Execute, query: Pick<BrandQuery, 'search'>): SQL {
  return sql`${nameHas(query)}${andAtHome(execute, sql`${brands.id}`)}`;
}

function nameHas({ search = '' }: Pick<BrandQuery, 'search'>): SQL {
  return search === ''
    ? sql`true`
    : sql`instr(lower(${brands.brandName}), lower(${checkedText('text given by --search', search)})) > 0`;
}
