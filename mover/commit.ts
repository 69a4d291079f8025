import { newId } from '../src/collection/identifier.ts';
import { placeholder, raw, sql } from '../src/db/sql.ts';
import { now } from '../src/db/statement.ts';
import { apiKeys, moves } from '../src/db/tables.ts';
import { noteMove } from './begin.ts';
import { brand, into, isAway, isOurRun, moveId, moveIs, out, selectMove } from './conditions.ts';
import { countFreezes } from './freeze.ts';
import type { Move } from './move.ts';
import type { Rest } from './rest.ts';
import { countedSince, stateOf } from './rest.ts';
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

/** What a brand was when it left its source. */
export type Departed = Pick<Rest, 'state' | 'since'>;

/** Reads what a brand was when it left: nothing changes in the source any more. */
export async function readDeparted(run: Run): Promise<Departed> {
  const { rows } = await transact(run.source, valuesOf(run), [
    sql`select *, ${stateOf(run.lists, raw('since'))} as state from (select ${countedSince} as since)`,
  ]);
  const [row = {}] = rows[0] ?? [];
  return { state: String(row['state']), since: String(row['since']) };
}

/** The target does not have what the source has committed, as after a restore of one of them. */
export class NotArrived extends Error {
  constructor({ brandId, source, target }: Move) {
    super(
      `Database ${target} does not have what the brand ${brandId} was when it left database ${source}, as after a restore. See database check.`,
    );
    this.name = 'NotArrived';
  }
}

/**
 * Makes the brand at home in the target: its keys are live there. Only after the source has committed, which is final, so
 * no attempt is compared. The copy is: a restore of the target may have undone a part of it.
 * @throws NotArrived if the target does not have the brand
 */
export async function settle(run: Run, { state, since }: Departed): Promise<void> {
  const values = { ...valuesOf(run), since, copiedState: state };
  const isCopied = sql`${into('copying')} and ${stateOf(run.lists, placeholder('since'))} = ${placeholder('copiedState')}`;
  const generation = placeholder('generation');
  const { rows } = await transact(run.target, values, [
    sql`update ${moves} set state = 'home', changed_at = ${now} where ${isCopied}`,
    sql`update ${apiKeys} set moved_to = null where ${apiKeys.brandId} = ${brand} and ${moveIs(into('home'))}`,
    // It may have moved on since then, or have been deleted. If it has moved on, a redirection has given both rows the same
    // generation.
    sql`select 1 from ${moves} where ${moves.brandId} = ${brand} and (${moves.generation} > ${generation}
      or ${moves.generation} = ${generation} and (${moves.state} = 'home' or ${moves.id} <> ${moveId}))`,
  ]);
  if (rows.at(-1)?.length !== 1) throw new NotArrived(run.move);
}

/**
 * Points the keys that the brand has left in another database at the target, if this is its newest move. So they need one
 * call more, and not one for each move.
 */
export async function redirect(other: Database, move: Move): Promise<void> {
  const values = {
    ...{ brand: move.brandId, target: move.target, generation: move.generation },
  };
  // The row of a brand that was deleted here, and imported elsewhere since then, stays as it is.
  const isOlder = sql`${moves.brandId} = ${brand} and ${moves.generation} < ${placeholder('generation')} and ${isAway}`;
  await transact(other, values, [
    sql`update ${apiKeys} set moved_to = ${placeholder('target')}
      where ${apiKeys.brandId} = ${brand} and ${apiKeys.movedTo} is not null and ${moveIs(isOlder)}`,
    sql`update ${moves} set generation = ${placeholder('generation')} where ${isOlder}`,
  ]);
}
