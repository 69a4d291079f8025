import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { brands } from '../../src/db/tables.ts';
import { databaseTime, timeBefore } from '../../src/db/statement.ts';

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
