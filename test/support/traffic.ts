import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import type { Fault } from './faults.ts';
import { D1_ERRORS, failing, slow } from './faults.ts';
import type { Ending } from './follower.ts';

// What D1 does to writers and followers, and what followers do, drawn by fast-check. Everything that is drawn follows from
// the seed; how the calls to D1 interleave does not wholly.

/** What D1 does to a request. */
export interface Disturbance {
  /** Milliseconds before a call to D1 takes effect, and again before it answers. */
  readonly delay: number;
  readonly fault: Fault | undefined;
}

export interface Poll {
  readonly ending: Ending;
  /** For how many steps of the writers it stops afterwards. */
  readonly pause: number;
  readonly disturbance: Disturbance;
}

const times = fc.integer({ min: 1, max: 3 });
const fault: fc.Arbitrary<Fault> = fc.oneof(
  // Never after the call took effect: the service repeats any write, with the ids of the first try.
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constantFrom(...D1_ERRORS.notBegun),
      moment: fc.constant('before' as const),
      times,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      text: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...D1_ERRORS.lost) },
        { weight: 1, arbitrary: fc.constantFrom(...D1_ERRORS.overload, ...D1_ERRORS.bug) },
      ),
      moment: fc.constantFrom('before', 'after'),
      times,
    }),
  },
);

export const disturbances: fc.Arbitrary<Disturbance> = fc.record({
  delay: fc.nat(3),
  fault: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fault },
  ),
});

/** Anything that a follower can do. */
export const polls: fc.Arbitrary<Poll> = fc.record({
  ending: fc.constantFrom<Ending>(
    'saves it',
    'saves it',
    'saves it',
    'loses it',
    'loses its token',
  ),
  pause: fc.constantFrom(0, 5, 10, 40),
  disturbance: disturbances,
});

/** The database as a request finds it. */
export function disturbed({ delay, fault }: Disturbance): D1Database {
  const { db } = slow(env.DB, delay);
  return fault ? failing(db, fault).db : db;
}
