import { sql } from 'drizzle-orm';
import { brands } from '../../src/db/tables.ts';
import type { OpenDatabase } from './execute.ts';
import { andAtHome } from './home.ts';

/** How much a database has. */
export interface DatabaseSize {
  readonly execute: OpenDatabase;
  readonly bytes: number;
  /** How many brands are at home in it. */
  readonly brands: number;
  /** How many brands have left it, and still have their old keys in it. */
  readonly movedAway: number;
}

/** Reads how much a database has: one row for each brand. */
export async function readSize(execute: OpenDatabase): Promise<DatabaseSize> {
  const { results, bytes } = await execute.measure(
    sql`select count(*) as brands, (select count(*) from ${brands}) as found
      from ${brands} where true${andAtHome(execute, sql`${brands.id}`)}`,
  );
  const [[row = {}] = []] = results;
  const count = Number(row['brands']);
  return { execute, bytes, brands: count, movedAway: Number(row['found']) - count };
}
