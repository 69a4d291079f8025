import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Collection } from '../../../src/operator.ts';
import { brands, idempotencyRecords, tombstones, collections } from '../../../src/operator.ts';
import type { Measurement, OpenDatabase } from '../database/open-database.ts';

// The data of a brand: all but its row and its keys.

/** The maximum number of rows that a statement deletes: D1 aborts one that takes too long. */
const DELETED_AT_ONCE = 5000;

/** How often a call deletes so many of each table: a call of wrangler takes seconds, most of them to start it. */
const DELETIONS_PER_CALL = 4;

interface BrandData {
  readonly table: SQLiteTable;
  /** The columns that, with the brand, tell its rows. */
  readonly key: SQL;
}

function dataOf(all: readonly Collection[]): readonly BrandData[] {
  return [
    ...all.map(({ table }) => ({ table, key: sql`id` })),
    { table: tombstones, key: sql`collection, change_number` },
    { table: idempotencyRecords, key: sql`key` },
  ];
}

/** SQL condition: the brand has data in this database. */
function hasData(brandId: string, all: readonly Collection[]): SQL {
  const some = dataOf(all).map(
    ({ table }) => sql`exists (select 1 from ${table} where brand_id = ${brandId})`,
  );
  return sql`(${sql.join(some, sql` or `)})`;
}

/** How the data of a brand is deleted. */
export interface Deletion {
  readonly condition: SQL;
  /** What the first call does before. */
  readonly first: readonly SQL[];
  /** Returns what is done at the end, under a condition on the table of brands. */
  readonly last?: (isEmpty: SQL) => readonly SQL[];
  /** Throws what a failure of a later call means. */
  readonly onFailure?: (error: unknown) => never;
  readonly all?: readonly Collection[] | undefined;
}

/**
 * Deletes the data of a brand, in as many calls as it takes.
 * @returns whether its row is there
 */
export async function deleteData(
  database: OpenDatabase,
  brandId: string,
  { condition, first, last = () => [], onFailure, all = collections }: Deletion,
): Promise<boolean> {
  const deletions = dataOf(all).map(
    ({ table, key }) => sql`delete from ${table} where brand_id = ${brandId} and (${key}) in
      (select ${key} from ${table} where brand_id = ${brandId} limit ${DELETED_AT_ONCE}) and ${condition}`,
  );
  // Every statement can be repeated until nothing is left.
  const batch = [
    ...Array.from({ length: DELETIONS_PER_CALL }, () => deletions).flat(),
    ...last(sql`${brands.id} = ${brandId} and ${condition} and not ${hasData(brandId, all)}`),
    sql`select ${hasData(brandId, all)} and ${condition} as is_left,
      exists (select 1 from ${brands} where ${brands.id} = ${brandId}) as is_there`,
  ];
  let results = await database.run(...first, ...batch);
  while (is('left', results)) results = await database.run(...batch).catch(onFailure);
  return is('there', results);
}

function is(what: 'left' | 'there', results: Measurement['results']): boolean {
  return Number(results.at(-1)?.[0]?.[`is_${what}`]) === 1;
}
