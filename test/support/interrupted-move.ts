import { expect } from 'vitest';
import type { Limits, Move } from '../../mover/index.ts';
import { advance } from '../../mover/index.ts';
import { interceptD1 } from './d1.ts';
import { D1_ERRORS, d1Error } from './faults.ts';
import { SMALL, sourceOf, targetOf } from './moves.ts';

/** What happens to a call of the mover: it fails before it arrives, its answer is lost, or it arrives late. */
export type Fault = 'before' | 'lost' | 'late';

/** What happens during a move. */
export interface Interruption {
  /** The number of the call, from 1 on. */
  readonly at: number;
  readonly fault?: Fault;
  /** A late call arrives before the call that is so many after it, or after the last one. */
  readonly delay?: number;
  /** What others do before the call. */
  readonly act?: () => Promise<void>;
  /** What others do before each call. */
  readonly always?: () => Promise<void>;
}

/** Expects that no two databases accept keys of the brand. */
async function expectOneHome(move: Move): Promise<void> {
  const live = await Promise.all(
    [sourceOf(move), targetOf(move)].map((db) =>
      db
        .prepare('select 1 from api_keys where brand_id = ? and moved_to is null limit 1')
        .bind(move.brandId)
        .all(),
    ),
  );
  expect(live.filter(({ results }) => results.length > 0).length).toBeLessThanOrEqual(1);
}

/** How a move went. */
export interface Driven {
  /** The number of calls that the mover made. */
  readonly calls: number;
  /** Lets a late call arrive that has not yet. */
  readonly arrive: () => Promise<void>;
}

/** More runs than any move of the tests takes. */
const MOST_RUNS = 200;

/** Drives a move to its end, with an interruption: each failure ends a run, and the next one goes on. */
export async function driveThrough(
  move: Move,
  { at, fault, delay = Infinity, act, always }: Interruption,
  limits: Partial<Limits> = {},
): Promise<Driven> {
  let calls = 0;
  let held: (() => Promise<unknown>) | undefined;
  const arrive = async (): Promise<void> => {
    const late = held;
    held = undefined;
    // Nobody waits for its answer.
    await late?.().catch(() => undefined);
  };
  const between = (db: D1Database): D1Database =>
    interceptD1(db, async (call) => {
      const number = ++calls;
      await always?.();
      if (number === at + delay) await arrive();
      if (number !== at) return call();
      await act?.();
      if (fault === 'late') held = call;
      if (fault === 'lost') await call();
      if (fault !== undefined) throw d1Error(D1_ERRORS.passing[0]);
      return call();
    });
  const [source, target] = [between(sourceOf(move)), between(targetOf(move))];
  for (let runs = 0; runs < MOST_RUNS; runs++) {
    const progress = await advance(source, target, move, { limits: { ...SMALL, ...limits } }).catch(
      (error: unknown) => {
        if (error instanceof Error && error.message.includes(D1_ERRORS.passing[0]))
          return undefined;
        throw error;
      },
    );
    // Each call is the last one of a run once, so this sees the databases after each.
    await expectOneHome(move);
    if (progress !== undefined && progress.next !== 'again') return { calls, arrive };
  }
  throw new Error('The move does not end.');
}
