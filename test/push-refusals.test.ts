import { describe, expect, it } from 'vitest';
import type { Answer } from './support/brand.ts';
import { TestBrand } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import type { Item } from './support/push.ts';
import {
  fields,
  LENIENT,
  listed,
  newItem,
  outcomes,
  push,
  pushedOf,
  required,
  resultsOf,
} from './support/push.ts';
import { snapshot } from './support/snapshot.ts';

const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057';
const ONCE = { 'Idempotency-Key': 'once' };

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

/** An item, alone in its push, with what a lenient answer says of it; the fault's path comes first, if it has one. */
const refused: readonly {
  readonly of: typeof products;
  readonly match: string;
  readonly item: unknown;
  readonly error: string;
}[] = [
  {
    of: products,
    match: 'sku',
    item: { sku: 'KNOWN', title: '' },
    error: 'title: expected a string of 1 to 255 characters without control characters',
  },
  { of: products, match: 'sku', item: { sku: 'KNOWN', titel: 'x' }, error: 'titel: unknown field' },
  {
    of: products,
    match: 'sku',
    item: { sku: 'KNOWN', priceCents: -1, featured: null },
    error:
      'priceCents: expected an integer from 0 to 9,999,999,999; featured: expected true or false',
  },
  {
    of: products,
    match: 'sku',
    item: { sku: 'NEW' },
    error: 'title: required; priceCents: required',
  },
  {
    of: products,
    match: 'handle',
    item: { handle: 'new', title: 'x' },
    error: 'priceCents: required',
  },
  {
    of: products,
    match: 'sku',
    item: { sku: 'A-1', title: 'x' },
    error: 'sku: 2 products have the value "A-1"',
  },
  {
    of: products,
    match: 'storeVariantId',
    item: { storeVariantId: ' A-1 ' },
    error: 'storeVariantId: 2 products have the value "A-1"',
  },
  { of: products, match: 'sku', item: { title: 'x', priceCents: 1 }, error: 'sku: required' },
  {
    of: products,
    match: 'sku',
    item: { sku: null, title: 'x', priceCents: 1 },
    error: 'sku: expected a value other than null: it finds the resource',
  },
  {
    of: products,
    match: 'sku',
    item: { sku: 5 },
    error: 'sku: expected a string of 1 to 255 characters without control characters',
  },
  {
    of: products,
    match: 'sku',
    item: { sku: ' ' },
    error: 'sku: expected a string of 1 to 255 characters without control characters',
  },
  {
    of: products,
    match: 'handle',
    item: { handle: 'A B' },
    error:
      'handle: expected 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \\ ? # % < >',
  },
  {
    of: products,
    match: 'id',
    item: { id: NOBODY, title: 'x', priceCents: 1 },
    error: `id: no product has the value "${NOBODY}"`,
  },
  { of: products, match: 'id', item: { title: 'x', priceCents: 1 }, error: 'id: required' },
  {
    of: products,
    match: 'id',
    item: { id: null },
    error: 'id: expected a value other than null: it finds the resource',
  },
  { of: products, match: 'id', item: { id: 'abc' }, error: 'id: expected the id of a product' },
  {
    of: products,
    match: 'id',
    item: { id: NOBODY.toUpperCase() },
    error: 'id: expected the id of a product',
  },
  { of: products, match: 'id', item: { id: 7 }, error: 'id: expected the id of a product' },
  { of: products, match: 'sku', item: 'nonsense', error: 'expected a JSON object' },
  { of: products, match: 'sku', item: null, error: 'expected a JSON object' },
  { of: products, match: 'sku', item: ['sku', 'KNOWN'], error: 'expected a JSON object' },
  { of: couponCodes, match: 'code', item: { code: 'NEW' }, error: 'discountPercent: required' },
  {
    of: couponCodes,
    match: 'code',
    item: { code: 'a b' },
    error: 'code: expected a code of 1 to 64 printable ASCII characters without spaces',
  },
  {
    of: couponCodes,
    match: 'code',
    item: { code: null },
    error: 'code: expected a code of 1 to 64 printable ASCII characters without spaces',
  },
  {
    of: couponCodes,
    match: 'storeDiscountId',
    item: { storeDiscountId: 'new' },
    error: 'code: required; discountPercent: required',
  },
  {
    of: couponCodes,
    match: 'id',
    item: { id: NOBODY },
    error: `id: no coupon code has the value "${NOBODY}"`,
  },
  {
    of: couponCodes,
    match: 'id',
    item: { id: 'x' },
    error: 'id: expected the id of a coupon code',
  },
];

