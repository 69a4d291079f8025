import * as fc from 'fast-check';
import type { Fault } from './faults.ts';
import { D1_ERRORS } from './faults.ts';
import type { CollectionPath, Ending } from './follower.ts';

// What writers and followers do at the same time, drawn by fast-check. Everything that is drawn follows from the seed; how
// the calls to D1 interleave does not wholly.

type Fields = Readonly<Record<string, unknown>>;

/** What a writer does next. */
export interface Write {
  readonly path: CollectionPath;
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

// Few values, so that pushes find resources, sometimes several, and codes are taken.
const pool = (prefix: string, size: number): fc.Arbitrary<string> =>
  fc.nat(size - 1).map((n) => `${prefix}${n}`);

const FIELDS: Readonly<Record<CollectionPath, fc.Arbitrary<Fields>>> = {
  products: fc.record(
    {
      title: pool('Title ', 3),
      priceCents: fc.nat(2),
      sku: fc.option(pool('SKU-', 30)),
      handle: pool('handle-', 30),
      storeProductId: fc.option(pool('gid://store/Product/', 30)),
      storeVariantId: fc.option(pool('gid://store/Variant/', 30)),
    },
    { requiredKeys: [] },
  ),
  'coupon-codes': fc.record(
    {
      code: fc.oneof(pool('CODE-', 30), pool('code-', 30)),
      discountPercent: fc.integer({ min: 1, max: 2 }),
      storeDiscountId: fc.option(pool('gid://store/Discount/', 30)),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
};

/** The fields that a POST needs. */
export const NEEDED: Readonly<Record<CollectionPath, (unique: string) => Fields>> = {
  products: () => ({ title: 'Product', priceCents: 1 }),
  'coupon-codes': (unique) => ({ code: `CODE-${unique}`, discountPercent: 1 }),
};

const MATCHES: Readonly<Record<CollectionPath, readonly string[]>> = {
  products: ['id', 'storeProductId', 'storeVariantId', 'sku', 'handle'],
  'coupon-codes': ['id', 'code', 'storeDiscountId'],
};

const fault: fc.Arbitrary<Fault> = fc.record({
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...D1_ERRORS.passing) },
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

/** Anything that a writer can do. */
export const write: fc.Arbitrary<Write> = fc
  .constantFrom<CollectionPath>('products', 'coupon-codes')
  .chain((path) =>
    fc.record({
      path: fc.constant(path),
      operation: fc.constantFrom<Write['operation']>(
        ...(['create', 'create many', 'push', 'push', 'push'] as const),
        ...(['PUT', 'PATCH', 'PATCH', 'DELETE', 'DELETE', 'DELETE'] as const),
      ),
      items: fc.array(FIELDS[path], { minLength: 1, maxLength: 5 }),
      targets: fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      match: fc.constantFrom(...MATCHES[path]),
      prefer: fc.subarray(['handling=lenient', 'return=minimal']),
      isKeyed: seldom,
      isGuarded: seldom,
      disturbance,
    }),
  );

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
