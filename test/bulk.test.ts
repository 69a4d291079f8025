import { expect, it } from 'vitest';
import { resourcesOf, TestBrand } from './support/brand.ts';
import { meter } from './support/meter.ts';

const PRODUCT = { title: 'Bar', priceCents: 1 };
const codes = (...texts: string[]): object => ({
  couponCodes: texts.map((code) => ({ code, discountPercent: 5 })),
});
const productsOf = (count: number, fields: object = {}): object => ({
  products: Array.from({ length: count }, (_, index) => ({
    title: `Product ${count - index}`,
    priceCents: index,
    ...fields,
  })),
});

it.each([1, 2, 500])(
  'A list of products is created in the order in which they came, in one D1 call: %i',
  async (count) => {
    const brand = await TestBrand.create();
    const metered = meter();
    const linked = { storeProductId: 'gid://shop/Product/1', imageUrls: ['https://a.example/1'] };
    const answer = await brand.send('POST', '/products', productsOf(count, linked), metered);

    expect(answer.status).toBe(201);
    expect(answer.headers.has('ETag')).toBe(false);
    expect(metered.calls).toBe(1);
    expect(metered.statements).toBeLessThanOrEqual(3);
    const made = resourcesOf(answer);
    expect(made.map(({ priceCents }) => priceCents)).toEqual([...Array(count).keys()]);
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1);
    for (const { createdAt, updatedAt, lastSyncedAt } of made) {
      expect([updatedAt, lastSyncedAt]).toEqual([createdAt, createdAt]);
    }
    expect((await brand.send('GET', '/products')).body).toEqual(answer.body);
  },
);

it('A list of coupon codes is created in the order of the request', async () => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', '/coupon-codes', codes('C', 'A', 'B'));
  expect(answer.status).toBe(201);
  expect(resourcesOf(answer).map(({ code }) => code)).toEqual(['C', 'A', 'B']);
  expect((await brand.send('GET', '/coupon-codes')).body).toEqual(answer.body);
});

it('A list of resources has the same results as single creations', async () => {
  const brand = await TestBrand.create();
  const alone = await brand.create('/products', PRODUCT);
  const [inList] = resourcesOf(await brand.send('POST', '/products', { products: [PRODUCT] }));
  const assigned = { id: '', createdAt: '', updatedAt: '' };
  expect({ ...inList, ...assigned }).toEqual({ ...alone, ...assigned });
});

it('The response of a list can be sent as a list of resources', async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  const shown = await brand.send('POST', '/products', productsOf(3));
  const copied = await other.send('POST', '/products', shown.body);
  expect(copied.status).toBe(201);
  const ids = [...resourcesOf(shown), ...resourcesOf(copied)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(6);
});

it('A list of resources follows existing resources in its order', async () => {
  const brand = await TestBrand.create();
  for (const count of [2, 3, 1]) await brand.send('POST', '/products', productsOf(count));
  const titles = (await brand.list('/products')).map(({ title }) => title);
  expect(titles).toEqual([2, 1, 3, 2, 1, 1].map((number) => `Product ${number}`));
});

it("A list may take another brand's codes", async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  for (const owner of [brand, other]) {
    expect((await owner.send('POST', '/coupon-codes', codes('A', 'B'))).status).toBe(201);
  }
});

const six = Array.from({ length: 6 }, () => ({ ...PRODUCT }));
const at = (...bad: readonly [index: number, item: unknown][]): object => ({
  products: six.map((item, index) => bad.find(([place]) => place === index)?.[1] ?? item),
});

it.each<[string, string, unknown, string[]]>([
  ['is empty', '/products', { products: [] }, ['products']],
  ['has 501 items', '/products', productsOf(501), ['products']],
  ['is no list', '/products', { products: PRODUCT }, ['products']],
  ['is null', '/coupon-codes', { couponCodes: null }, ['couponCodes']],
  ['stands beside more', '/products', { products: [PRODUCT], count: 1 }, ['count']],
  [
    'stands beside a title',
    '/products',
    { ...PRODUCT, products: [PRODUCT] },
    ['title', 'priceCents'],
  ],
  ['lacks a title', '/products', at([3, { priceCents: 1 }]), ['products.3.title']],
  ['holds no object', '/products', at([3, 'Bar'], [4, []]), ['products.3', 'products.4']],
  [
    'has several problems in several items',
    '/products',
    at(
      [0, { title: '', priceCents: -1 }],
      [3, {}],
      [5, { ...PRODUCT, colour: 1, imageUrls: ['x'] }],
    ),
    [
      'products.0.title',
      'products.0.priceCents',
      'products.3.title',
      'products.3.priceCents',
      'products.5.colour',
      'products.5.imageUrls.0',
    ],
  ],
  [
    'is of the other kind',
    '/coupon-codes',
    { products: [PRODUCT] },
    ['products', 'code', 'discountPercent'],
  ],
  ['has a bad code', '/coupon-codes', codes('GOOD', 'A', 'B', 'not\ngood'), ['couponCodes.3.code']],
])('An invalid list creates nothing, and names every problem: %s', async (_, path, body, names) => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', path, body);
  expect(answer.status).toBe(400);
  const [prefix, text] = String(answer.body['error']).split(/(?<=^Invalid request: )/);
  expect(prefix).toBe('Invalid request: ');
  const named = text?.split('; ').map((problem) => problem.slice(0, problem.indexOf(': ')));
  expect(named?.sort()).toEqual([...names].sort());
  expect(await brand.list(path)).toEqual([]);
});

