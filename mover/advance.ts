import type { Row } from '../src/db/statement.ts';
import { abortMove } from './abort.ts';
import type { Claimed } from './claim.ts';
import { claimSource, claimTarget, Refused } from './claim.ts';
import type { Departed } from './commit.ts';
import { commit, noteFailure, readDeparted, settle } from './commit.ts';
import { clearTarget, closeMove, dropCopy, tidySource } from './deletion.ts';
import { Freeze } from './freeze.ts';
import type { List } from './lists.ts';
import { listsOf } from './lists.ts';
import type { Cursor, Limits, Move, MoveState, Progress } from './move.ts';
import { LIMITS, parseCursor, parseState, parseVerified } from './move.ts';
import { copyPage } from './page.ts';
import { prepare, readRest } from './rest.ts';
import type { Run } from './run.ts';
import { Superseded } from './run.ts';
import type { Database } from './transaction.ts';
import { CopyDiffers, verifyPage } from './verify.ts';

/** What a run may do differently. Only tests do. */
export interface Options {
  readonly limits?: Partial<Limits>;
  readonly lists?: readonly List[];
}

/**
 * Goes on with a move: does one bounded piece of work, and returns. Call it until it is done. It may end at any point, be
 * killed, or run twice at once: all that it needs is in both databases, and each call of it begins a new run.
 *
 * After a failure, call it again: nothing is lost before the commit, and the commit is final.
 * @throws Error if a database fails
 */
export async function advance(
  source: Database,
  target: Database,
  move: Move,
  options: Options = {},
): Promise<Progress> {
  const start = Date.now();
  const step = await advanced(source, target, move, options);
  const { rest } = { ...LIMITS, ...options.limits };
  const took = Date.now() - start;
  return { ...step, rest: step.next === 'again' ? Math.min(rest * took, LONGEST_REST) : 0 };
}

/** The longest rest after a step, in milliseconds. */
const LONGEST_REST = 30_000;

type Step = Omit<Progress, 'rest'>;

async function advanced(
  source: Database,
  target: Database,
  move: Move,
  { limits, lists = listsOf() }: Options,
): Promise<Step> {
  const claimed = await claimSource(source, move);
  if (claimed === undefined) return progress('done', { state: 'over' });
  const { row } = claimed;
  const run: Run = {
    ...{ source, target, move, lists },
    limits: { ...LIMITS, ...limits },
    attempt: Number(row['attempt']),
  };
  const at: Position = { row, state: parseState(row['state']) };
  switch (at.state) {
    case 'aborted':
      return drop(run, at);
    case 'gone':
      return tidy(run, at);
    case 'copying':
      break;
    default:
      return progress('done', at);
  }
  const freeze = new Freeze(run);
  try {
    return await copy(run, claimed, at, freeze);
  } catch (error) {
    if (error instanceof Superseded) return progress('again', at);
    if (!(error instanceof CopyDiffers || error instanceof Refused)) throw error;
    return await giveUp(run, at, error.message);
  } finally {
    await freeze.end();
  }
}

/** Where a move is. */
interface Position {
  /** The move in its source. */
  readonly row?: Row;
  /** The move in its target. */
  readonly copy?: Row;
  readonly state: MoveState;
  readonly isSettled?: boolean;
  readonly failedCommits?: number;
}

function progress(
  next: Progress['next'],
  { row, copy, state, isSettled = false, failedCommits = 0 }: Position,
): Step {
  return {
    ...{ next, state, isSettled },
    copiedRows: Number(copy?.['copied_rows'] ?? 0),
    copiedBytes: Number(copy?.['copied_bytes'] ?? 0),
    failedCommits: Number(row?.['failed_commits'] ?? 0) + failedCommits,
  };
}

async function giveUp(run: Run, at: Position, reason: string): Promise<Step> {
  await abortMove(run.source, run.move, reason, run);
  return progress('again', { ...at, state: 'aborted' });
}

async function drop(run: Run, at: Position): Promise<Step> {
  if (!(await dropCopy(run))) return progress('again', at);
  await closeMove(run);
  return progress('done', { ...at, state: 'over' });
}

/** @throws NotArrived: then the source keeps what it has */
async function tidy(run: Run, at: Position): Promise<Step> {
  await settle(run, await readDeparted(run));
  const { isDue, isTidied } = await tidySource(run);
  if (isTidied) return progress('done', { ...at, state: 'tidied', isSettled: true });
  return progress(isDue ? 'again' : 'later', { ...at, isSettled: true });
}

/**
 * Copies the next page, or compares one, or commits.
 * @throws Superseded, CopyDiffers, Refused
 */
async function copy(
  run: Run,
  { profile, hasTooManyKeys }: Claimed,
  at: Position,
  freeze: Freeze,
): Promise<Step> {
  if (profile === undefined) return giveUp(run, at, 'The brand is not there.');
  if (hasTooManyKeys) {
    return giveUp(run, at, 'The brand has more keys than a move can compare at once.');
  }
  const row = await claimTarget(run, profile);
  let here: Position = { ...at, copy: row };
  if (row['state'] === 'clearing') {
    await clearTarget(run);
    return progress('again', here);
  }
  let copied = parseCursor(row['copied']);
  let verified = parseVerified(row['verified']);
  let failedCommits = 0;
  for (;;) {
    const page = await copyPage(run, copied);
    if (page.size > run.limits.full) {
      return giveUp(run, here, `Database ${run.move.target} is full.`);
    }
    copied = page.cursor;
    here = { ...here, copy: page.copy ?? row };
    const compared = await verifyPage(run, verified, copied.changes);
    verified = compared.verified;
    if ((page.isFull || compared.isFull) && !freeze.isOn) return progress('again', here);
    const departed = await finish(run, copied);
    if (departed !== undefined) {
      await settle(run, departed);
      return progress('again', { ...here, state: 'gone', isSettled: true, failedCommits });
    }
    failedCommits++;
    await noteFailure(run);
    if (!freeze.isOn && failedCommits >= run.limits.commits) await freeze.begin();
    else if (freeze.isOver) return progress('later', { ...here, failedCommits });
  }
}

/** Copies the rest and commits. Returns what the brand was; undefined if something has changed meanwhile. */
async function finish(run: Run, copied: Cursor): Promise<Departed | undefined> {
  const rest = await readRest(run, copied);
  const isBehind = run.lists.some(
    ({ path }) => (rest.heads[path] ?? 0) > (copied.changes[path] ?? 0),
  );
  if (isBehind) return undefined;
  await prepare(run, rest, copied);
  return (await commit(run, rest)) ? rest : undefined;
}
