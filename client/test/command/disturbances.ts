import fc from 'fast-check';
import { expect } from 'vitest';
import type { AnyResource } from '../../src/stores/source.ts';
import type { Finished } from '../../../test/node/processes.ts';
import { random } from '../../../test/support/random.ts';

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
  /** What goes wrong in each of some nights. The last night has none. */
  readonly faults: readonly Fault[];
  /** What is no fault, and this store's own. */
  readonly own: Own;
}

/** A store, and the service that has all of it. */
export interface DisturbedStore<Fault> {
  readonly resources: () => Promise<readonly AnyResource[]>;
  readonly sync: (words: readonly string[]) => Promise<Finished>;
  /** What a resource stands for. Nothing that `edit` changes decides it. */
  readonly identityOf: (resource: AnyResource) => string;
  /** Changes an id of a resource by which it is not matched, if another one can find it still. */
  readonly edit: (resource: AnyResource) => Promise<unknown>;
  /** Changes each entry in the store, and begins the disturbance, of which faults are a part that ends. */
  readonly disturb: () => void;
  /** Whether a fault of a list has come since it was set after which no night is good. */
  readonly hasFailed: () => boolean;
  /** Whether the store counts something now that it does not give. */
  readonly isShort: () => boolean;
  readonly setFault: (fault: Fault | null) => void;
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
  /** Those that take seconds. */
  readonly slowFaults: readonly Fault[];
  readonly own: fc.Arbitrary<Own>;
  readonly start: (how: Disturbance<Fault, Own>) => Promise<DisturbedStore<Fault>>;
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

/** Lets nights of a kind of store be disturbed. */
export async function expectNothingLost<Fault, Own>(kind: Kind<Fault, Own>): Promise<void> {
  const entries = Array.from({ length: kind.entries }, (_, entry) => entry);
  const some = fc.subarray(entries, { minLength: 1, maxLength: Math.floor(kind.entries / 2) });
  const oftenSome = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: some },
  );
  const fault = fc.oneof(
    { weight: 99, arbitrary: fc.constantFrom(...kind.faults) },
    { weight: 1, arbitrary: fc.constantFrom(...kind.slowFaults, ...kind.faults.slice(0, 1)) },
  );
  const nights: Nights = { good: 0, bad: 0, deleting: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        words: fc.constantFrom(...kind.words),
        hidden: oftenSome,
        isCounted: fc.boolean(),
        gone: oftenSome,
        seenBy: fc.oneof(fc.constant(0), fc.nat(6)),
        edited: oftenSome,
        faults: fc.array(fault, { maxLength: 4 }),
        own: kind.own,
      }),
      (how) => tryNights(kind, how, nights),
    ),
    random(20),
  );
  expect(Math.min(...Object.values(nights)), JSON.stringify(nights)).toBeGreaterThan(0);
}

/** Each kind of night must come up, or the test says nothing. */
type Nights = Record<'good' | 'bad' | 'deleting', number>;

async function tryNights<Fault, Own>(
  { start }: Kind<Fault, Own>,
  how: Disturbance<Fault, Own>,
  nights: Nights,
): Promise<void> {
  const store = await start(how);
  const { resources, sync, identityOf, isFresh, there } = store;
  expect(await sync(how.words)).toMatchObject({ code: 0 });
  const before = await resources();
  for (const entry of how.edited) {
    const one = before[entry];
    if (one !== undefined) await store.edit(one);
  }
  store.disturb();

  const words = [...how.words, '--json', '--delete', '--max-delete', '100%'];
  for (const fault of [...how.faults, null]) {
    store.setFault(fault);
    const { code, stdout } = await sync(words);

    const [has, left] = [there(), await resources()];
    const ids = new Set(left.map(({ id }) => id));
    const due = before.filter((one) => has.has(identityOf(one)));
    expect(due.filter(({ id }) => !ids.has(id))).toEqual([]);
    if (store.hasFailed() || store.isShort()) expect([code, stdout]).toEqual([1, stdout]);
    const fresh = new Set(left.filter(isFresh).map(identityOf));
    const unseen = due.filter((one) => !fresh.has(identityOf(one)));
    const unnamed = unseen.filter(({ id }) => !stdout.includes(id));
    if (code === 0) expect(unnamed).toEqual([]);
    const isQuiet = fault === null && how.hidden.length + how.edited.length + how.seenBy === 0;
    if (isQuiet && due.length > 0) {
      expect([code, stdout]).toEqual([0, stdout]);
      expect(new Set(left.map(identityOf))).toEqual(new Set(due.map(identityOf)));
    }
    nights[code === 0 ? 'good' : 'bad']++;
    if (left.length < before.length) nights.deleting++;
  }
}
