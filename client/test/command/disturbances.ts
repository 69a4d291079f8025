import fc from 'fast-check';
import { expect, inject } from 'vitest';
import type { AnyResource } from '../../src/stores/source.ts';
import type { Finished } from '../../../test/node/processes.ts';

// A store whose lists and answers are disturbed in every way that its stand-in knows: nothing is deleted that the store has, and no
// night is called good that did not see everything, or does not name what it did not see.

/** How a store is disturbed. Its entries are numbers from 0: what becomes one resource each. */
export interface Disturbance<Fault, Own> {
  /** The options of the sync. */
  readonly words: readonly string[];
  /** What no list gives, and whether the store counts it all the same. */
  readonly hidden: readonly number[];
  readonly isCounted: boolean;
  /** What is really gone, and how many requests of the night see it still. */
  readonly gone: readonly number[];
  readonly seenBy: number;
  /** Whose ids somebody has edited in the service. */
  readonly edited: readonly number[];
  readonly fault: Fault | null;
  /** What is no fault, and this store's own. */
  readonly own: Own;
}

/** A store, and the service that has all of it. */
export interface DisturbedStore {
  readonly resources: () => Promise<readonly AnyResource[]>;
  readonly sync: (words: readonly string[]) => Promise<Finished>;
  /** What a resource stands for. Nothing that `edit` changes decides it. */
  readonly identityOf: (resource: AnyResource) => string;
  /** Changes an id of a resource by which it is not matched. */
  readonly edit: (resource: AnyResource) => Promise<unknown>;
  /** Changes each entry in the store, and begins the disturbance. */
  readonly disturb: () => void;
  /** Whether a resource has the change. */
  readonly isFresh: (resource: AnyResource) => boolean;
  /** What the store has now, by its identity. */
  readonly there: () => ReadonlySet<string>;
}

/** A kind of store, and of what it has. */
export interface Kind<Fault, Own> {
  /** The options with which it is synced. */
  readonly words: readonly (readonly string[])[];
  readonly entries: number;
  readonly faults: readonly Fault[];
  readonly own: fc.Arbitrary<Own>;
  readonly start: (how: Disturbance<Fault, Own>) => Promise<DisturbedStore>;
}

export const PRODUCT_WORDS = [
  [],
  ['--match', 'sku'],
  ['--match', 'handle'],
  ['--variants', 'first'],
  ['--variants', 'first', '--match', 'storeProductId'],
  ['--variants', 'first', '--match', 'handle'],
];

export const CODE_WORDS = [
  ['--collection', 'coupon-codes'],
  ['--collection', 'coupon-codes', '--match', 'storeDiscountId'],
];

/** Each kind of night must come up, or the test says nothing. */
type Nights = Record<'good' | 'bad' | 'deleting', number>;

/** Lets nights of a kind of store be disturbed. */
export async function expectNothingLost<Fault, Own>(kind: Kind<Fault, Own>): Promise<void> {
  const { runs, seed } = inject('fuzz');
  const some = fc.subarray(Array.from({ length: kind.entries }, (_, entry) => entry));
  const few = fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, some);
  const nights: Nights = { good: 0, bad: 0, deleting: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        words: fc.constantFrom(...kind.words),
        hidden: few,
        isCounted: fc.boolean(),
        gone: few,
        seenBy: fc.oneof(fc.constant(0), fc.nat(6)),
        edited: few,
        fault: fc.option(fc.constantFrom(...kind.faults), { freq: 2 }),
        own: kind.own,
      }),
      (how) => tryNight(kind, how, nights),
    ),
    { numRuns: runs, seed },
  );
  if (runs >= 40)
    expect(Math.min(...Object.values(nights)), JSON.stringify(nights)).toBeGreaterThan(0);
}

async function tryNight<Fault, Own>(
  { start }: Kind<Fault, Own>,
  how: Disturbance<Fault, Own>,
  nights: Nights,
): Promise<void> {
  const { resources, sync, identityOf, edit, disturb, isFresh, there } = await start(how);
  expect(await sync(how.words)).toMatchObject({ code: 0 });
  const before = await resources();
  for (const entry of how.edited) {
    const one = before[entry];
    if (one !== undefined) await edit(one);
  }
  disturb();

  const words = [...how.words, '--json', '--delete', '--max-delete', '100%'];
  const { code, stdout } = await sync(words);

  const [has, left] = [there(), await resources()];
  const leftIds = new Set(left.map(({ id }) => id));
  const isLost = (one: AnyResource): boolean => has.has(identityOf(one)) && !leftIds.has(one['id']);
  expect(before.filter(isLost)).toEqual([]);
  const fresh = new Set(left.filter(isFresh).map(identityOf));
  const isUnseen = (one: AnyResource): boolean =>
    has.has(identityOf(one)) && !fresh.has(identityOf(one)) && !stdout.includes(String(one['id']));
  if (code === 0) expect(before.filter(isUnseen)).toEqual([]);
  const isQuiet =
    [how.hidden, how.edited].every(({ length }) => length === 0) && how.fault === null;
  if (isQuiet && how.seenBy === 0 && has.size > 0) {
    expect([code, stdout]).toEqual([0, stdout]);
    const due = before.map(identityOf).filter((one) => has.has(one));
    expect(new Set(left.map(identityOf))).toEqual(new Set(due));
  }
  if (code === 0) nights.good++;
  else nights.bad++;
  if (left.length < before.length) nights.deleting++;
}
