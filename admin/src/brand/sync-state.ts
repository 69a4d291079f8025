import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { brands, databaseTime, timeBefore } from '../../../src/operator.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { andAtHome } from '../home/home.ts';

/** What the integration of a brand has recorded of its last syncs, in the connection. */
export interface SyncState {
  readonly lastProductsSyncAt: string | null;
  readonly lastDiscountsSyncAt: string | null;
  readonly lastSyncError: string | null;
}

/** The columns of it, in a select from brands. */
export const syncState = sql`${brands.lastProductsSyncAt} as "lastProductsSyncAt", ${brands.lastDiscountsSyncAt} as "lastDiscountsSyncAt", ${brands.lastSyncError} as "lastSyncError"`;

/**
 * SQL condition: a sync that the brand once had was last done longer ago than this, in seconds. A collection that it never
 * synced does not count.
 */
export function isNotSynced(seconds: number): SQL {
  const time = timeBefore(databaseTime, `${seconds} seconds`);
  return sql`(${brands.lastProductsSyncAt} < ${time} or ${brands.lastDiscountsSyncAt} < ${time})`;
}

/** SQL condition: its last sync failed. */
export const hasSyncError = sql`${brands.lastSyncError} is not null`;

/** SQL condition: the brand has synced, at some time. */
const wasSynced = sql`(${brands.lastProductsSyncAt} is not null or ${brands.lastDiscountsSyncAt} is not null)`;

/** After how many seconds without a sync more than one night is missing. */
const TWO_DAYS = 2 * 86_400;

/** How the syncs of brands go. */
export interface SyncCounts {
  /** How many brands have synced, at some time: the following are among these. */
  readonly brands: number;
  /** Those whose last sync is more than two days ago. */
  readonly notSynced: number;
  readonly withError: number;
}

/** Returns the statement that counts them, of the brands that are at home in a database. */
export function selectSyncCounts(database: Pick<OpenDatabase, 'hasPeers'>): SQL<SyncCounts> {
  return sql<SyncCounts>`select count(*) as brands, count(*) filter (where ${isNotSynced(TWO_DAYS)}) as "notSynced",
      count(*) filter (where ${hasSyncError}) as "withError"
    from ${brands} where ${wasSynced}${andAtHome(database, sql`${brands.id}`)}`;
}
