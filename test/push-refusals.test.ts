import { beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN } from './support/attack.ts';
import type { Answer } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import type { Item } from './support/push.ts';
import {
  deletion,
  fields,
  LENIENT,
  ONCE,
  newItem,
  outcomes,
  push,
  pushedOf,
  required,
  resultsOf,
} from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

/** A brand with two products of one SKU, a further one, and two coupon codes. */
async function furnished(): Promise<TestBrand> {
  const brand = await TestBrand.create();
  for (const sku of ['A-1', 'A-1', 'KNOWN']) {
    await brand.create('/products', { title: 'Known', priceCents: 1, sku, storeVariantId: sku });
  }
  for (const code of ['TAKEN', 'Known']) {
    await brand.create('/coupon-codes', { code, discountPercent: 1, storeDiscountId: code });
  }
  return brand;
}

const LINE = 'expected a string of 1 to 255 characters without control characters';
const NOT_NULL = 'expected a value other than null: it finds the resource';
const NOT_A_FIELD = 'unknown field of a deletion';
const NO_CODE = 'expected a string of 1 to 255 characters without control characters';
const price = { title: 'x', priceCents: 1 };
const drop = { sku: 'KNOWN', deleted: true };

/** By collection and match: an item, alone in its push, and what a lenient answer says of it. */
const refused: readonly (readonly [
  of: typeof products,
  match: string,
  items: readonly (readonly [item: unknown, error: string])[],
])[] = [
  [
    products,
    'sku',
    [
      [{ sku: 'KNOWN', title: '' }, `title: ${LINE}`],
      [{ sku: 'KNOWN', titel: 'x' }, 'titel: unknown field'],
      [
        { sku: 'KNOWN', priceCents: -1, featured: null },
        'priceCents: expected an integer from 0 to 999,999,999,999; featured: expected true or false',
      ],
      [{ sku: 'NEW' }, 'title: required; priceCents: required'],
      [{ sku: 'A-1', title: 'x' }, 'sku: 2 products have the value "A-1"'],
      [price, 'sku: required'],
      [{ ...price, sku: null }, `sku: ${NOT_NULL}`],
      [{ sku: 5 }, `sku: ${LINE}`],
      [{ sku: ' ' }, `sku: ${LINE}`],
      ['nonsense', 'expected a JSON object'],
      [null, 'expected a JSON object'],
      [['sku', 'KNOWN'], 'expected a JSON object'],
      // Deletions.
      ...[false, null, 1, 'true', {}, []].map(
        (deleted) => [{ ...drop, deleted }, 'deleted: expected true'] as const,
      ),
      [{ ...drop, title: 'x' }, `title: ${NOT_A_FIELD}`],
      [{ ...drop, handle: 'x' }, `handle: ${NOT_A_FIELD}`],
      [
        { ...drop, nonsense: 1, priceCents: 1 },
        `nonsense: ${NOT_A_FIELD}; priceCents: ${NOT_A_FIELD}`,
      ],
      [
        { ...drop, sourceUpdatedAt: 'yesterday' },
        'sourceUpdatedAt: expected an ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z',
      ],
      [{ deleted: true }, 'sku: required'],
      [{ sku: null, deleted: true }, `sku: ${NOT_NULL}`],
      [{ sku: '', deleted: 0 }, `sku: ${LINE}; deleted: expected true`],
      [{ sku: 'A-1', deleted: true }, 'sku: 2 products have the value "A-1"'],
    ],
  ],
  [
    products,
    'storeVariantId',
    [
      [{ storeVariantId: ' A-1 ' }, 'storeVariantId: 2 products have the value "A-1"'],
      [{ storeVariantId: 'A-1', deleted: true }, 'storeVariantId: 2 products have the value "A-1"'],
    ],
  ],
  [
    products,
    'handle',
    [
      [{ handle: 'new', title: 'x' }, 'priceCents: required'],
      [{ handle: 'known', deleted: true }, 'handle: 3 products have the value "known"'],
      [
        { handle: 'A B' },
        'handle: expected 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \\ ? # % < >',
      ],
    ],
  ],
  [
    products,
    'id',
    [
      [{ ...price, id: UNKNOWN }, `id: no product has the value "${UNKNOWN}"`],
      [price, 'id: required'],
      [{ id: null }, `id: ${NOT_NULL}`],
      [{ id: 'abc' }, 'id: expected the id of a product'],
      [{ id: UNKNOWN.toUpperCase() }, 'id: expected the id of a product'],
      [{ id: 7 }, 'id: expected the id of a product'],
    ],
  ],
  [
    couponCodes,
    'code',
    [
      [{ code: 'NEW' }, 'discountPercent: required'],
      [{ code: 'a\nb' }, `code: ${NO_CODE}`],
      [{ code: null }, `code: ${NO_CODE}`],
      [
        { code: 'TAKEN', deleted: true, sourceUpdatedAt: '2026-01-31T09:30:00Z' },
        `sourceUpdatedAt: ${NOT_A_FIELD}`,
      ],
    ],
  ],
  [
    couponCodes,
    'storeDiscountId',
    [[{ storeDiscountId: 'new' }, 'code: required; discountPercent: required']],
  ],
  [
    couponCodes,
    'id',
    [
      [{ id: UNKNOWN }, `id: no coupon code has the value "${UNKNOWN}"`],
      [{ id: 'x' }, 'id: expected the id of a coupon code'],
    ],
  ],
];