it('An invalid list names match if items without what a POST needs could be pushed', async () => {
  const brand = await TestBrand.create();
  const sent = async (...products: object[]): Promise<unknown> =>
    (await brand.send('POST', '/products', { products })).body['error'];
  const required = 'products.0.title: required; products.0.priceCents: required';
  expect(await sent({ sku: 'A-1', storeInventoryQuantity: 4 })).toBe(
    `Invalid request: match: required to change what exists, such as match=sku; ${required}`,
  );
  expect(await sent({ featured: true })).toBe(`Invalid request: ${required}`);
  expect(await sent({ sku: null, featured: true })).toBe(`Invalid request: ${required}`);
});

it('An invalid list reports that a missing title is required', async () => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', '/products', at([3, { priceCents: 1 }]));
  expect(answer.body).toEqual({ error: 'Invalid request: products.3.title: required' });
});

it.each([
  ['is taken', ['A', 'SAVE10'], 'SAVE10'],
  ['is taken in another case', ['A', 'save10'], 'save10'],
  ['is the first of two that are taken', ['A', 'OTHER', 'Save10'], 'OTHER'],
  ['is the first of two that are taken, the other way round', ['B', 'save10', 'other'], 'save10'],
])(
  'A list with a code that is taken creates nothing, and names the first such code: %s, %o',
  async (_, texts, named) => {
    const brand = await TestBrand.create();
    await brand.send('POST', '/coupon-codes', codes('Save10', 'Other'));
    const metered = meter();
    const answer = await brand.send('POST', '/coupon-codes', codes(...texts), metered);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: `Coupon code "${named}" already exists.` });
    expect(metered.calls).toBe(1);
    expect(await brand.list('/coupon-codes')).toHaveLength(2);
  },
);

it.each([
  ['two', ['A', 'B', 'A'], ['2.code: couponCodes.0 has the value "A" too']],
  [
    'two in another case, twice',
    ['Abc', 'B', 'aBC', 'b'],
    [
      '2.code: couponCodes.0 has the value "aBC" too',
      '3.code: couponCodes.1 has the value "b" too',
    ],
  ],
  [
    'two of which one is taken, and an invalid one',
    ['save10', 'SAVE10', 'a\nb'],
    [
      '1.code: couponCodes.0 has the value "SAVE10" too',
      '2.code: expected a string of 1 to 255 characters without control characters',
    ],
  ],
])(
  'A list that repeats a code creates nothing, and names both places: %s',
  async (_, texts, named) => {
    const brand = await TestBrand.create();
    await brand.send('POST', '/coupon-codes', codes('Save10'));
    const answer = await brand.send('POST', '/coupon-codes', codes(...texts));
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      error: `Invalid request: ${named.map((problem) => `couponCodes.${problem}`).join('; ')}`,
    });
    expect(await brand.list('/coupon-codes')).toHaveLength(1);
  },
);

it('A list may have two codes that differ in the case of another letter than A to Z', async () => {
  const brand = await TestBrand.create();
  const texts = ['größe Ü', 'größe ü', 'GRÖSSE Ü'];
  const answer = await brand.send('POST', '/coupon-codes', codes(...texts));
  expect(answer.status).toBe(201);
  expect((await brand.list('/coupon-codes')).map(({ code }) => code)).toEqual(texts);
});

it('A list of 500 codes whose last one is taken creates nothing, and names it', async () => {
  const brand = await TestBrand.create();
  await brand.create('/coupon-codes', { code: 'C499', discountPercent: 5 });
  const body = codes(...Array.from({ length: 500 }, (_, index) => `c${index}`));
  const answer = await brand.send('POST', '/coupon-codes', body);
  expect(answer.body).toEqual({ error: 'Coupon code "c499" already exists.' });
  expect(await brand.list('/coupon-codes')).toHaveLength(1);
});
