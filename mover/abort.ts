import { newId } from '../src/collection/identifier.ts';
import { placeholder, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { moves } from '../src/db/tables.ts';
import { noteMove } from './begin.ts';
import { isOurRun, moveIs, out } from './conditions.ts';
import { endFreezes } from './freeze.ts';
import type { Move } from './move.ts';
import type { Run } from './run.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/**
 * Gives a move up, unless it is committed: nothing has changed for its clients. Further calls of `advance` delete the copy.
 * @param reason for the audit trail
 * @param run only if this run still has the move
 * @returns whether it is given up; if not, it is committed, or another move of the brand has begun
 */
export async function abortMove(
  source: Database,
  { brandId, id }: Move,
  reason: string,
  run?: Pick<Run, 'attempt'>,
): Promise<boolean> {
  const isOpen = run ? sql`${out('copying')} and ${isOurRun}` : out('copying');
  const values = { brand: brandId, move: id, reason, act: newId(), attempt: run?.attempt ?? 0 };
  const aborted = moveIs(out('aborted'));
  const { rows } = await transact(source, values, [
    sql`update ${moves} set reason = ${placeholder('reason')} where ${isOpen}`,
    noteMove('brand.move.abort', isOpen),
    sql`update ${moves} set state = 'aborted', changed_at = ${now} where ${isOpen}`,
    ...endFreezes(out('aborted')),
    sql`select ${aborted} as is_aborted`,
  ]);
  return rows.at(-1)?.[0]?.['is_aborted'] === 1;
}
