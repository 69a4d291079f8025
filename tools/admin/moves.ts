import { setTimeout } from 'node:timers/promises';
import type { Database, Move, Status } from '../../mover/index.ts';
import {
  abortMove,
  advance,
  beginMove,
  newestMove,
  openMove,
  readStatus,
  redirect,
} from '../../mover/index.ts';
import { classify } from '../../src/db/d1-failure.ts';
import { AdminError } from './admin-error.ts';
import { inGroups } from './pages.ts';

/** The local databases, open for the mover. */
export interface LocalDatabases {
  readonly numbers: readonly number[];
  /** @throws AdminError if the configuration has none with this number */
  readonly at: (number: number) => Pick<D1Database, 'prepare' | 'batch'>;
  readonly close: () => Promise<void>;
}

/** The databases between which a brand moves, and what moves it. */
export interface Mover {
  readonly numbers: readonly number[];
  /** @throws AdminError if the configuration has none with this number */
  readonly at: (number: number) => Database;
  /** Whether a settled move goes on without a command, to delete the old data. */
  readonly tidiesAlone: boolean;
  /** Does something that has the same effect twice, again if a database was busy. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
  /** Goes on with a move until there is nothing to do at once. */
  readonly drive: (move: Move, report: Report) => Promise<void>;
}

/** A move as the commands show it. */
export interface ShownMove {
  readonly brandId: string;
  readonly from: number;
  readonly to: number;
  readonly state: Status['state'];
  /** What was copied. */
  readonly rows: number;
  readonly bytes: number;
  readonly seconds: number;
  /** How often something had changed when the move was to be committed. */
  readonly failedCommits: number;
  /** For how long writes were refused. */
  readonly frozenSeconds: number;
  /** Why it was given up. */
  readonly reason: string | null;
  /** The instance of the Workflow that drives it. */
  readonly instance: string | null;
}

/** Takes how far a move is, from time to time. */
export type Report = (move: Move, copiedRows: number) => Promise<void>;

/** Which brand moves where. */
export interface Order {
  readonly brandId: string;
  readonly to: number;
  readonly actor: string;
  /** Returns the number of the database where a brand is at home. */
  readonly findHome: (brandId: string) => Promise<number>;
}

/** The old data is deleted after seven days. If it is still there after eight, what drives the move has ended. */
const TIDIED_AFTER = 8 * 86_400;

/**
 * Moves a brand to another database, with all that it has. Its clients go on working meanwhile. Moves that broke off go on
 * first.
 * @returns what the move took; undefined if the brand was there already
 * @throws AdminError if it is too busy, or if the target has no room
 */
export async function moveBrand(
  mover: Mover,
  { brandId, to, actor, findHome }: Order,
  report: Report,
): Promise<ShownMove | undefined> {
  let done: ShownMove | undefined;
  // Refused before anything is done.
  mover.at(to);
  const begun = await inGroups(mover.numbers, (number) =>
    mover.patiently(() => openMove(mover.at(number), number, brandId)),
  );
  for (const move of begun.flatMap((found) => found ?? [])) {
    const status = await statusOf(mover, move);
    if (status === undefined) continue;
    if (mover.tidiesAlone && status.state === 'settled' && status.age < TIDIED_AFTER) continue;
    await mover.drive(move, report);
    if (status.state !== 'settled' && move.target === to) done = await settled(mover, move);
  }
  const source = await mover.patiently(() => findHome(brandId));
  if (source === to) return done;
  const plan = { brandId, source, target: to, actor };
  const move = await mover.patiently(() => beginMove(mover.at(source), plan));
  if (move?.target !== to) {
    throw new AdminError(
      `The brand ${brandId} is being deleted, or has begun another move at this moment. Try again.`,
    );
  }
  await mover.drive(move, report);
  return settled(mover, move);
}

