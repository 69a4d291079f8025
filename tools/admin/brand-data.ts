import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Collection } from '../../src/collection/collection.ts';
import { idempotencyRecords, tombstones } from '../../src/db/tables.ts';
import { collections } from '../../src/resources/registry.ts';
import type { Execute } from './execute.ts';

// The data of a brand: all but its row and its keys.

/** The maximum number of rows that a statement deletes: D1 aborts one that takes too long. */
const DELETED_AT_ONCE = 5000;

/** How often a call deletes so many of each table: a call of wrangler takes seconds, most of them to start it. */
const DELETIONS_PER_CALL = 4;

/** A table with data of a brand. */
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
export function hasData(brandId: string, all: readonly Collection[]): SQL {
  const some = dataOf(all).map(
    ({ table }) => sql`exists (select 1 from ${table} where brand_id = ${brandId})`,
  );
  return sql`(${sql.join(some, sql` or `)})`;
}

/** Returns the statements that delete data of a brand: as much as a call may. */
export function deleteSome(brandId: string, condition: SQL, all: readonly Collection[]): SQL[] {
  const statements = dataOf(all).map(
    ({ table, key }) => sql`delete from ${table} where brand_id = ${brandId} and (${key}) in
      (select ${key} from ${table} where brand_id = ${brandId} limit ${DELETED_AT_ONCE}) and ${condition}`,
  );
  return Array.from({ length: DELETIONS_PER_CALL }, () => statements).flat();
}

/**
 * Deletes the data of a brand, in as many calls as it takes.
 * @param condition of each of them
 * @param first what the first one does before
 */
export async function deleteData(
  execute: Execute,
  brandId: string,
  condition: SQL,
  first: readonly SQL[],
  all: readonly Collection[] = collections,
): Promise<void> {
  const batch = [
    ...deleteSome(brandId, condition, all),
    sql`select ${hasData(brandId, all)} and ${condition} as is_left`,
  ];
  let results = await execute(...first, ...batch);
  while (Number(results.at(-1)?.[0]?.['is_left']) === 1) results = await execute(...batch);
}
