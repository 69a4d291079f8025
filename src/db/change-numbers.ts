import type { SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { databaseTimeBefore } from './statement.ts';
import { tombstones } from './tables.ts';

// Every change gives a resource the next number of its brand and collection, and a deletion leaves a tombstone with the
// next number. D1 has a single writer, so the numbers follow the order of the transactions: no later change gets a
// lower number.

/** A collection whose changes are numbered: its table, and its name in the database. */
interface Numbered {
  readonly table: SQLiteTable;
  readonly path: string;
}

/**
 * SQL: the number of the newest change, 0 if there is none. It never decreases, because the sweep keeps the newest
 * tombstone.
 * @param brand the brand, which may be a column of an outer query
 */
export function newestChange({ table, path }: Numbered, brand: SQLWrapper): SQL<number> {
  return sql`max(
    coalesce((select change_number from ${table} as one where one.brand_id = ${brand} order by change_number desc limit 1), 0),
    coalesce((select change_number from ${tombstones} as gone where gone.brand_id = ${brand} and gone.collection = ${name(path)} order by change_number desc limit 1), 0))`;
}

/**
 * SQL: a collection's name as a literal: a parameter would be sent with every statement.
 * @throws Error if it may need escapes
 */
function name(path: string): SQL {
  if (!/^[\w-]+$/.test(path)) throw new Error(`${path} cannot be the name of a collection.`);
  return sql.raw(`'${path}'`);
}

/** SQL: the time before which tombstones may have been removed. Clients that follow changes have at least 30 days. */
export const tombstoneExpiry = databaseTimeBefore('30 days');
