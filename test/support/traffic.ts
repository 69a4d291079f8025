import * as fc from 'fast-check';
import { collectionAt, collections } from './collections.ts';
import type { Fields, TestCollection } from './collections/collection.ts';
import type { Fault } from './faults.ts';
import { D1_ERRORS } from './faults.ts';
import type { Ending } from './follower.ts';

// What writers and followers do at the same time, drawn by fast-check. Everything that is drawn follows from the seed; how
// the calls to D1 interleave does not wholly.

/** What a writer does next. */
export interface Write {
  /** The path of a collection. */
  readonly path: string;
  readonly operation: 'create' | 'create many' | 'push' | 'PUT' | 'PATCH' | 'DELETE';
  /** Fields for the bodies. */
  readonly items: readonly Fields[];
  /** Which of the resources that are known. */
  readonly targets: readonly number[];
  /** The field by which a push finds resources. */
  readonly match: string;
  /** The values of `Prefer` in a push. */
  readonly prefer: readonly string[];
  /** Whether a POST has an `Idempotency-Key`, and is sent again. */
  readonly isKeyed: boolean;
  /** Whether the resource is read first, and its entity tag sent as `If-Match`. */
  readonly isGuarded: boolean;
  readonly disturbance: Disturbance;
}

/** What D1 does to a request. */
export interface Disturbance {
  /** Milliseconds before a call to D1 takes effect, and again before it answers. */
  readonly delay: number;
  readonly fault: Fault | undefined;
}

/** What a follower does next. */
export interface Poll {
  readonly ending: Ending;
  /** For how many steps of the writers it stops afterwards. */
  readonly pause: number;
  readonly disturbance: Disturbance;
}

/** Some of the fields that a POST needs and of those that pushes match by, with few values. */
function fieldsOf({ bare, values, defaults, key, isUnique }: TestCollection): fc.Arbitrary<Fields> {
  const drawn: Record<string, fc.Arbitrary<unknown>> = {};
  for (const name of Object.keys(bare(1))) {
    drawn[name] = fc.constantFrom(...[1, 2, 3].map((n) => bare(n)[name]));
  }
  for (const [name, value] of Object.entries(values)) {
    const known = fc.nat(29).map(value);
    const inAnyCase = isUnique && name === key ? fc.oneof(known, known.map(inLowerCase)) : known;
    drawn[name] = defaults[name] === null ? fc.option(inAnyCase) : inAnyCase;
  }
  return fc.record(drawn, { requiredKeys: [] });
}

const inLowerCase = (text: string): string => text.toLowerCase();

const fault: fc.Arbitrary<Fault> = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...D1_ERRORS.notBegun, ...D1_ERRORS.lost) },
    { weight: 1, arbitrary: fc.constantFrom(...D1_ERRORS.overload, ...D1_ERRORS.bug) },
  ),
  moment: fc.constantFrom('before', 'after'),
  times: fc.integer({ min: 1, max: 3 }),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.record({
  delay: fc.nat(3),
  fault: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fault },
  ),
});

const seldom = fc.nat(2).map((n) => n === 0);

/** Anything that a writer can do. Few values, so that pushes find resources, sometimes several, and keys are taken. */
export const write: fc.Arbitrary<Write> = fc
  .constantFrom(...collections.map(({ path }) => path))
  .chain((path) => {
    const of = collectionAt(path);
    return fc.record({
      path: fc.constant(path),
      operation: fc.constantFrom<Write['operation']>(
        ...(['create', 'create many', 'push', 'push', 'push'] as const),
        ...(['PUT', 'PATCH', 'PATCH', 'DELETE', 'DELETE', 'DELETE'] as const),
      ),
      items: fc.array(fieldsOf(of), { minLength: 1, maxLength: 5 }),
      targets: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      match: fc.constantFrom('id', ...Object.keys(of.values)),
      prefer: fc.subarray(['handling=lenient', 'return=minimal']),
      isKeyed: seldom,
      isGuarded: seldom,
      disturbance,
    });
  });

/** Anything that a follower can do. */
export const poll: fc.Arbitrary<Poll> = fc.record({
  ending: fc.constantFrom<Ending>(
    'saves it',
    'saves it',
    'saves it',
    'loses it',
    'loses its token',
  ),
  pause: fc.constantFrom(0, 5, 10, 40),
  disturbance,
});
