import { newId } from '../src/collection/identifier.ts';
import { placeholder, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, moves } from '../src/db/tables.ts';
import { noteMove } from './begin.ts';
import { brand, into, isOurRun, moveIs, out, selectMove } from './conditions.ts';
import { countFreezes } from './freeze.ts';
import type { Move } from './move.ts';
import type { Rest } from './rest.ts';
import { stateOf } from './rest.ts';
import type { Run } from './run.ts';
import { ownRow, valuesOf } from './run.ts';
import type { Database } from './transaction.ts';
import { transact } from './transaction.ts';

/**
 * Commits the move in the source, if nothing has changed there since the rest was read: from then on its keys point to the
 * target. A frozen brand is compared too, so it never matters who has ended a freeze.
 * @returns whether it is committed; if not, something has changed
 * @throws Superseded if the run may not act any more
 */
export async function commit(run: Run, rest: Rest): Promise<boolean> {
  const values = { ...valuesOf(run), since: rest.since, copiedState: rest.state, act: newId() };
  const committed = sql`${out('gone')} and ${isOurRun}`;
  const { rows } = await transact(run.source, values, [
    sql`update ${moves} set state = 'gone', changed_at = ${now}
      where ${out('copying')} and ${isOurRun} and ${stateOf(run.lists, placeholder('since'))} = ${placeholder('copiedState')}`,
    countFreezes(committed),
    sql`update ${apiKeys} set moved_to = ${placeholder('target')}, frozen_at = null
      where ${apiKeys.brandId} = ${brand} and ${moveIs(committed)}`,
    noteMove('brand.move.done', committed),
    selectMove,
  ]);
  const row = ownRow(run, rows.at(-1));
  return row['state'] === 'gone';
}

/** Counts a commit that did not take place, because something had changed. */
export async function noteFailure(run: Run): Promise<void> {
  await transact(run.source, valuesOf(run), [
    sql`update ${moves} set failed_commits = failed_commits + 1 where ${out('copying')} and ${isOurRun}`,
  ]);
}

/**
 * Makes the brand at home in the target: its keys are live there. Only after the source has committed, which is final, so
 * no attempt is compared.
 */
export async function settle(run: Run): Promise<void> {
  await transact(run.target, valuesOf(run), [
    sql`update ${apiKeys} set moved_to = null where ${apiKeys.brandId} = ${brand} and ${moveIs(into('copying'))}`,
    sql`update ${moves} set state = 'home', changed_at = ${now} where ${into('copying')}`,
  ]);
}

/**
 * Points the keys that the brand has left in another database at the target, if this is its newest move. So they need one
 * call more, and not one for each move.
 */
export async function redirect(other: Database, move: Move): Promise<void> {
  const values = {
    ...{ brand: move.brandId, target: move.target, generation: move.generation },
  };
  const isOlder = sql`${moves.brandId} = ${brand} and ${moves.generation} < ${placeholder('generation')}`;
  await transact(other, values, [
    sql`update ${apiKeys} set moved_to = ${placeholder('target')}
      where ${apiKeys.brandId} = ${brand} and ${apiKeys.movedTo} is not null and ${moveIs(isOlder)}`,
    sql`update ${moves} set generation = ${placeholder('generation')} where ${isOlder}`,
  ]);
}
