import * as fc from 'fast-check';
import type { Kind } from './model.ts';
import { COLLECTIONS } from './model.ts';

/** One request, with everything of it drawn by fast-check. */
export interface Step {
  readonly who: 0 | 1;
  readonly kind: Kind | 'profile';
  readonly action: 'create' | 'find' | 'list' | 'PUT' | 'PATCH' | 'DELETE';
  /** Which of the ids known so far, of either brand; beyond them, one that nothing has. */
  readonly target: number;
  readonly body: unknown;
}

// MARK becomes the marker of the brand that sends it: nothing of it may ever reach the other.
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }).map((end) => `MARK${end}`) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      'x'.repeat(255),
      'x'.repeat(256),
      'e\u0301',
      "'; --",
      '\ud800',
      'a\u0000b',
    ),
  },
);
const wrong = fc.oneof(
  fc.constantFrom(null, true, '1', 1.5, -1, [], {}, 1e21, Number.MAX_SAFE_INTEGER),
  fc.jsonValue({ maxDepth: 2 }),
);
const cents = fc.oneof(
  { weight: 5, arbitrary: fc.nat() },
  { weight: 1, arbitrary: fc.constantFrom(9_999_999_999, 10_000_000_000, -1, 0.5) },
);
const percent = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100) },
  { weight: 1, arbitrary: fc.constantFrom(100.01, 0.001, -0.01, 33.333) },
);
const count = fc.oneof(
  { weight: 5, arbitrary: fc.nat() },
  {
    weight: 1,
    arbitrary: fc.constantFrom(2_147_483_647, 2_147_483_648, -2_147_483_647, -2_147_483_648),
  },
);

const VALUES: Record<Kind | 'profile', Record<string, fc.Arbitrary<unknown>>> = {
  products: {
    title: text,
    priceCents: cents,
    sku: fc.option(text),
    currencyCode: fc.constantFrom('USD', 'EUR', 'JPY', 'usd', 'ZZZ'),
    discountPercent: percent,
    featured: fc.boolean(),
    serviceListingStatus: fc.constantFrom('DRAFT', 'LIVE', 'ARCHIVED', 'live', 'GONE'),
    storeInventoryQuantity: count,
    lastSyncError: fc.option(text),
  },
  'coupon-codes': {
    // Few, so that they collide, in other cases too.
    code: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom('MARKa', 'MARKA', 'MARKb', 'SAVE', 'save', ' MARKb '),
      },
      { weight: 1, arbitrary: text },
    ),
    discountPercent: percent,
    active: fc.boolean(),
    currentUses: count,
    maxUses: fc.option(count),
    description: text,
    category: fc.constantFrom('OTHER', 'A1', 'other', '1A', ''),
  },
  widgets: {
    name: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('MARKa', 'MARKA', 'gear', 'Gear', ' MARKb ') },
      { weight: 1, arbitrary: text },
    ),
    size: count,
    colour: fc.option(text),
  },
  profile: {
    brandName: text,
    contactName: fc.option(text),
    cartMinimumCents: cents,
    description: text,
  },
};

/** A body with some of the fields, nearly always good: now and then a wrong value, an unknown or a read-only field. */
function body(kind: Kind | 'profile'): fc.Arbitrary<unknown> {
  const { required } = COLLECTIONS[kind];
  const fields = fc.record(VALUES[kind], { requiredKeys: [] });
  const needed = fc.record(
    Object.fromEntries(required.map((name) => [name, VALUES[kind][name] ?? text])),
  );
  const odd = fc.dictionary(
    fc.constantFrom(...Object.keys(VALUES[kind]), 'brandId', 'Title'),
    wrong,
    { maxKeys: 1 },
  );
  const ignored = fc.record(
    { id: fc.jsonValue(), createdAt: text, updatedAt: wrong },
    { requiredKeys: [] },
  );
  const most = fc.tuple(fields, needed).map((parts): unknown => Object.assign({}, ...parts));
  return fc.oneof(
    { weight: 10, arbitrary: most },
    { weight: 4, arbitrary: fields },
    {
      weight: 2,
      arbitrary: fc.tuple(most, odd).map((parts): unknown => Object.assign({}, ...parts)),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(most, ignored).map((parts): unknown => Object.assign({}, ...parts)),
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

/**
 * Any request of either brand: valid, nearly valid, or nonsense.
 * @param kinds of resources, the oftener the likelier
 */
export function stepOf(...kinds: readonly Step['kind'][]): fc.Arbitrary<Step> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      who: fc.constantFrom<0 | 1>(0, 1),
      kind: fc.constant(kind),
      action: fc.constantFrom<Step['action']>(
        'create',
        'create',
        'find',
        'list',
        'PUT',
        'PATCH',
        'DELETE',
      ),
      target: fc.nat(20),
      body: body(kind),
    }),
  );
}
