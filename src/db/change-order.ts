import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Sql } from './sql.ts';
import { literal, raw, sql } from './sql.ts';
import { earlierTries, isOurs } from './statement.ts';
import { tombstones } from './tables.ts';

// Every change gives a resource the next number of its brand and collection, and a deletion leaves a tombstone with the
// next number. D1 has a single writer, so the numbers follow the order of the transactions: no later change gets a
// lower number.

/** How many tombstones a retry searches for its own: those of 20 pushes, far more than fit between two tries. */
const RECENT = 10_000;

/**
 * SQL: the number of the newest change, 0 if there is none. It never decreases, because the sweep keeps the newest
 * tombstone.
 */
export function newestChange<N extends string>(
  table: SQLiteTable,
  collection: string,
  brand: Sql<N>,
): Sql<N> {
  return sql`max(
    coalesce((select change_number from ${table} as one where one.brand_id = ${brand} order by change_number desc limit 1), 0),
    coalesce((select change_number from ${tombstonesOf(collection, brand)} order by change_number desc limit 1), 0))`;
}

/** A collection's tombstones, for use after `from`. Further conditions can follow with `and`. */
export function tombstonesOf<N extends string>(collection: string, brand: Sql<N>): Sql<N> {
  return sql`${tombstones} where brand_id = ${brand} and collection = ${literal(collection)}`;
}

/**
 * A subquery of the tombstones that an earlier try of the same call may have written or found; empty on the first try.
 */
export function recentTombstones<N extends string>(
  collection: string,
  brand: Sql<N>,
): Sql<N | 'earlierTries'> {
  return sql`(select id, request from ${tombstonesOf(collection, brand)} and ${earlierTries}
    order by change_number desc limit ${raw(RECENT)})`;
}

/** SQL condition: this write, or an earlier try of it, left the newest tombstone. */
export function leftNewestTombstone<N extends string>(
  collection: string,
  brand: Sql<N>,
): Sql<N | 'stem'> {
  return isOurs(
    sql`(select request from ${tombstonesOf(collection, brand)} order by change_number desc limit 1)`,
  );
}

/** The minimum number of days for which deletions are reported to clients that follow changes. */
const RETENTION_DAYS = 30;

/** SQL: the time before which tombstones may have been removed. */
export const tombstoneExpiry = raw(
  `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-${RETENTION_DAYS} days')`,
);
