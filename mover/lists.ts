import type { Column } from 'drizzle-orm';
import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Collection, CollectionSource } from '../src/collection/collection.ts';
import { newestChange, tombstonesOf } from '../src/db/change-order.ts';
import { expiry } from '../src/db/idempotency-records.ts';
import type { Sql } from '../src/db/sql.ts';
import { identifier, join, placeholder, raw, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { idempotencyRecords, tombstones } from '../src/db/tables.ts';
import { collections } from '../src/resources/registry.ts';
import { brand } from './conditions.ts';

/** What is copied in the order of its changes: the resources of a collection, and its tombstones. */
export interface List {
  /** The collection's path, which is also its name in the database. */
  readonly path: string;
  readonly collection: Collection;
  readonly rows: Table;
  readonly tombstones: Table;
  /** SQL: the number of the newest change. */
  readonly head: Sql<'brand'>;
}

/** A table with its columns but for the brand. */
export interface Table {
  readonly table: SQLiteTable;
  readonly columns: readonly string[];
}

/** All lists of the service. A new collection is one of them. */
export function listsOf(all: readonly CollectionSource[] = collections): readonly List[] {
  return all.map(({ path, load }) => {
    const collection = load();
    return {
      path,
      collection,
      rows: tableOf(collection.table),
      tombstones: tableOf(tombstones),
      head: newestChange(collection.table, path, brand),
    };
  });
}

/** The table of the idempotency records. They have no change number: they are copied in the order of their times. */
export const records: Table = tableOf(idempotencyRecords);

function tableOf(table: SQLiteTable): Table {
  return { table, columns: columnsOf(table).filter((name) => name !== 'brand_id') };
}

/** Returns the names of a table's columns. */
export function columnsOf(table: SQLiteTable): string[] {
  return Object.values(getTableColumns(table)).map(({ name }) => name);
}

/** Returns a row as the JSON of its values, in the order of the columns. */
export function textOf({ columns }: Pick<Table, 'columns'>, row: Row): string {
  return JSON.stringify(columns.map((name) => row[name]));
}

/** SQL: names of columns. */
export function names(columns: readonly string[]): Sql {
  return join(columns.map((name) => identifier(name)));
}

/** What each tombstone counts, and each row besides its texts, in bytes. */
const ROW_BYTES = 300;

/** SQL: about how long a row is. SQLite knows the length of a stored text without reading it. */
function bytesOf(columns: readonly Column[]): Sql {
  return sql`(${join(
    [raw(ROW_BYTES), ...columns.map((column) => sql`coalesce(octet_length(${column}), 0)`)],
    ' + ',
  )})`;
}

/**
 * Returns the statements that read the next changes of a list, in the order of their numbers: its rows, and its tombstones.
 * Both end where the bytes of a page end.
 */
export function selectChanges({
  path,
  collection,
  tombstones: buried,
}: List): readonly Sql<string>[] {
  const { table, texts, changeIndex } = collection;
  const inRange = sql`change_number > ${placeholder('after')} and change_number <= ${placeholder('upTo')}`;
  const size = bytesOf(texts);
  const indexed = sql`${table} indexed by ${identifier(changeIndex)} where brand_id = ${brand}`;
  const some = sql`order by change_number limit ${placeholder('rows')}`;
  const end = sql`(
    select max(change_number) from (
      select change_number, sum(bytes) over (order by change_number rows between unbounded preceding and 1 preceding) as so_far
      from (
        select * from (select change_number, ${size} as bytes from ${indexed} and ${inRange} ${some})
        union all
        select * from (select change_number, ${raw(ROW_BYTES)} from ${tombstonesOf(path, brand)} and ${inRange} ${some})
        ${some}))
    where coalesce(so_far, 0) < ${placeholder('bytes')})`;
  const page = sql`${inRange} and change_number <= ${end} order by change_number`;
  return [
    sql`select *, ${size} as row_bytes from ${indexed} and ${page}`,
    sql`select ${names(buried.columns)}, ${raw(ROW_BYTES)} as row_bytes from ${tombstonesOf(path, brand)} and ${page}`,
  ];
}

/** SQL: records after the last one that was copied. */
export const recordsAfter = sql`${idempotencyRecords} where brand_id = ${brand}
  and (created_at, key) > (${placeholder('recordAt')}, ${placeholder('recordKey')})`;

/**
 * SQL: the next records that are at least five seconds old, so that no record comes before them later, even if the clock
 * is set back a little. Records that have expired are left out.
 */
export const selectRecords = sql`
  select * from (
    select *, ${bytesOf([idempotencyRecords.results])} as row_bytes,
      sum(${bytesOf([idempotencyRecords.results])}) over (order by created_at, key rows between unbounded preceding and 1 preceding) as so_far
    from ${recordsAfter}
      and created_at > ${expiry}
      and created_at <= strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-5 seconds')
    order by created_at, key limit ${placeholder('rows')})
  where coalesce(so_far, 0) < ${placeholder('bytes')} order by created_at, key`;
