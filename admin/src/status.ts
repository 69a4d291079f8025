import { sql } from 'drizzle-orm';
import { brands } from '../../src/db/tables.ts';
import { readSize } from './databases.ts';
import type { OpenDatabase } from './execute.ts';
import { andAtHome } from './home.ts';
import { SOON } from './key-expiry.ts';
import type { KeySummary } from './key-list.ts';
import { listKeys } from './key-list.ts';
import { readMigrations, THROW_AWAY } from './migrations.ts';
import { inGroups, pagesOf } from './pages.ts';
import type { BrandState, Unfinished } from './unfinished.ts';
import { brandState, withMove } from './unfinished.ts';

/** At this size of the smallest database, the next one is due; and at this size, no database may take more. In bytes. */
const DUE = 5e9;
const FULL = 8e9;

/** A brand that is not in its normal state. */
export interface OddBrand extends BrandState {
  readonly brandId: string;
  readonly brandName: string;
  readonly suspendedAt: string | null;
}

/** A database, with the migrations that it lacks, and those that this checkout does not have. */
export interface DatabaseStatus {
  readonly number: number;
  readonly bytes: number;
  readonly brands: number;
  readonly pendingMigrations: readonly string[];
  readonly unknownMigrations: readonly string[];
}

/** What an operator looks at. */
export interface Status {
  readonly brands: readonly OddBrand[];
  /** Live keys that expire soon and have no successor. */
  readonly expiringKeys: readonly KeySummary[];
  readonly databases: readonly DatabaseStatus[];
}

/** Reads it. It reads all brands and keys. */
export async function readStatus(all: readonly OpenDatabase[]): Promise<Status> {
  const databases = await inGroups(all, async (execute) => {
    const { pending: pendingMigrations, unknown: unknownMigrations } =
      await readMigrations(execute);
    return { execute, pendingMigrations, unknownMigrations };
  });
  // The other statements may need what a migration adds.
  const ready = databases.filter(({ pendingMigrations }) => pendingMigrations.length === 0);
  const usable = ready.map(({ execute }) => execute);
  const sizes = new Map(
    (await inGroups(usable, readSize)).map(({ execute, ...size }) => [execute, size]),
  );
  return {
    brands: (await inGroups(usable, oddBrands)).flat(),
    expiringKeys: await expiringKeys(usable),
    databases: databases.map(({ execute, ...migrations }) => {
      const { bytes = 0, brands: count = 0 } = sizes.get(execute) ?? {};
      return { number: execute.database, bytes, brands: count, ...migrations };
    }),
  };
}

async function oddBrands(execute: OpenDatabase): Promise<readonly OddBrand[]> {
  const [rows] = await execute(
    sql<Omit<OddBrand, 'unfinished'> & { unfinished: Unfinished | null }>`select * from (
        select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.suspendedAt} as "suspendedAt", ${brandState}
        from ${brands} where true${andAtHome(execute, sql`${brands.id}`)})
      where unfinished is not null or "frozenAt" is not null or "suspendedAt" is not null order by "brandId"`,
  );
  return rows.map(withMove);
}

async function expiringKeys(all: readonly OpenDatabase[]): Promise<readonly KeySummary[]> {
  const found: KeySummary[] = [];
  for await (const { items } of pagesOf({}, (part) =>
    listKeys(all, { ...part, expiringIn: SOON }),
  )) {
    found.push(...items);
  }
  return found;
}

/** Returns what needs somebody, as parts of a sentence. A suspension does not: an operator has decided it. */
export function needs({ brands: odd, expiringKeys: keys, databases }: Status): string[] {
  const count = (items: readonly unknown[], one: string, many: string): string[] =>
    items.length === 0 ? [] : [`${items.length} ${items.length === 1 ? one : many}`];
  const smallest = Math.min(...databases.map(({ bytes }) => bytes));
  return [
    ...count(
      databases.filter(({ unknownMigrations }) => unknownMigrations.length > 0),
      `database has unknown migrations (${THROW_AWAY})`,
      `databases have unknown migrations (${THROW_AWAY})`,
    ),
    ...count(
      databases.filter(
        ({ pendingMigrations, unknownMigrations }) =>
          pendingMigrations.length > 0 && unknownMigrations.length === 0,
      ),
      'database lacks migrations',
      'databases lack migrations',
    ),
    ...count(
      odd.filter(({ unfinished }) => unfinished === 'move'),
      'brand is frozen',
      'brands are frozen',
    ),
    ...count(
      odd.filter(({ unfinished }) => unfinished !== null && unfinished !== 'move'),
      'brand is unfinished',
      'brands are unfinished',
    ),
    ...count(keys, 'key expires soon', 'keys expire soon'),
    ...count(
      databases.filter(({ bytes }) => bytes > FULL),
      'database is full',
      'databases are full',
    ),
    ...(smallest > DUE ? ['the next database is due'] : []),
  ];
}
