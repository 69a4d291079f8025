import { counted } from '../../common/counted.ts';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { brands, dailyJob } from '../../src/operator.ts';
import { FULL, readSize } from './home/databases.ts';
import type { OpenDatabase } from './database/open-database.ts';
import { andAtHome } from './home/home.ts';
import { SOON } from './key/expiry.ts';
import type { KeySummary } from './key/list.ts';
import { listKeys } from './key/list.ts';
import { readMigrations, THROW_AWAY } from './database/migrations.ts';
import { onDatabases } from './database/on-databases.ts';
import { pagesOf } from './database/pages.ts';
import type { SyncCounts } from './brand/sync-state.ts';
import { selectSyncCounts } from './brand/sync-state.ts';
import type { BrandState, Unfinished } from './home/unfinished.ts';
import { brandState, withMove } from './home/unfinished.ts';

/** At this size of the smallest database, in bytes, the next one is due. */
const DUE = 5e9;

/** A brand that is not in its normal state. */
interface OddBrand extends BrandState {
  readonly brandId: string;
  readonly brandName: string;
  readonly suspendedAt: string | null;
}

/** A database. What nobody knows while a migration is missing is null. */
export interface DatabaseStatus {
  readonly number: number;
  readonly bytes: number | null;
  readonly brands: number | null;
  /** When the daily job last did its work there; null too if it never has. */
  readonly dailyJobAt: string | null;
  /** Whether it should have done it since. No job runs in a local database. */
  readonly isDailyJobLate: boolean | null;
  /** Whether it has left work over, because a run may make only so many queries. */
  readonly hasWorkLeft: boolean | null;
  /** The migrations that it lacks, and those that this checkout does not have. */
  readonly pendingMigrations: readonly string[];
  readonly unknownMigrations: readonly string[];
}

/** What an operator looks at. The lists are null if a database lacks a migration, because nobody knows what it has. */
export interface Status {
  readonly brands: readonly OddBrand[] | null;
  /** Live keys that expire soon and have no successor. */
  readonly expiringKeys: readonly KeySummary[] | null;
  readonly syncs: SyncCounts | null;
  readonly databases: readonly DatabaseStatus[];
}

/**
 * Reads it. It reads all brands and keys.
 * @param isDeployed whether the databases are not local ones
 */
export async function readStatus(
  all: readonly OpenDatabase[],
  isDeployed: boolean,
): Promise<Status> {
  const found = await onDatabases(all, (database) => readDatabase(database, isDeployed));
  const isKnown = found.every(({ pendingMigrations }) => pendingMigrations.length === 0);
  return {
    brands: isKnown ? found.flatMap(({ oddBrands }) => oddBrands) : null,
    expiringKeys: isKnown ? await expiringKeys(all) : null,
    syncs: isKnown ? sumOf(found.map(({ syncs }) => syncs)) : null,
    databases: found.map(({ oddBrands: _, syncs: __, ...database }) => database),
  };
}

interface FoundInDatabase extends DatabaseStatus {
  readonly oddBrands: readonly OddBrand[];
  readonly syncs: SyncCounts;
}

async function readDatabase(database: OpenDatabase, isDeployed: boolean): Promise<FoundInDatabase> {
  const { pending: pendingMigrations, unknown: unknownMigrations } = await readMigrations(database);
  const known = { number: database.number, pendingMigrations, unknownMigrations };
  if (pendingMigrations.length > 0) {
    // The other statements may need what a migration adds.
    const unknown = { bytes: null, brands: null, dailyJobAt: null };
    const job = { isDailyJobLate: null, hasWorkLeft: null };
    return { ...known, ...unknown, ...job, oddBrands: [], syncs: NONE };
  }
  const { bytes, brands: count } = await readSize(database);
  const [odd, [job], [syncs = NONE]] = await database.run(
    selectOddBrands(database),
    selectJob,
    selectSyncCounts(database),
  );
  return {
    ...known,
    bytes,
    brands: count,
    dailyJobAt: job?.doneAt ?? null,
    isDailyJobLate: isDeployed && job?.isLate !== 0,
    hasWorkLeft: job?.workLeft === 1,
    oddBrands: odd.map(withMove),
    syncs,
  };
}

const NONE: SyncCounts = { brands: 0, notSynced: 0, withError: 0 };

function sumOf(all: readonly SyncCounts[]): SyncCounts {
  return all.reduce(
    (sum, one) => ({
      brands: sum.brands + one.brands,
      notSynced: sum.notSynced + one.notSynced,
      withError: sum.withError + one.withError,
    }),
    NONE,
  );
}

/** Reads when the daily job was done. Two of the 26 hours are for a night that takes long. In a new database it is not late. */
const selectJob = sql<{ doneAt: string | null; isLate: number; workLeft: number }>`
  select ${dailyJob.doneAt} as "doneAt", coalesce(${dailyJob.doneAt}, ${dailyJob.createdAt}) < strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-26 hours') as "isLate", ${dailyJob.workLeft} as "workLeft"
  from ${dailyJob}`;

function selectOddBrands(
  database: OpenDatabase,
): SQL<Omit<OddBrand, 'unfinished'> & { unfinished: Unfinished | null }> {
  return sql`select * from (
        select ${brands.id} as "brandId", ${brands.brandName} as "brandName", ${brands.suspendedAt} as "suspendedAt", ${brandState}
        from ${brands} where true${andAtHome(database, sql`${brands.id}`)})
      where unfinished is not null or "frozenAt" is not null or "suspendedAt" is not null order by "brandId"`;
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

/** What to do if the daily job does not get through. */
const MORE_QUERIES = 'on the paid plan, set DAILY_JOB_QUERIES in wrangler.toml to 1000, and deploy';

/** Returns what needs somebody, as parts of a sentence. A suspension does not: an operator has decided it. */
export function needs({ brands: odd, expiringKeys: keys, databases }: Status): string[] {
  const count = (items: readonly unknown[], one: string, many: string): string[] =>
    items.length === 0 ? [] : [counted(items.length, one, many)];
  const sizes = databases.flatMap(({ bytes }) => bytes ?? []);
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
      (odd ?? []).filter(({ unfinished }) => unfinished === 'move'),
      'brand is frozen',
      'brands are frozen',
    ),
    ...count(
      (odd ?? []).filter(({ unfinished }) => unfinished !== null && unfinished !== 'move'),
      'brand is unfinished',
      'brands are unfinished',
    ),
    ...count(keys ?? [], 'key expires soon', 'keys expire soon'),
    ...count(
      sizes.filter((bytes) => bytes > FULL),
      'database is full',
      'databases are full',
    ),
    ...(sizes.length === databases.length && Math.min(...sizes) > DUE
      ? ['the next database is due']
      : []),
    ...count(
      databases.filter(({ isDailyJobLate }) => isDailyJobLate),
      'database where the daily job has not done its work for 26 hours',
      'databases where the daily job has not done its work for 26 hours',
    ),
    ...count(
      databases.filter(({ hasWorkLeft }) => hasWorkLeft),
      `database where the daily job has left work over (${MORE_QUERIES})`,
      `databases where the daily job has left work over (${MORE_QUERIES})`,
    ),
  ];
}