const rows = refused.flatMap(([of, match, items]) =>
  items.map(([item, error]) => ({ of, match, item, error })),
);
it.each(rows)(
  'An item is refused for each reason, and named: $match: $item',
  async ({ of, match, item, error }) => {
    const brand = await furnished();
    const before = await snapshot(brand.issued.brandId);
    const lenient = await push(brand, of, match, [item], { headers: LENIENT });
    expect(resultsOf(lenient)).toEqual([{ id: null, status: 'refused', error }]);
    expect(pushedOf(lenient, of)).toEqual([]);

    const prefixed = error
      .split('; ')
      .map((problem) =>
        /^\w+: /.test(problem) ? `${of.many}.0.${problem}` : `${of.many}.0: ${problem}`,
      )
      .join('; ');
    // Nor is a good item done that stands beside it.
    const items = [item, ...(match === 'id' ? [] : [newItem(of, match, 7)])];
    for (const headers of [{}, ONCE]) {
      const strict = await push(brand, of, match, items, { headers });
      expect([strict.status, strict.body]).toEqual([
        400,
        { error: `Invalid request: ${prefixed}` },
      ]);
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  },
);

it('An item with an id of another brand is refused as if nobody had it', async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  for (const collection of collections) {
    const { id } = await other.create(collection.path, collection.bare(1));
    const items = [{ id, [collection.note]: 'Mine' }];
    const answer = await push(brand, collection, 'id', items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual([
      `id: no ${collection.noun.toLowerCase()} has the value "${id}"`,
    ]);
    expect((await other.list(collection.path))[0]?.[collection.note]).toBe(
      collection.defaults[collection.note],
    );
  }
});

describe.each(fields)('$of.many by $match', ({ of, match }) => {
  const [one, two] = [of.values[match]?.(1), of.values[match]?.(2)];
  const error = (index: number, value = ''): string =>
    `${match}: ${of.many}.${index} has the value "${value}" too`;

  it('The first of several items with one value is done, and later ones are refused', async () => {
    const brand = await TestBrand.create();
    await brand.create(of.path, newItem(of, match, 1));
    const same = [
      { ...newItem(of, match, 1), [of.note]: 'First' },
      newItem(of, match, 2),
      { ...newItem(of, match, 1), [of.note]: 'Second' },
      deletion(of, match, 2),
    ];
    const strict = await push(brand, of, match, same);
    expect([strict.status, strict.body['error']]).toEqual([
      400,
      `Invalid request: ${of.many}.2.${error(0, one)}; ${of.many}.3.${error(1, two)}`,
    ]);
    const answer = await push(brand, of, match, same, { headers: LENIENT });
    expect(outcomes(answer)).toEqual(['updated', 'created', error(0, one), error(1, two)]);
    expect(await brand.list(of.path)).toMatchObject(same.slice(0, 2));
    const drops = [deletion(of, match, 1), newItem(of, match, 1), deletion(of, match, 1)];
    const dropped = await push(brand, of, match, drops, { headers: LENIENT });
    expect(outcomes(dropped)).toEqual(['deleted', error(0, one), error(0, one)]);
  });

  it('The first of several items with one value holds it if it is refused for another reason', async () => {
    const brand = await TestBrand.create();
    const items = [{ ...newItem(of, match, 1), [of.note]: 5 }, newItem(of, match, 1)];
    const answer = await push(brand, of, match, items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual([expect.stringContaining(`${of.note}: `), error(0, one)]);
    // Found in the database only, if a POST needs more.
    const needed = required(of, match);
    if (needed.length === 0) return;
    const lacking = [{ [match]: one }, newItem(of, match, 1)];
    const again = await push(brand, of, match, lacking, { headers: LENIENT });
    expect(outcomes(again)).toEqual([
      needed.map((field) => `${field}: required`).join('; '),
      error(0, one),
    ]);
    expect(await brand.list(of.path)).toEqual([]);
  });
});

const match = 'storeDiscountId';
const taken = (n: number, code: string): Item => ({
  storeDiscountId: `new ${n}`,
  code,
  discountPercent: 1,
});
const exists = (code: string): string => `Coupon code "${code}" already exists.`;

it('A coupon code that is taken is 409 if that is the only problem, naming the first in order as it was sent', async () => {
  const brand = await furnished();
  const before = await snapshot(brand.issued.brandId);
  const items = [taken(1, 'FREE'), taken(2, 'taken'), taken(3, 'KNOWN')];
  for (const headers of [{}, ONCE]) {
    const answer = await push(brand, couponCodes, match, items, { headers });
    expect([answer.status, answer.body]).toEqual([409, { error: exists('taken') }]);
  }
  expect(await snapshot(brand.issued.brandId)).toEqual(before);
  const lenient = await push(brand, couponCodes, match, items, { headers: LENIENT });
  expect(outcomes(lenient)).toEqual(['created', exists('taken'), exists('KNOWN')]);
});

it('A coupon code that is taken is spelled as sent in the sentence, and in quotes that end in a list with others', async () => {
  const brand = await furnished();
  await brand.create('/coupon-codes', { code: '"\\', discountPercent: 1 });
  const items = [taken(1, '"\\'), taken(2, 'FREE')];
  expect((await push(brand, couponCodes, match, items)).body).toEqual({ error: exists('"\\') });
  const others = [...items, { ...taken(3, 'ELSE'), maxUses: -1 }];
  const list = await push(brand, couponCodes, match, others);
  expect([list.status, list.body['error']]).toEqual([
    400,
    expect.stringMatching(
      /^Invalid request: couponCodes\.0\.code: Coupon code "\\"\\\\" already exists; couponCodes\.2\.maxUses: /,
    ),
  ]);
});

it('A coupon code that is taken is refused if an earlier item of the same push has it, whatever becomes of that', async () => {
  const brand = await furnished();
  const problem = 'code: couponCodes.0 has the value "free" too';
  for (const first of [taken(1, 'FREE'), { ...taken(1, 'FREE'), maxUses: -1 }]) {
    const options = { headers: LENIENT, dryRun: true };
    const answer = await push(brand, couponCodes, match, [first, taken(2, 'free')], options);
    expect(outcomes(answer)[1]).toBe(problem);
  }
  const items = [taken(1, 'FREE'), taken(2, 'free'), { ...taken(3, 'FREE'), maxUses: -1 }];
  const answer = await push(brand, couponCodes, match, items);
  expect(answer.status).toBe(400);
  expect(answer.body['error']).toMatch(
    new RegExp(`^Invalid request: couponCodes\\.1\\.${problem}; couponCodes\\.2\\.maxUses: .*; `),
  );
});

it.each(['id', match])(
  'A coupon code that is taken is refused for a resource, and is no conflict with itself: by %s',
  async (by) => {
    const brand = await furnished();
    const [, known] = await brand.list(couponCodes.path);
    const send = (code: string): Promise<Answer> =>
      push(brand, couponCodes, by, [{ [by]: known?.[by], code }]);
    expect((await send('taken')).status).toBe(409);
    for (const code of ['KNOWN', 'Known']) expect(outcomes(await send(code))).toEqual(['updated']);
  },
);

it('Two items that swap their coupon codes are both refused, or both done', async () => {
  const brand = await furnished();
  const before = await brand.list(couponCodes.path);
  const swap = before.map(({ id }, n) => ({ id, code: before[1 - n]?.['code'] }));
  const answer = await push(brand, couponCodes, 'id', swap);
  const after = await brand.list(couponCodes.path);
  if (answer.status === 409) expect(after).toEqual(before);
  else expect(after).toMatchObject(swap);
  expect([200, 409]).toContain(answer.status);
});

describe.each(['id', match])('%s', (by) => {
  let brand: TestBrand;
  let drop: Item;
  let taker: Item;

  beforeEach(async () => {
    brand = await furnished();
    const [old, known] = await brand.list(couponCodes.path);
    drop = { [by]: old?.[by], deleted: true };
    taker = { [by]: known?.[by], code: 'taken' };
  });

  it('A coupon code of an item that deletes it is free for the next item, and for no other', async () => {
    const items = [drop, taker, ...(by === 'id' ? [] : [taken(1, 'TAKEN')])];
    const held = 'code: couponCodes.1 has the value "TAKEN" too';
    const statuses = ['deleted', 'updated', held].slice(0, items.length);
    for (const dryRun of [true, false]) {
      const options = { headers: LENIENT, dryRun };
      expect(outcomes(await push(brand, couponCodes, by, items, options))).toEqual(statuses);
    }
    expect((await brand.list(couponCodes.path)).map(({ code }) => code)).toEqual(['taken']);
  });

  it('A coupon code of an item that deletes it is taken for the items before it, and if the deletion is refused', async () => {
    const before = await snapshot(brand.issued.brandId);
    for (const dryRun of [true, false]) {
      const strict = await push(brand, couponCodes, by, [taker, drop], { dryRun });
      expect([strict.status, strict.body]).toEqual([409, { error: exists('taken') }]);
    }
    const refused = [{ ...drop, deleted: 1 }, taker];
    const headers = LENIENT;
    expect(outcomes(await push(brand, couponCodes, by, refused, { headers }))).toEqual([
      'deleted: expected true',
      exists('taken'),
    ]);
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
    const lenient = await push(brand, couponCodes, by, [taker, drop], { headers });
    expect(outcomes(lenient)).toEqual([exists('taken'), 'deleted']);
    expect((await brand.list(couponCodes.path)).map(({ code }) => code)).toEqual(['Known']);
  });
});

it('A coupon code of an item that deletes it by code is free for a new one', async () => {
  const brand = await furnished();
  const items = [{ storeDiscountId: 'TAKEN', deleted: true }, taken(1, 'TAKEN')];
  expect(outcomes(await push(brand, couponCodes, match, items))).toEqual(['deleted', 'created']);
  expect(await brand.list(couponCodes.path)).toMatchObject([{ code: 'Known' }, items[1]]);
});

it('Many refusals are listed together, those of the request and those of the database, in order', async () => {
  const brand = await furnished();
  await brand.create('/products', { ...price, sku: 'GONE' });
  const before = await snapshot(brand.issued.brandId);
  const items = [
    { sku: 'A-1' },
    { sku: 'GOOD', title: 'Good', priceCents: 1 },
    { sku: 'KNOWN', title: '' },
    { sku: 'NEW', title: 'New' },
    { sku: 'KNOWN' },
    { sku: 'GONE', deleted: true },
  ];
  const errors = [
    'sku: 2 products have the value "A-1"',
    'title: expected a string of 1 to 255 characters without control characters',
    'priceCents: required',
    'sku: products.2 has the value "KNOWN" too',
  ];
  for (const headers of [{}, ONCE]) {
    const answer = await push(brand, products, 'sku', items, { headers });
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      `Invalid request: ${[0, 2, 3, 4].map((index, n) => `products.${index}.${errors[n] ?? ''}`).join('; ')}`,
    ]);
  }
  expect(await snapshot(brand.issued.brandId)).toEqual(before);

  const lenient = await push(brand, products, 'sku', items, { headers: LENIENT });
  const [a, b, c, d] = errors;
  expect(outcomes(lenient)).toEqual([a, 'created', b, c, d, 'deleted']);
  expect(pushedOf(lenient, products)).toMatchObject([{ sku: 'GOOD' }]);
  expect(await brand.list(products.path)).toHaveLength(4);
});

it('Many refusals are named up to 100, and the others are counted', async () => {
  const brand = await furnished();
  const items = Array.from({ length: 150 }, (_, n) => ({ sku: `N${n}` }));
  const answer = await push(brand, products, 'sku', items);
  const problems = String(answer.body['error']).split('; ');
  expect([answer.status, problems.length, problems[99], problems[100]]).toEqual([
    400,
    101,
    'products.49.priceCents: required',
    'and 200 more',
  ]);
  // So they are if the request itself shows them, and if both do.
  const invalid = items.map((item) => ({ ...item, title: '', priceCents: -1, nonsense: 1 }));
  const mixed = [...invalid.slice(0, 75), ...items.slice(75)];
  for (const [sent, more] of [
    [invalid, 350],
    [mixed, 275],
  ] as const) {
    const answer = await push(brand, products, 'sku', sent);
    expect(answer.body['error']).toMatch(new RegExp(`; and ${more} more$`));
  }
});
