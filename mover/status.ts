import { join, sql } from '../src/db/sql.ts';
import type { Row } from '../src/db/statement.ts';
import { now } from '../src/db/statement.ts';
import { moves, tombstones } from '../src/db/tables.ts';
import { brand } from './conditions.ts';
import { listsOf } from './lists.ts';
import type { Move } from './move.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/** Where a move is, as both databases have it. */
export interface Status {
  /**
   * `copying`; `committed`, which is final, for a moment; `settled`, when the target serves the brand; `tidied`, when its
   * old data is deleted. Or `aborted`, and `over` when the copy is deleted.
   */
  readonly state: 'copying' | 'committed' | 'settled' | 'tidied' | 'aborted' | 'over';
  /** Each run raises it. */
  readonly attempt: number;
  /** What drives the move; null if nothing has begun to. */
  readonly driver: string | null;
  readonly copiedRows: number;
  readonly copiedBytes: number;
  readonly failedCommits: number;
  /** For how long writes were refused, in seconds. */
  readonly frozenSeconds: number;
  /** How long it took until it was settled or given up; until now, if it goes on. */
  readonly seconds: number;
  /** How long it has been in its state, in seconds. */
  readonly age: number;
  /** Why it was given up. */
  readonly reason: string | null;
}

/** Reads where a move is; undefined if its source does not know it any more. */
export async function readStatus(
  source: Database,
  target: Database,
  { brandId, id }: Move,
): Promise<Status | undefined> {
  const [row, copy] = await Promise.all([source, target].map((each) => readRow(each, brandId, id)));
  if (row === undefined) return undefined;
  const isSettled = copy === undefined || copy['state'] === 'home';
  const state = stateOf(row, isSettled);
  const end =
    state === 'copying' || state === 'committed'
      ? row['now']
      : (copy?.['changed_at'] ?? row['changed_at']);
  return {
    state,
    attempt: Number(row['attempt']),
    driver: textOf(row['driver']),
    copiedRows: Number(copy?.['copied_rows'] ?? 0),
    copiedBytes: Number(copy?.['copied_bytes'] ?? 0),
    failedCommits: Number(row['failed_commits']),
    frozenSeconds: Number(row['frozen_ms']) / 1000,
    seconds: secondsBetween(row['begun_at'], end),
    age: secondsBetween(row['changed_at'], row['now']),
    reason: textOf(row['reason']),
  };
}

async function readRow(database: Database, brandId: string, id: string): Promise<Row | undefined> {
  const { rows } = await transact(database, { brand: brandId }, [
    sql`select *, ${now} as now from ${moves} where ${moves.brandId} = ${brand}`,
  ]);
  const [row] = rows[0] ?? [];
  return row?.['id'] === id ? row : undefined;
}

/** A target that does not know the move any more has had the brand, which has moved on. */
function stateOf({ state }: Row, isSettled: boolean): Status['state'] {
  switch (state) {
    case 'gone':
      return isSettled ? 'settled' : 'committed';
    case 'tidied':
    case 'aborted':
    case 'over':
      return state;
    default:
      return 'copying';
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function secondsBetween(from: unknown, to: unknown): number {
  return Math.max(0, Date.parse(String(to)) - Date.parse(String(from))) / 1000;
}

/** Counts what a move has to copy, but for records of idempotency keys. */
export async function countRows(source: Database, brandId: string): Promise<number> {
  const tables = [...listsOf().map(({ rows: { table } }) => table), tombstones];
  const counts = tables.map(
    (table) => sql`(select count(*) from ${table} where brand_id = ${brand})`,
  );
  const { rows } = await transact(source, { brand: brandId }, [
    sql`select ${join(counts, ' + ')} as count`,
  ]);
  return Number(rows[0]?.[0]?.['count']);
}
