import type { SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { databaseTime, timeBefore } from './statement.ts';
import { tombstones } from './tables.ts';

// Every change gives a resource the next number of its brand and collection, and a deletion leaves a tombstone with the
// next number. D1 has a single writer, so the numbers follow the order of the transactions: no later change gets a
// lower number.

/**
 * SQL: the number of the newest change of a collection, 0 if there is none. It never decreases, because the sweep keeps
 * the newest tombstone.
 * @param path the collection's name in the database
 * @param brand the brand, which may be a column of an outer query
 */
export function newestChange(
  { table, path }: { readonly table: SQLiteTable; readonly path: string },
  brand: SQLWrapper,
): SQL<number> {
  return sql`max(
    coalesce((select change_number from ${table} as one where one.brand_id = ${brand} order by change_number desc limit 1), 0),
    coalesce((select change_number from ${tombstones} as gone where gone.brand_id = ${brand} and gone.collection = ${path} order by change_number desc limit 1), 0))`;
}

/** SQL: the time before which tombstones may have been removed. Clients that follow changes have at least 30 days. */
export const tombstoneExpiry = timeBefore(databaseTime, '30 days');
