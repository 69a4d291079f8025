import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as changeNumbers from '../src/db/change-numbers.ts';
import { keyIsLiveAt } from '../src/db/key.ts';
import { databaseTime } from '../src/db/statement.ts';
import { brands } from '../src/db/tables.ts';

export const now = databaseTime;
export const keyIsLive = sql`${keyIsLiveAt(databaseTime)}`;
export function newestChange(table: SQLiteTable, path: string): SQL {
  return changeNumbers.newestChange({ table, path }, sql`${brands.id}`);
}
export const isAway = sql`0`;
export const countedSince = sql`''`;
export function stateOfBrand(): SQL {
  return sql`0`;
}
