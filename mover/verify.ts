import type { Sql } from '../src/db/sql.ts';
import { literal, placeholder, sql } from '../src/db/sql.ts';
import type { Row, SqlValue } from '../src/db/statement.ts';
import { moves } from '../src/db/tables.ts';
import { brand, into, isOurRun, selectMove } from './conditions.ts';
import type { Table } from './lists.ts';
import { names, textOf } from './lists.ts';
import type { Cursor } from './move.ts';
import type { Changes } from './page.ts';
import { changesAfter, changesIn, readSource } from './page.ts';
import type { Run } from './run.ts';
import { ownRow, valuesOf } from './run.ts';
import type { Step } from './transaction.ts';
import { transact } from './transaction.ts';

/** The copy is not the same as the original. */
export class CopyDiffers extends Error {
  constructor(what: string) {
    super(`The copy differs in ${what}.`);
    this.name = 'CopyDiffers';
  }
}

/** What a comparison came to. */
interface Verified {
  readonly verified: Cursor['changes'];
  /** Whether there are probably more. */
  readonly isFull: boolean;
}

/**
 * Compares the next changes of each collection, byte for byte, up to where the copy is. A change with its number never
 * changes again, so each is compared once. What the copy has too much is found before the commit, by `sumsOf`.
 * @throws CopyDiffers
 * @throws Superseded if the run may not act any more
 */
export async function verifyPage(
  run: Run,
  verified: Cursor['changes'],
  copied: Cursor['changes'],
): Promise<Verified> {
  const isComplete = run.lists.every(({ path }) => (verified[path] ?? 0) >= (copied[path] ?? 0));
  if (isComplete) return { verified, isFull: false };
  const results = await readSource(run, changesAfter(run, verified, copied));
  const changes = changesIn(run, results, verified);
  const next = Object.fromEntries(
    changes.map(({ list: { path }, last, isFull }) => [path, isFull ? last : (copied[path] ?? 0)]),
  );
  const { rows } = await transact(run.target, valuesOf(run), [
    ...changes.flatMap(sameInCopy),
    selectMove,
  ]);
  ownRow(run, rows.at(-1));
  for (const [n, some] of changes.entries()) compare(some, rows.slice(2 * n));
  await noteVerified(run, next);
  return { verified: next, isFull: changes.some(({ isFull }) => isFull) };
}

/** Returns the steps that read the same rows in the target: by id, and tombstones by number. */
function sameInCopy({ list, rows, tombstones }: Changes): Step[] {
  const { path, rows: resources, tombstones: buried } = list;
  return [
    {
      query: selectSame(resources, 'id', sql`true`),
      values: { keys: JSON.stringify(rows.map(({ id }) => id)) },
    },
    {
      query: selectSame(buried, 'change_number', sql`collection = ${literal(path)}`),
      values: { keys: JSON.stringify(tombstones.map((row) => row['change_number'])) },
    },
  ];
}

function selectSame({ table, columns }: Table, key: string, condition: Sql): Sql<string> {
  return sql`select ${names(columns)} from ${table} where brand_id = ${brand} and ${condition}
    and ${names([key])} in (select value from json_each(${placeholder('keys')}))`;
}

/** @throws CopyDiffers */
function compare(
  { list, rows, tombstones }: Changes,
  [rowsThere = [], tombstonesThere = []]: readonly (readonly Row[])[],
): void {
  const isMissing = (
    table: Table,
    here: readonly Row[],
    there: readonly Row[],
    key: string,
  ): boolean => {
    const copies = new Map<SqlValue | undefined, Row>(there.map((row) => [row[key], row]));
    return here.some((row) => {
      const copy = copies.get(row[key]);
      return copy === undefined ? !isExpired(row) : textOf(table, copy) !== textOf(table, row);
    });
  };
  if (
    isMissing(list.rows, rows, rowsThere, 'id') ||
    isMissing(list.tombstones, tombstones, tombstonesThere, 'change_number')
  ) {
    throw new CopyDiffers(list.path);
  }
}

/** The daily job deletes tombstones after 30 days; a day less, so that a difference of clocks does not matter. */
export const KEPT_DAYS = 29;

/** Whether a row is a tombstone that the daily job may have deleted. */
function isExpired({ deleted_at: at = null }: Row): boolean {
  return typeof at === 'string' && Date.parse(at) < Date.now() - KEPT_DAYS * 86_400_000;
}

async function noteVerified(run: Run, verified: Cursor['changes']): Promise<void> {
  const { rows } = await transact(
    run.target,
    { ...valuesOf(run), verified: JSON.stringify(verified) },
    [
      sql`update ${moves} set verified = ${placeholder('verified')} where ${into('copying')} and ${isOurRun}`,
      selectMove,
    ],
  );
  ownRow(run, rows.at(-1));
}