/** @throws AdminError if it is not settled */
async function settled(mover: Mover, move: Move): Promise<ShownMove> {
  const shown = await show(mover, move);
  if (shown.state === 'settled' || shown.state === 'tidied') return shown;
  throw new AdminError(
    shown.state === 'copying'
      ? `The brand ${move.brandId} changes too often at this moment. It is still in database ${move.source}; try again.`
      : `The move was given up: ${shown.reason ?? ''} The brand ${move.brandId} is still in database ${move.source}.`,
  );
}

/**
 * Returns where the newest move of a brand is.
 * @throws AdminError if there is none
 */
export async function showNewestMove(mover: Mover, brandId: string): Promise<ShownMove> {
  return show(mover, await findNewestMove(mover, brandId));
}

/**
 * Gives a move up, and lets the copy be deleted.
 * @throws AdminError if there is none, or if it is committed
 */
export async function abortNewestMove(
  mover: Mover,
  brandId: string,
  report: Report,
): Promise<ShownMove> {
  const move = await findNewestMove(mover, brandId);
  const { state } = await show(mover, move);
  if (state === 'over') return show(mover, move);
  const reason = 'The operator has given it up.';
  if (!(await mover.patiently(() => abortMove(mover.at(move.source), move, reason)))) {
    throw new AdminError(
      `The move is committed: the brand ${brandId} is in database ${move.target}. The way back is another move: --to ${move.source}.`,
    );
  }
  await mover.drive(move, report);
  return show(mover, move);
}

/** @throws AdminError if there is none */
async function findNewestMove(mover: Mover, brandId: string): Promise<Move> {
  const found = await inGroups(mover.numbers, (number) =>
    mover.patiently(() => newestMove(mover.at(number), number, brandId)),
  );
  const [newest] = found
    .flatMap((move) => move ?? [])
    // A redirection gives all rows of a brand the same generation. Later ids are greater.
    .sort((one, other) => other.generation - one.generation || (one.id < other.id ? 1 : -1));
  if (newest === undefined) throw new AdminError(`The brand ${brandId} has not been moved.`);
  return newest;
}

async function statusOf(mover: Mover, move: Move): Promise<Status | undefined> {
  return mover.patiently(() => readStatus(mover.at(move.source), mover.at(move.target), move));
}

/** @throws AdminError if another move has begun */
async function show(mover: Mover, move: Move): Promise<ShownMove> {
  const status = await statusOf(mover, move);
  if (status === undefined)
    throw new AdminError('Another move has begun at this moment. Try again.');
  const { state, seconds, failedCommits, frozenSeconds, reason } = status;
  return {
    ...{ brandId: move.brandId, from: move.source, to: move.target, state },
    ...{ rows: status.copiedRows, bytes: status.copiedBytes, seconds: rounded(seconds) },
    ...{ failedCommits, frozenSeconds: rounded(frozenSeconds), reason, instance: status.driver },
  };
}

function rounded(seconds: number): number {
  return Number(seconds.toFixed(1));
}

/**
 * How long something is tried again, in milliseconds: another process, such as `npm run dev`, may be writing to the same
 * files, and SQLite does not wait for it here.
 */
const PATIENCE = 60_000;
const LONGEST_WAIT = 300;

/** Moves brands between local databases, in this process. */
export function localMover({ numbers, at }: LocalDatabases): Mover {
  return {
    numbers,
    at,
    tidiesAlone: false,
    patiently,
    drive: async (move, report) => {
      const [source, target] = [at(move.source), at(move.target)];
      for (;;) {
        const step = await patiently(() => advance(source, target, move));
        await report(move, step.copiedRows);
        if (step.next === 'again') continue;
        if (!step.isSettled) return;
        break;
      }
      // Keys that the brand has left elsewhere lead to it directly.
      for (const number of numbers) {
        if (number === move.source || number === move.target) continue;
        await patiently(() => redirect(at(number), move));
      }
    },
  };
}

/** @throws AdminError if the failures of a database do not pass */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
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
