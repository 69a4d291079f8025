import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { EARLIER_TRIES } from './statement.ts';
import { tombstones } from './tables.ts';

// Every change gives a resource the next number of its brand and collection, and a deletion leaves a tombstone with the
// next number. D1 has one writer, so the numbers are the order of the transactions: nothing is numbered lower later on.

/** Tombstones that a repeat of a call looks through for its own: far more than can be written between two tries. */
const RECENT = 1000;

/** The number of the newest change, 0 if there was none. It never decreases: the sweep keeps the newest tombstone. */
export function newestChange(table: SQLiteTable, collection: string, brand: SQL): SQL {
  return sql`max(
    coalesce((select change_number from ${table} where brand_id = ${brand} order by change_number desc limit 1), 0),
    coalesce((select change_number from ${tombstonesOf(collection, brand)} order by change_number desc limit 1), 0))`;
}

/** A collection's tombstones, to stand after `from`; a further condition may follow after `and`. */
export function tombstonesOf(collection: string, brand: SQL): SQL {
  return sql`${tombstones} where brand_id = ${brand} and collection = ${literal(collection)}`;
}

/** The name of a collection as an SQL text. */
export function literal(collection: string): SQL {
  if (!/^[a-z-]+$/.test(collection)) throw new Error(`${collection} cannot be written into SQL.`);
  return sql.raw(`'${collection}'`);
}

/** The tombstones that an earlier try of the same call may have written or met; none if this is the first try. */
export function recentTombstones(collection: string, brand: SQL): SQL {
  return sql`(select id, request, created_at from ${tombstonesOf(collection, brand)} and ${sql.placeholder(EARLIER_TRIES)}
    order by change_number desc limit ${sql.raw(String(RECENT))})`;
}

/** How long a deletion is reported to those who follow, at least. */
const RETENTION_DAYS = 30;

/** Tombstones from before this time may have been swept. */
export const tombstoneExpiry = sql.raw(
  `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${RETENTION_DAYS} days')`,
);