describe('An item is refused', () => {
  it.each(refused)('by $match: $item', async ({ of, match, item, error }) => {
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
    for (const headers of [{}, ONCE]) {
      const strict = await push(brand, of, match, [item], { headers });
      expect([strict.status, strict.body]).toEqual([
        400,
        { error: `Invalid request: ${prefixed}` },
      ]);
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('by id that another brand has, as if nobody had it', async () => {
    const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
    for (const of of collections) {
      const { id } = await other.create(of.path, of.bare(1));
      const answer = await push(brand, of, 'id', [{ id, [of.note]: 'Mine' }], {
        headers: LENIENT,
      });
      expect(outcomes(answer)).toEqual([`id: no ${of.noun.toLowerCase()} has the value "${id}"`]);
      expect((await listed(other, of))[0]?.[of.note]).toBe(of.defaults[of.note]);
    }
  });
});

describe.each(fields)('Items of $of.many with the same $match', ({ of, match }) => {
  const error = (index: number, value = ''): string =>
    `${match}: ${of.many}.${index} has the value "${value}" too`;

  it('the first is done, and later ones are refused', async () => {
    const brand = await TestBrand.create();
    await brand.create(of.path, newItem(of, match, 1));
    const same = [
      { ...newItem(of, match, 1), [of.note]: 'First' },
      newItem(of, match, 2),
      { ...newItem(of, match, 1), [of.note]: 'Second' },
      newItem(of, match, 2),
    ];
    const answer = await push(brand, of, match, same, { headers: LENIENT });
    const [one, two] = [of.values[match]?.(1), of.values[match]?.(2)];
    expect(outcomes(answer)).toEqual(['updated', 'created', error(0, one), error(1, two)]);
    expect(await listed(brand, of)).toMatchObject(same.slice(0, 2));
    const strict = await push(brand, of, match, same);
    expect([strict.status, strict.body['error']]).toEqual([
      400,
      `Invalid request: ${of.many}.2.${error(0, one)}; ${of.many}.3.${error(1, two)}`,
    ]);
  });

  it('the first holds the value if it is refused for another reason', async () => {
    const brand = await TestBrand.create();
    const value = of.values[match]?.(1);
    const items = [{ ...newItem(of, match, 1), [of.note]: 5 }, newItem(of, match, 1)];
    const answer = await push(brand, of, match, items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual([expect.stringContaining(`${of.note}: `), error(0, value)]);
    // Found in the database only, if a POST needs more.
    const needed = required(of, match);
    if (needed.length === 0) return;
    const lacking = [{ [match]: value }, newItem(of, match, 1)];
    const again = await push(brand, of, match, lacking, { headers: LENIENT });
    expect(outcomes(again)).toEqual([
      needed.map((field) => `${field}: required`).join('; '),
      error(0, value),
    ]);
    expect(await listed(brand, of)).toEqual([]);
  });
});

describe('A coupon code that is taken', () => {
  const taken = (n: number, code: string): Item => ({
    storeDiscountId: `new ${n}`,
    code,
    discountPercent: 1,
  });

  it('is 409 if that is the only problem, naming the first in order as it was sent', async () => {
    const brand = await furnished();
    const before = await snapshot(brand.issued.brandId);
    const items = [taken(1, 'FREE'), taken(2, 'taken'), taken(3, 'KNOWN')];
    for (const headers of [{}, ONCE]) {
      const answer = await push(brand, couponCodes, 'storeDiscountId', items, { headers });
      expect([answer.status, answer.body]).toEqual([
        409,
        { error: 'Coupon code "taken" already exists.' },
      ]);
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('is 400 together with another problem, which names all of them', async () => {
    const brand = await furnished();
    const items = [taken(1, 'taken'), { ...taken(2, 'FREE'), discountPercent: 0 }];
    const answer = await push(brand, couponCodes, 'storeDiscountId', items);
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatch(
      /^Invalid request: couponCodes\.0\.code: Coupon code "taken" already exists; couponCodes\.1\.discountPercent: /,
    );
  });

  it('is refused in a lenient push, with the sentence of the conflict', async () => {
    const brand = await furnished();
    const items = [taken(1, 'taken'), taken(2, 'FREE')];
    const answer = await push(brand, couponCodes, 'storeDiscountId', items, { headers: LENIENT });
    expect(outcomes(answer)).toEqual(['Coupon code "taken" already exists.', 'created']);
  });

  it('is spelled as sent in the sentence, and in quotes that end in a list', async () => {
    const brand = await furnished();
    await brand.create('/coupon-codes', { code: '"\\', discountPercent: 1 });
    const items = [taken(1, '"\\'), taken(2, 'FREE')];
    const send = (headers: Record<string, string>, more: readonly Item[] = []): Promise<Answer> =>
      push(brand, couponCodes, 'storeDiscountId', [...items, ...more], { headers });
    const sentence = 'Coupon code ""\\" already exists.';
    expect((await send({})).body).toEqual({ error: sentence });
    expect(outcomes(await send(LENIENT))[0]).toBe(sentence);
    const list = await send({}, [{ ...taken(3, 'ELSE'), maxUses: -1 }]);
    expect(list.body['error']).toMatch(
      /^Invalid request: couponCodes\.0\.code: Coupon code "\\"\\\\" already exists; couponCodes\.2\.maxUses: /,
    );
  });

  it('is taken by an earlier item of the same push too, whatever becomes of that', async () => {
    const brand = await furnished();
    for (const first of [taken(1, 'FREE'), { ...taken(1, 'FREE'), maxUses: -1 }]) {
      const items = [first, taken(2, 'free')];
      const answer = await push(brand, couponCodes, 'storeDiscountId', items, {
        headers: LENIENT,
        dryRun: true,
      });
      expect(outcomes(answer)[1]).toBe('Coupon code "free" already exists.');
    }
    const answer = await push(brand, couponCodes, 'storeDiscountId', [
      taken(1, 'FREE'),
      taken(2, 'free'),
    ]);
    expect([answer.status, answer.body['error']]).toEqual([
      409,
      'Coupon code "free" already exists.',
    ]);
  });

  it('is refused for a resource that exists, and is no conflict with itself', async () => {
    const brand = await furnished();
    const [, known] = await listed(brand, couponCodes);
    for (const [match, value] of [
      ['id', known?.id],
      ['storeDiscountId', 'Known'],
    ] as const) {
      const conflict = await push(brand, couponCodes, match, [{ [match]: value, code: 'taken' }]);
      expect(conflict.status).toBe(409);
      const same = await push(brand, couponCodes, match, [{ [match]: value, code: 'KNOWN' }]);
      expect(outcomes(same)).toEqual(['updated']);
      const back = await push(brand, couponCodes, match, [{ [match]: value, code: 'Known' }]);
      expect(outcomes(back)).toEqual(['updated']);
    }
  });

  it('two codes that swap are refused whole, or swapped', async () => {
    const brand = await furnished();
    const before = await listed(brand, couponCodes);
    const swap = before.map(({ id }, n) => ({ id, code: before[1 - n]?.['code'] }));
    const answer = await push(brand, couponCodes, 'id', swap);
    const after = await listed(brand, couponCodes);
    if (answer.status === 409) expect(after).toEqual(before);
    else expect(after).toMatchObject(swap);
    expect([200, 409]).toContain(answer.status);
  });
});

describe('Many refusals', () => {
  it('are listed together, those of the request and those of the database, in order', async () => {
    const brand = await furnished();
    const before = await snapshot(brand.issued.brandId);
    const items = [
      { sku: 'A-1' },
      { sku: 'GOOD', title: 'Good', priceCents: 1 },
      { sku: 'KNOWN', title: '' },
      { sku: 'NEW', title: 'New' },
      { sku: 'KNOWN' },
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
    expect(outcomes(lenient)).toEqual([a, 'created', b, c, d]);
    expect(pushedOf(lenient, products)).toMatchObject([{ sku: 'GOOD' }]);
    expect(await listed(brand, products)).toHaveLength(4);
  });

  it('are named up to 100, and the others are counted', async () => {
    const brand = await furnished();
    const items = Array.from({ length: 150 }, (_, n) => ({ sku: `N${n}` }));
    const { status, body } = await push(brand, products, 'sku', items);
    const problems = String(body['error']).replace('Invalid request: ', '').split('; ');
    expect([status, problems.length, problems[0], problems[99], problems[100]]).toEqual([
      400,
      101,
      'products.0.title: required',
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

  it('each have their own text in a lenient answer, all 500', async () => {
    const brand = await furnished();
    const items = Array.from({ length: 500 }, (_, n) => ({ sku: `N${n}`, title: '' }));
    const answer = await push(brand, products, 'sku', items, { headers: LENIENT });
    expect(new Set(outcomes(answer))).toEqual(
      new Set(['title: expected a string of 1 to 255 characters without control characters']),
    );
    expect(outcomes(answer)).toHaveLength(500);
  });
});
