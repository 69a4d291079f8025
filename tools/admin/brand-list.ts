import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../src/db/tables.ts';
import type { Execute } from './execute.ts';
import { andAtHome } from './home.ts';
import { keyIsUsable } from './imported-keys.ts';
import type { Chunk, PageOptions } from './pages.ts';
import { mergeChunks, readChunks } from './pages.ts';
import { checkedId, checkedSearch } from './validation.ts';

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

/**
 * Lists brands, newest first. The second to last are read when they are asked for.
 * @param onTotal called before the first chunk with the number of all brands that match
 * @throws AdminError if `after` is not the id of a brand
 */
export function listBrands(
  execute: Execute,
  query: BrandQuery = {},
  onTotal?: (total: number) => void,
): AsyncGenerator<Chunk<BrandSummary>> {
  let isCounted = onTotal === undefined;
  return readChunks(
    query,
    ({ brandId }) => brandId,
    async (after, count) => {
      const rest =
        after === undefined ? sql`` : sql`and ${brands.id} < ${checkedId('brand', after)}`;
      const [rows, [counted] = []] = await execute(
        sql<BrandRow>`select ${brands.id}, ${brands.brandName}, ${brands.createdAt}, ${brands.suspendedAt},
          (select count(*) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${keyIsUsable}) as live_keys
          from ${brands} where ${isListed(execute, query)} ${rest} order by ${brands.id} desc limit ${count}`,
        // In the same call, because each takes seconds.
        ...(isCounted ? [] : [selectCount(execute, query)]),
      );
      if (!isCounted) onTotal?.(counted?.brands ?? 0);
      isCounted = true;
      return rows.map(toSummary);
    },
  );
}

/**
 * Lists the brands of several databases in one order.
 * @param onTotal called before the first chunk, with the number of brands in each database that match
 * @throws AdminError if `after` is not the id of a brand
 */
export function listBrandsOfAll(
  all: readonly Execute[],
  query: BrandQuery,
  onTotal: (total: number) => void,
): AsyncGenerator<Chunk<BrandSummary>> {
  const lists = all.map((execute) => listBrands(execute, query, onTotal));
  return mergeChunks(lists, {
    idOf: ({ brandId }) => brandId,
    isBefore: (one, other) => one.brandId > other.brandId,
    limit: query.limit,
  });
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
    : sql`instr(lower(${brands.brandName}), lower(${checkedSearch(search)})) > 0`;
}

interface BrandRow {
  readonly id: string;
  readonly brand_name: string;
  readonly created_at: string;
  readonly live_keys: number;
  readonly suspended_at: string | null;
}

function toSummary(row: BrandRow): BrandSummary {
  return {
    brandId: row.id,
    brandName: row.brand_name,
    createdAt: row.created_at,
    liveKeys: row.live_keys,
    suspendedAt: row.suspended_at,
  };
}
