import { setTimeout } from 'node:timers/promises';
import type { Database, Move, Progress } from '../../mover/index.ts';
import { advance, beginMove, openMoves, redirect } from '../../mover/index.ts';
import { classify } from '../../src/db/d1-failure.ts';
import { AdminError } from './admin-error.ts';

/** The local databases, open for the mover. */
export interface LocalDatabases {
  readonly numbers: readonly number[];
  /** @throws AdminError if the configuration has none with this number */
  readonly at: (number: number) => Database;
  readonly close: () => Promise<void>;
}

/** What a move took. */
export interface MovedBrand {
  readonly brandId: string;
  readonly from: number;
  readonly to: number;
  /** What was copied. */
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  /** How often something had changed when the move was to be committed. */
  readonly failedCommits: number;
}

/** Takes what a step of a move did. */
type Report = (progress: Progress) => void;

/**
 * How long something is tried again, in milliseconds: another process, such as `npm run dev`, may be writing to the same
 * files, and SQLite does not wait for it here.
 */
const PATIENCE = 60_000;
const LONGEST_WAIT = 300;

/** Goes on with the moves of a brand that broke off. */
export async function continueMoves(
  local: LocalDatabases,
  brandId: string,
  report: Report,
): Promise<void> {
  for (const number of local.numbers) {
    for (const move of await patiently(() => openMoves(local.at(number), number))) {
      if (move.brandId === brandId) await drive(local, move, report);
    }
  }
}

/**
 * Moves a brand to another database, with all that it has. Its clients go on working meanwhile.
 * @throws AdminError if it is not at home in the source, if it is too busy, or if the target has no room
 */
export async function moveBrand(
  local: LocalDatabases,
  plan: Parameters<typeof beginMove>[1],
  report: Report,
): Promise<MovedBrand> {
  const started = performance.now();
  const { brandId, source, target } = plan;
  const move = await patiently(() => beginMove(local.at(source), plan));
  if (move?.target !== target) {
    throw new AdminError(
      `The brand ${brandId} is being deleted, or has begun another move at this moment. Try again.`,
    );
  }
  const done = await drive(local, move, report);
  if (!done.isSettled) {
    throw new AdminError(
      done.next === 'later'
        ? `The brand ${brandId} changes too often at this moment. It is still in database ${source}; try again.`
        : `The move was given up: audit says why. The brand ${brandId} is still in database ${source}.`,
    );
  }
  return {
    ...{ brandId, from: source, to: target, rows: done.copiedRows, bytes: done.copiedBytes },
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    failedCommits: done.failedCommits,
  };
}

/** Goes on with a move until there is nothing to do at once. Returns the last step, and how much was copied. */
async function drive(local: LocalDatabases, move: Move, report: Report): Promise<Progress> {
  const [source, target] = [local.at(move.source), local.at(move.target)];
  // The steps after the commit say nothing of the copy.
  let copied = { copiedRows: 0, copiedBytes: 0 };
  for (;;) {
    const step = await patiently(() => advance(source, target, move));
    if (step.copiedRows > copied.copiedRows) copied = step;
    const { copiedRows, copiedBytes } = copied;
    const progress = { ...step, copiedRows, copiedBytes };
    report(progress);
    if (progress.next === 'again') continue;
    if (progress.isSettled) await patiently(() => redirectKeys(local, move));
    return progress;
  }
}

/** Lets the keys that the brand has left elsewhere lead to it directly, also those of a move that broke off after its commit. */
async function redirectKeys(local: LocalDatabases, move: Move): Promise<void> {
  for (const number of local.numbers) {
    if (number !== move.source && number !== move.target) await redirect(local.at(number), move);
  }
}

/**
 * Does something that has the same effect twice, and tries again after failures of a database that pass.
 * @throws AdminError if they do not
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AdminError || classify(error) === 'bug') throw error;
      if (Date.now() >= end) {
        throw new AdminError(
          'A local database is busy: another process, such as npm run dev, writes to it too often. Try again: a move that has begun goes on.',
        );
      }
    }
    await setTimeout(Math.random() * LONGEST_WAIT);
  }
}
