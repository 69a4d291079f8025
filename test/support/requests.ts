import * as fc from 'fast-check';
import type { Kind } from './model-fields.ts';
import { COLLECTIONS } from './model-fields.ts';

/** A request that fast-check generates. */
export interface Step {
  readonly who: 0 | 1;
  readonly kind: Kind | 'profile';
  readonly action: 'create' | 'find' | 'list' | 'PUT' | 'PATCH' | 'DELETE' | 'push' | 'follow';
  /** The index of a known id of either brand; a higher index stands for an unknown id. */
  readonly target: number;
  readonly body: unknown;
  readonly push: Push;
  /** Of a follower, the changes to a page; undefined for the service's own number. */
  readonly limit: number | undefined;
  /** Whether a POST has an Idempotency-Key, and is sent again. */
  readonly isKeyed: boolean;
}

/** What else of a push is drawn. */
export interface Push {
  readonly match: string;
  readonly items: readonly PushItem[];
  readonly isLenient: boolean;
  readonly isMinimal: boolean;
  readonly isDryRun: boolean;
}

export interface PushItem {
  readonly body: unknown;
  /** The value of the field by which it finds a resource; `id` stands for an id, undefined for what the body has. */
  readonly value: unknown;
  readonly target: number;
}

// MARK is replaced by a marker of the sending brand, which must never appear in responses to the other brand.
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
    // Few, so that pushes find them, and several of one value.
    sku: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('MARK1', 'MARK2', ' MARK2 ', 'MARK3') },
      { weight: 1, arbitrary: fc.option(text) },
    ),
    handle: fc.constantFrom('one', 'two', 'three', 'Four', ''),
    currencyCode: fc.constantFrom('USD', 'EUR', 'JPY', 'usd', 'ZZZ'),
    discountPercent: percent,
    featured: fc.boolean(),
    serviceListingStatus: fc.constantFrom('DRAFT', 'LIVE', 'ARCHIVED', 'live', 'GONE'),
    storeInventoryQuantity: count,
    lastSyncError: fc.option(text),
  },
  'coupon-codes': {
    // Few values, so that they collide, in different cases too.
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

/** A body with some of the fields, usually valid, sometimes with a wrong value, an unknown or a read-only field. */
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

/** An item of a push: as a rule with a value of its field that resources have. */
function item(kind: Kind, match: string): fc.Arbitrary<PushItem> {
  const own = match === 'id' ? fc.constant('id') : (VALUES[kind][match] ?? text);
  return fc.record({
    // Now and then nothing but the value: an item that changes nothing.
    body: fc.oneof({ weight: 6, arbitrary: body(kind) }, { weight: 2, arbitrary: fc.constant({}) }),
    value: fc.oneof(
      { weight: 8, arbitrary: own },
      { weight: 2, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: wrong },
    ),
    target: fc.nat(20),
  });
}

function push(kind: Kind): fc.Arbitrary<Push> {
  return fc.constantFrom(...COLLECTIONS[kind].matches).chain((match) =>
    fc.record({
      match: fc.constant(match),
      items: fc.array(item(kind, match), { minLength: 1, maxLength: 4 }),
      isLenient: fc.boolean(),
      isMinimal: fc.boolean(),
      isDryRun: fc.nat(3).map((n) => n === 0),
    }),
  );
}

/**
 * Any request of either brand: valid, nearly valid, or nonsense.
 * @param kinds the kinds of resources; repeat one to make it more likely
 */
export function stepOf(...kinds: readonly Step['kind'][]): fc.Arbitrary<Step> {
  return fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      who: fc.constantFrom<0 | 1>(0, 1),
      kind: fc.constant(kind),
      action: fc.constantFrom<Step['action']>(
        ...(['create', 'create', 'find', 'list', 'PUT', 'PATCH', 'DELETE'] as const),
        ...(['push', 'push', 'follow'] as const),
      ),
      target: fc.nat(20),
      body: body(kind),
      push: push(kind === 'profile' ? 'products' : kind),
      limit: fc.constantFrom(1, 2, 250, undefined),
      isKeyed: fc.nat(3).map((n) => n === 0),
    }),
  );
}
