import { packItems, itemsIn } from '../src/db/json-items.ts';
import type { Sql } from '../src/db/sql.ts';
import { join, placeholder, raw, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { moves } from '../src/db/tables.ts';
import { brand, into, isOurRun, moveIs, out, selectMove } from './conditions.ts';
import type { List, Table } from './lists.ts';
import { names, records, selectChanges, selectRecords, textOf } from './lists.ts';
import type { Cursor } from './move.ts';
import type { Run } from './run.ts';
import { ownRow, Superseded, valuesOf } from './run.ts';
import type { Result, Step } from './transaction.ts';
import { transact } from './transaction.ts';

/** The next changes of a collection, in the order of their numbers. */
export interface Changes {
  readonly list: List;
  readonly rows: readonly Row[];
  readonly tombstones: readonly Row[];
  /** The number of the last of them; that before the first if there are none. */
  readonly last: number;
  /** Whether there are probably more. */
  readonly isFull: boolean;
}

/** The next changes of each collection, and the next records. */
interface Page {
  readonly changes: readonly Changes[];
  readonly records: readonly Row[];
}

/** Selects one row if the run may read in the source. */
const ownMove = sql`select 1 from ${moves} where ${out('copying')} and ${isOurRun}`;

/**
 * Reads in the source, if the run may.
 * @returns the rows of each statement
 * @throws Superseded if it may not act any more
 */
export async function readSource(
  run: Run,
  steps: readonly (Sql<string> | Step)[],
): Promise<Result['rows']> {
  const { rows } = await transact(run.source, valuesOf(run), [ownMove, ...steps]);
  if (rows[0]?.length !== 1) throw new Superseded();
  return rows.slice(1);
}

/** Returns the steps that read the next changes of each collection. */
export function changesAfter(
  { lists }: Run,
  after: Cursor['changes'],
  upTo?: Cursor['changes'],
): Step[] {
  return lists.flatMap((list) => {
    const values = {
      after: after[list.path] ?? 0,
      upTo: upTo === undefined ? Number.MAX_SAFE_INTEGER : (upTo[list.path] ?? 0),
    };
    return selectChanges(list).map((query) => ({ query, values }));
  });
}

/** Returns what the steps of `changesAfter` have read. */
export function changesIn(
  { lists, limits }: Run,
  results: Result['rows'],
  after: Cursor['changes'],
): Changes[] {
  return lists.map((list, n) => {
    const [rows = [], tombstones = []] = results.slice(2 * n);
    const all = [...rows, ...tombstones];
    const last = all.reduce(
      (most, row) => Math.max(most, Number(row['change_number'])),
      after[list.path] ?? 0,
    );
    return { list, rows, tombstones, last, isFull: isFull(all, limits) };
  });
}

/** Whether as much was read as a page has. */
function isFull(rows: readonly Row[], limits: Run['limits']): boolean {
  return rows.length >= limits.rows || bytesIn(rows) >= limits.bytes;
}

function bytesIn(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + Number(row['row_bytes']), 0);
}

/** What the copying of a page came to. */
interface Copied {
  readonly cursor: Cursor;
  /** Whether there are probably more. */
  readonly isFull: boolean;
  /** The size of the target, in bytes; 0 if nothing was written. */
  readonly size: number;
  /** The move in the target; absent if nothing was written. */
  readonly copy?: Row;
}

/**
 * Copies the next page: the next changes of each collection, and the next records.
 * @throws Superseded if the run may not act any more
 */
export async function copyPage(run: Run, cursor: Cursor): Promise<Copied> {
  const [recordAt, recordKey] = cursor.record;
  const results = await readSource(run, [
    { query: selectRecords, values: { recordAt, recordKey } },
    ...changesAfter(run, cursor.changes),
  ]);
  const changes = changesIn(run, results.slice(1), cursor.changes);
  const page: Page = { changes, records: results[0] ?? [] };
  const full = isFull(page.records, run.limits) || changes.some((some) => some.isFull);
  const all = allRows(page);
  if (all.length === 0) return { cursor, isFull: false, size: 0 };
  const next: Cursor = {
    changes: Object.fromEntries(changes.map(({ list, last }) => [list.path, last])),
    record: lastRecord(page.records) ?? cursor.record,
  };
  const written = await writePage(run, page, { before: cursor, next });
  return { cursor: next, isFull: full, ...written };
}

function allRows({ changes, records: copied }: Page): Row[] {
  return [...changes.flatMap(({ rows, tombstones }) => [...rows, ...tombstones]), ...copied];
}

/** The time and the key of the last of some records. */
function lastRecord(copied: readonly Row[]): Cursor['record'] | undefined {
  const row = copied.at(-1);
  return row && [String(row['created_at']), String(row['key'])];
}

/** Writes a page to the target, if the copy is where the page begins. */
async function writePage(
  run: Run,
  page: Page,
  { before, next }: { readonly before: Cursor; readonly next: Cursor },
): Promise<Required<Pick<Copied, 'size' | 'copy'>>> {
  const all = allRows(page);
  const values = {
    ...valuesOf(run),
    before: JSON.stringify(before),
    next: JSON.stringify(next),
    count: all.length,
    size: bytesIn(all),
  };
  const isOurs = moveIs(
    sql`${into('copying')} and ${isOurRun} and ${moves.copied} = ${placeholder('next')}`,
  );
  const { rows, size } = await transact(run.target, values, [
    sql`update ${moves} set copied = ${placeholder('next')}, copied_rows = copied_rows + ${placeholder('count')}, copied_bytes = copied_bytes + ${placeholder('size')}
      where ${into('copying')} and ${isOurRun} and ${moves.copied} = ${placeholder('before')}`,
    ...page.changes.flatMap((changes) => writeChanges(changes, isOurs)),
    ...insertRows(records, page.records, isOurs),
    selectMove,
  ]);
  const row = ownRow(run, rows.at(-1));
  if (row['copied'] !== values.next) throw new Superseded();
  return { size, copy: row };
}

/**
 * Returns the steps that write changes. The rows of all ids go first: so a code that was given up is free, whatever the
 * order in which it was taken. A row that still has to make room has changed again: it comes with a later page, or its
 * tombstone does.
 */
function writeChanges({ list, rows, tombstones }: Changes, isOurs: Sql<string>): Step[] {
  const ids = JSON.stringify([...rows, ...tombstones].map(({ id }) => id));
  if (ids === '[]') return [];
  return [
    {
      query: sql`delete from ${list.rows.table} where brand_id = ${brand} and ${isOurs}
        and id in (select value from json_each(${placeholder('ids')}))`,
      values: { ids },
    },
    ...insertRows(list.rows, rows, isOurs),
    ...insertRows(list.tombstones, tombstones, isOurs),
  ];
}

/** Returns the step that inserts rows in their order, or replaces what is in their place; none if there are no rows. */
export function insertRows(
  { table, columns }: Table,
  rows: readonly Row[],
  isOurs: Sql<string>,
): Step[] {
  if (rows.length === 0) return [];
  const { count, values } = packItems(rows.map((row) => textOf({ columns }, row)));
  const members = columns.map((_, index) => sql`value ->> ${raw(index)}`);
  const query = sql`insert or replace into ${table} (brand_id, ${names(columns)})
    select ${brand}, ${join(members)} from ${itemsIn(count, isOurs)}`;
  return [{ query, values }];
}
