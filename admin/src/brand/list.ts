import type { SQL } from 'drizzle-orm';
import { and, isNotNull, sql } from 'drizzle-orm';
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
  /** A part of the name, whatever the case of its letters. */
  readonly search?: string | undefined;
  /** Those whose last sync is longer ago than this, in seconds. */
  readonly notSynced?: number | undefined;
  readonly withSyncError?: boolean | undefined;
  readonly suspended?: boolean | undefined;
}

/** Some brands, and how many there are. */
interface BrandPage extends Page<BrandSummary> {
  readonly total: number;
}

/** How many brands of a search are read per call: their ids are in a statement, and D1 refuses one above 100,000 bytes. */
const FOUND_AT_A_TIME = 500;

/**
 * Lists the brands of databases in one order, newest first.
 * @throws Failure if `after` is not the id of a brand
 */
export async function listBrands(
  all: readonly OpenDatabase[],
  { search = '', notSynced, withSyncError, suspended, ...part }: BrandQuery = {},
): Promise<BrandPage> {
  const condition = and(
    sql`true`,
    notSynced === undefined ? undefined : isNotSynced(notSynced),
    withSyncError ? hasSyncError : undefined,
    suspended ? isNotNull(brands.suspendedAt) : undefined,
  );
  const from = (database: OpenDatabase): SQL =>
    sql`from ${brands} where ${condition}${andAtHome(database, sql`${brands.id}`)}`;
  if (part.after !== undefined) checkedId('brand', part.after);
  if (search === '') return readAll(all, from, part);
  return readNamed(all, from, part, checkedText('text given by --search', search));
}

async function readAll(
  all: readonly OpenDatabase[],
  from: (database: OpenDatabase) => SQL,
  part: PageOptions,
): Promise<BrandPage> {
  let total = 0;
  const page = await readPage(all, part, NEWEST_FIRST, async (database, after, count) => {
    const rest = after === undefined ? sql`` : sql`and ${brands.id} < ${after}`;
    const [rows, [counted]] = await database.run(
      selectBrands(sql`${from(database)} ${rest}`, count),
      // In the same call, because each takes seconds.
      sql<{ brands: number }>`select count(*) as brands ${from(database)}`,
    );
    total += counted?.brands ?? 0;
    return rows.map(withMove);
  });
  return { ...page, total };
}

/** Reads those with a text in their name. SQLite knows the case of A to Z alone, so all names are read. */
async function readNamed(
  all: readonly OpenDatabase[],
  from: (database: OpenDatabase) => SQL,
  { after: last, limit = FOUND_AT_A_TIME }: PageOptions,
  text: string,
): Promise<BrandPage> {
  let total = 0;
  const part = { after: last, limit: Math.min(limit, FOUND_AT_A_TIME) };
  const page = await readPage(all, part, NEWEST_FIRST, async (database, after = '~', count) => {
    const [names] = await database.run(
      sql<{ id: string; name: string }>`select ${brands.id}, ${brands.brandName} as name
        ${from(database)} order by ${brands.id} desc`,
    );
    const found = names.filter(({ name }) => withoutCase(name).includes(withoutCase(text)));
    total += found.length;
    const ids = found.map(({ id }) => id).filter((id) => id < after);
    if (ids.length === 0) return [];
    const chosen = sql`and ${brands.id} in ${ids.slice(0, count)}`;
    const [rows] = await database.run(selectBrands(sql`${from(database)} ${chosen}`, count));
    return rows.map(withMove);
  });
  return { ...page, total };
}

/** Two texts that differ in the case of their letters are the same, in every script: `ß` is `SS`. */
function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

function selectBrands(
  from: SQL,
  count: number,
): SQL<Omit<BrandSummary, 'unfinished'> & { unfinished: Unfinished | null }> {
  return sql`select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.createdAt} as "createdAt", ${brands.suspendedAt} as "suspendedAt", ${brandState}, ${syncState},
      (select count(*) from ${apiKeys} where ${apiKeys.brandId} = ${brands.id} and ${keyIsUsable}) as "liveKeys"
    ${from} order by ${brands.id} desc limit ${count}`;
}

const NEWEST_FIRST: ListOrder<BrandSummary> = { by: ({ brandId }) => brandId, isDescending: true };
