import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections as registered } from '../src/resources/registry.ts';
import type { Resource } from './support/brand.ts';
import { resourcesOf, TestBrand } from './support/brand.ts';
import { collectionAt, collections } from './support/collections.ts';
import type { Fields } from './support/collections/collection.ts';
import { problems } from './support/field-tests.ts';
import { makeProducts } from './support/make.ts';
import { meter } from './support/meter.ts';

let brand: TestBrand;
let products: Resource[];

/** By collection: the resources that the filters are tried with. The first field of each is its name in `FOUND`. */
const RESOURCES: Readonly<Record<string, readonly Fields[]>> = {
  '/products': [
    { title: 'A', sku: 'one', storeProductId: 'gid://shop/Product/1', storeStatus: 'ACTIVE' },
    { title: 'B', sku: 'one', storeVariantId: 'gid://shop/Variant/1', storeStatus: 'DRAFT' },
    {
      title: 'C',
      sku: 'One',
      source: 'MY_ERP',
      syncStatus: 'FAILED',
      serviceListingStatus: 'LIVE',
    },
    { title: 'D & É', handle: 'nhẫn--1', storeProductId: 'gid://shop/Product/1' },
    { title: 'E', sku: 'a&b=é', serviceListingStatus: 'LIVE', storeStatus: 'ACTIVE' },
  ],
  '/coupon-codes': [
    { code: 'Save10', discountPercent: 10 },
    { code: 'OFF', discountPercent: 10, active: false, storeDiscountId: 'gid://shop/Discount/1' },
    { code: 'A&B ü', discountPercent: 10, active: false, syncStatus: 'PENDING' },
  ],
};

/** When the rows are made to have changed last, one after the other. */
const CHANGED = [
  '2026-01-31T09:29:59.999Z',
  '2026-01-31T09:30:00.000Z',
  '2026-01-31T09:30:00.001Z',
  '2026-01-31T11:30:00.000Z',
  '2026-02-01T00:00:00.000Z',
];

async function changeTimes(table: string, resources: readonly Resource[]): Promise<void> {
  await env.DB.batch(
    resources.map(({ id }, index) =>
      env.DB.prepare(`update ${table} set updated_at = ? where id = ?`).bind(CHANGED[index], id),
    ),
  );
}

beforeAll(async () => {
  brand = await TestBrand.create();
  for (const [path, all] of Object.entries(RESOURCES)) {
    const { many, table, bare } = collectionAt(path);
    const resources = all.map((fields, n) => ({ ...bare(n), ...fields }));
    await brand.send('POST', path, { [many]: resources });
    await changeTimes(table, await brand.list(path));
  }
  products = await brand.list('/products');
});

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
const OTHER_UNKNOWN_ID = '01890000-0000-7000-8000-000000000001';

type Row = readonly [
  parameters: Readonly<Record<string, string | readonly string[]>>,
  shown: readonly string[],
];

/** By collection: what a filter finds. */
const FOUND: Readonly<Record<string, readonly Row[]>> = {
  '/products': [
    [{ sku: 'one' }, ['A', 'B']],
    [{ sku: 'One' }, ['C']],
    [{ sku: 'a&b=é' }, ['E']],
    [{ sku: 'none' }, []],
    [{ handle: 'nha\u0302\u0303n--1' }, ['D & É']],
    [{ handle: 'a' }, ['A']],
    [{ storeProductId: 'gid://shop/Product/1' }, ['A', 'D & É']],
    [{ storeProductId: 'gid://shop/Product/' }, []],
    [{ storeVariantId: 'gid://shop/Variant/1' }, ['B']],
    [{ syncStatus: 'SYNCED' }, ['A', 'D & É']],
    [{ syncStatus: 'NOT_LINKED' }, ['B', 'E']],
    [{ syncStatus: 'FAILED' }, ['C']],
    [{ syncStatus: 'PENDING' }, []],
    [{ serviceListingStatus: 'LIVE' }, ['C', 'E']],
    [{ serviceListingStatus: 'DRAFT' }, ['A', 'B', 'D & É']],
    [{ storeStatus: 'ACTIVE' }, ['A', 'E']],
    [{ source: 'MY_ERP' }, ['C']],
    [{ source: 'API', storeStatus: 'DRAFT' }, ['B']],
    [{ source: ['MY_ERP', 'SHOP', 'NONE'] }, ['A', 'C', 'D & É']],
    [{ storeStatus: 'UNLISTED' }, []],
    [{ updatedSince: '2026-01-31T09:30:00.000Z' }, ['B', 'C', 'D & É', 'E']],
    [{ updatedSince: '2026-01-31T09:30:00Z' }, ['B', 'C', 'D & É', 'E']],
    [{ updatedSince: '2026-01-31T09:30:00.0009Z' }, ['B', 'C', 'D & É', 'E']],
    [{ updatedSince: '2026-01-31T09:30:00.0009876543Z' }, ['B', 'C', 'D & É', 'E']],
    [{ updatedSince: '2026-01-31T09:30:00.001Z' }, ['C', 'D & É', 'E']],
    [{ updatedSince: '2026-01-31T13:30:00+02:00' }, ['D & É', 'E']],
    [{ updatedSince: '2026-01-31T18:00:00-06:00' }, ['E']],
    [{ updatedSince: '2026-02-01T00:00:00.001Z' }, []],
    [{ sku: 'one', storeStatus: 'ACTIVE' }, ['A']],
    [{ storeStatus: 'ACTIVE', serviceListingStatus: 'LIVE', syncStatus: 'NOT_LINKED' }, ['E']],
    [{ storeProductId: 'gid://shop/Product/1', updatedSince: CHANGED[1] ?? '' }, ['D & É']],
    [{ sku: 'one', storeStatus: 'ACTIVE', syncStatus: 'FAILED' }, []],
    [{ sku: 'one', limit: '250' }, ['A', 'B']],
    [{ id: UNKNOWN_ID }, []],
    [{ sku: ['one', 'a&b=é'] }, ['A', 'B', 'E']],
    [{ sku: ['none', 'One', 'One'] }, ['C']],
    [{ sku: ['one', 'One'], storeStatus: ['DRAFT', 'ARCHIVED'] }, ['B']],
    [{ storeProductId: ['gid://shop/Product/1', 'none'] }, ['A', 'D & É']],
    [{ id: [UNKNOWN_ID, OTHER_UNKNOWN_ID] }, []],
    [{ handle: ['a', 'b'] }, ['A', 'B']],
    [{ serviceListingStatus: ['LIVE', 'ARCHIVED'] }, ['C', 'E']],
    [{ storeVariantId: ['gid://shop/Variant/1', 'x'], limit: '1' }, ['B']],
    [{ syncStatus: ['FAILED', 'SYNCED'], updatedSince: CHANGED[1] ?? '' }, ['C', 'D & É']],
  ],
  '/coupon-codes': [
    [{ code: 'Save10' }, ['Save10']],
    [{ code: 'SAVE10' }, ['Save10']],
    [{ code: 'save10' }, ['Save10']],
    [{ code: 'a&b ü' }, ['A&B ü']],
    [{ code: 'A&B Ü' }, []],
    [{ code: 'SAVE1' }, []],
    [{ active: 'true' }, ['Save10']],
    [{ active: 'false' }, ['OFF', 'A&B ü']],
    [{ storeDiscountId: 'gid://shop/Discount/1' }, ['OFF']],
    [{ syncStatus: 'NOT_LINKED' }, ['Save10']],
    [{ syncStatus: 'PENDING' }, ['A&B ü']],
    [{ updatedSince: '2026-01-31T10:30:00+01:00' }, ['OFF', 'A&B ü']],
    [{ active: 'false', syncStatus: 'SYNCED' }, ['OFF']],
    [{ code: 'off', active: 'true' }, []],
    [{ code: ['off', 'OFF', 'save10'] }, ['Save10', 'OFF']],
    [{ active: ['true', 'false'] }, ['Save10', 'OFF', 'A&B ü']],
    [{ storeDiscountId: ['gid://shop/Discount/1', 'x'] }, ['OFF']],
    [{ syncStatus: ['PENDING', 'SYNCED'] }, ['OFF', 'A&B ü']],
    [{ id: UNKNOWN_ID }, []],
    [{ id: [UNKNOWN_ID, OTHER_UNKNOWN_ID] }, []],
  ],
};

it.each(registered)('Each filter of a collection is tried here: $path', ({ path, filters }) => {
  const tried = new Set(
    (FOUND[`/${path}`] ?? []).flatMap(([parameters, shown]) =>
      Object.entries(parameters)
        // No test knows an id before.
        .filter(([name]) => shown.length > 0 || name === 'id')
        .map(([name, values]) => (typeof values === 'string' ? name : `several of ${name}`)),
    ),
  );
  const due = Object.keys(filters).flatMap((name) => [name, `several of ${name}`]);
  const hint = `add rows to FOUND in test/filters.test.ts, under '/${path}', and to RESOURCES what they find`;
  expect(
    due.filter((name) => !tried.has(name)),
    hint,
  ).toEqual([]);
});

describe.each(Object.entries(FOUND))('%s', (path, rows) => {
  it.each(rows)(
    'A filter shows the resources that have its values: %o, %o',
    async (parameters, shown) => {
      const query = new URLSearchParams(
        Object.entries(parameters).flatMap(([name, values]) =>
          [values].flat().map((value) => [name, value]),
        ),
      );
      const answer = await brand.send('GET', `${path}?${query.toString()}`);
      expect(answer.status).toBe(200);
      const [name = 'id'] = Object.keys(RESOURCES[path]?.[0] ?? {});
      expect(resourcesOf(answer).map((resource) => resource[name])).toEqual(shown);
    },
  );
});

it('A filtered list shows products like the complete list', async () => {
  const answer = await brand.send('GET', '/products?sku=a%26b%3D%C3%A9');
  expect(answer.body).toEqual({ products: [products[4]] });
});

it.each(collections)(
  'The filter updatedSince shows what has changed since, and not what a no-op touched: $path',
  async ({ path, bare, note }) => {
    const own = await TestBrand.create();
    const { id } = await own.create(path, bare(1));
    const time = new Date(Date.now() + 5).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 15));
    const since = `${path}?updatedSince=${time}`;
    await own.send('PATCH', `${path}/${id}`, {});
    expect(await own.list(since)).toEqual([]);
    const change = { [note]: 'New' };
    await own.send('PATCH', `${path}/${id}`, change);
    expect(await own.list(since)).toMatchObject([{ id, ...change }]);
  },
);

/** A query with this many SKUs. */
function skus(count: number): string {
  return Array.from({ length: count }, (_, index) => `&sku=S-${index}`).join('');
}

it('A list takes 100 different values, and its Link has them all', async () => {
  const own = await TestBrand.create();
  await makeProducts(own, 100, (index) => ({ sku: `S-${index}` }));
  const path = `/products?limit=60${skus(100)}&sku=S-7`;
  const first = await own.send('GET', path);
  const [, next = ''] = /\/v1(.*)>/.exec(first.headers.get('Link') ?? '') ?? [];
  const second = await own.send('GET', next);
  const found = [...resourcesOf(first), ...resourcesOf(second)].map(({ sku }) => sku);
  expect(found).toEqual(Array.from({ length: 100 }, (_, index) => `S-${index}`));
  expect(second.headers.has('Link')).toBe(false);
});

it('A list by ids shows those of the brand, oldest first', async () => {
  const other = await TestBrand.create();
  const { id: foreign } = await other.create('/products', { title: 'X', priceCents: 1 });
  const [a = '', b = '', c = ''] = products.map(({ id }) => id);
  const shown = await brand.list(`/products?id=${c}&id=${foreign}&id=${a}&sku=one&sku=One&sku=x`);
  expect(shown.map(({ id }) => id)).toEqual([a, c]);
  expect(await brand.list(`/products?id=${b}`)).toMatchObject([{ title: 'B' }]);
});

type Refusal = readonly [query: string, names: readonly string[]];

/** Queries that are refused for the parameter with this name. */
function refusals(name: string, queries: readonly string[]): readonly Refusal[] {
  return queries.map((query) => [query, [name]]);
}

/** Queries with parameters that break a rule, and the names of those that the answer complains of. */
const REFUSED: readonly Refusal[] = [
  ...[
    'colour',
    'SKU',
    'description',
    'brandId',
    'offset',
    'toString',
    'constructor',
    '__proto__',
  ].map((name): Refusal => [`/products?${name}=1`, [name]]),
  ['/products?code=A', ['code']],
  ['/coupon-codes?sku=A', ['sku']],
  ['/coupon-codes?description=A', ['description']],
  ['/products?sku=', ['sku']],
  ['/products?sku=a&sku=&sku=b&sku=', ['sku.1', 'sku.3']],
  ...refusals('id', ['/products?id=1', '/coupon-codes?id=1']),
  [
    `/products?updatedSince=2026-01-31T09:30:00Z&updatedSince=2026-01-31T09:30:00Z`,
    ['updatedSince'],
  ],
  [`/products?storeStatus=DRAFT${'&sku=a&sku=b'.repeat(2)}${skus(99)}`, ['sku']],
  [`/products?since=0${skus(2)}`, ['sku']],
  [`/products?sku=${'x'.repeat(256)}`, ['sku']],
  ['/products?handle=Upper', ['handle']],
  ['/products?storeProductId=', ['storeProductId']],
  ['/products?storeVariantId=', ['storeVariantId']],
  ...refusals('syncStatus', ['/products?syncStatus=synced', '/coupon-codes?syncStatus=']),
  ['/products?serviceListingStatus=GONE', ['serviceListingStatus']],
  ['/products?storeStatus=null', ['storeStatus']],
  ...refusals('source', ['/products?source=', '/products?source=shopify']),
  ...refusals('code', ['/coupon-codes?code=', '/coupon-codes?code=a%0Ab']),
  ...refusals(
    'active',
    ['', '1', 'TRUE'].map((value) => `/coupon-codes?active=${value}`),
  ),
  ['/coupon-codes?storeDiscountId=', ['storeDiscountId']],
  ...refusals(
    'updatedSince',
    ['', 'yesterday', '2026-01-31', '2026-01-31T09:30:00', '2026-02-30T09:30:00Z'].map(
      (value) => `/products?updatedSince=${value}`,
    ),
  ),
  ...refusals(
    'limit',
    ['', '0', '-1', '251', '1.5', '1e2', 'abc', '1&limit=1'].map(
      (value) => `/products?limit=${value}`,
    ),
  ),
  ['/products?cursor=abc&limit=2', ['cursor']],
  [
    '/products?limit=0&cursor=x&colour=red&sku=&syncStatus=NO&updatedSince=now&shape=1',
    ['limit', 'cursor', 'sku', 'syncStatus', 'updatedSince', 'colour', 'shape'],
  ],
  ['/coupon-codes?active=yes&code=&page=2', ['active', 'code', 'page']],
  ...['/products?=x', '/products?sku=a&=', '/coupon-codes?=x&limit=2', '/products?since=0&=0'].map(
    (path): Refusal => [path, ['""']],
  ),
  ['/products?=x&colour=red', ['""', 'colour']],
];

it.each(registered)('A value that each filter refuses is here: $path', ({ path, filters }) => {
  const without = Object.keys(filters).filter(
    (name) =>
      !REFUSED.some(([query, names]) => query.startsWith(`/${path}?${name}=`) && names[0] === name),
  );
  const hint = `add to REFUSED in test/filters.test.ts a value that each filter of ${path} refuses`;
  expect(without, hint).toEqual([]);
});

it.each(REFUSED)('A parameter that breaks a rule is refused by name: %s', async (path, names) => {
  const answer = await brand.send('GET', path);
  expect(answer.status).toBe(400);
  expect(problems(answer).sort()).toEqual([...names].sort());
});

/** The number of the brand's own rows. A filter without an index reads them all. */
const OWN = 40;

const COSTS: readonly (readonly [query: string, rows: number])[] = [
  ['/products?sku=same', OWN],
  ['/products?sku=none', OWN],
  ['/products?handle=product-1', OWN],
  ['/products?storeVariantId=v/1', OWN],
  ['/products?syncStatus=SYNCED', OWN],
  ['/products?serviceListingStatus=DRAFT', OWN],
  ['/products?storeStatus=ACTIVE', OWN],
  ['/products?source=OTHER', OWN],
  ['/products?updatedSince=2000-01-01T00:00:00Z', OWN],
  ['/products?updatedSince=2999-01-01T00:00:00Z', OWN],
  ['/products?sku=same&storeStatus=ACTIVE', OWN],
  ['/products?sku=same&limit=5', OWN],
  ['/coupon-codes?active=true', OWN],
  ['/coupon-codes?storeDiscountId=d/1', OWN],
  ['/coupon-codes?syncStatus=PENDING', OWN],
  ['/coupon-codes?updatedSince=2000-01-01T00:00:00Z', OWN],
  // Index lookups read at most twice the matching rows.
  ['/products?storeProductId=p/1', 2 * 3],
  ['/products?storeProductId=none', 0],
  ['/products?storeProductId=p/1&limit=250', 2 * 3],
  ['/coupon-codes?code=c7', 2],
  ['/products?sku=same&sku=none', OWN + 2],
  ['/coupon-codes?storeDiscountId=d/1&storeDiscountId=d/2', OWN + 2],
  ['/products?storeProductId=p/1&storeProductId=none', 2 * (3 + 2)],
  ['/coupon-codes?code=c7&code=C8&limit=5', 2 * (2 + 2)],
  [`/products?id=${UNKNOWN_ID}`, 0],
  [`/coupon-codes?id=${UNKNOWN_ID}`, 0],
  [`/products?id=${UNKNOWN_ID}&id=${OTHER_UNKNOWN_ID}`, 2 * 2],
];

/** By collection: the resources among which the cost is measured. */
const COSTED: Readonly<Record<string, (n: number) => Fields>> = {
  '/products': (n) => ({
    sku: 'same',
    storeProductId: n > 2 ? `other/${n}` : 'p/1',
    storeVariantId: 'v/1',
    storeStatus: 'ACTIVE',
  }),
  '/coupon-codes': (n) => ({ code: `C${n}`, storeDiscountId: 'd/1' }),
};

it.each(registered)('The cost of each filter is here: $path', ({ path, filters }) => {
  const queries = COSTS.map(([query]) => query);
  const hint = `add to COSTS in test/filters.test.ts what ${path} cost`;
  const without = Object.keys(filters).filter(
    (name) => !queries.some((query) => query.startsWith(`/${path}?`) && query.includes(`${name}=`)),
  );
  expect(without, hint).toEqual([]);
});

describe('costs', () => {
  let own: TestBrand;

  beforeAll(async () => {
    const other = await TestBrand.create();
    await makeProducts(other, 1000, COSTED['/products']);
    own = await TestBrand.create();
    for (const owner of [other, own]) {
      for (const { path, many, bare } of collections) {
        if (owner === other && path === '/products') continue;
        const all = Array.from({ length: OWN }, (_, n) => ({ ...bare(n), ...COSTED[path]?.(n) }));
        await owner.send('POST', path, { [many]: all });
      }
    }
  });

  it.each(collections)('The brand of these costs has its resources: $path', async ({ path }) => {
    expect(await own.list(path)).toHaveLength(OWN);
  });

  it.each(COSTS)(
    "A filter reads few rows beside another brand's thousand: %s, at most %i",
    async (path, rows) => {
      const metered = meter();
      const answer = await own.send('GET', path, undefined, metered);
      expect(answer.status).toBe(200);
      expect(metered.calls).toBe(1);
      // Other filters read a few rows more, from which D1 estimates how many fit into memory.
      const sample = rows === OWN && !path.includes('limit=') ? 9 : 0;
      expect(metered.rowsRead).toBeLessThanOrEqual(rows + 3 + sample);
      if (rows === OWN && !path.includes('limit=')) {
        expect(metered.rowsRead).toBeGreaterThanOrEqual(OWN);
      }
    },
  );

  /** Fifty values of a filter, in the form of an id. */
  const fifty = (name: string): string =>
    Array.from({ length: 50 }, (_, n) => `${name}=${UNKNOWN_ID.slice(0, -2)}${n + 10}`).join('&');

  it.each([
    ['/products', 'id', 'storeProductId'],
    ['/coupon-codes', 'code', 'id'],
  ])(
    'A filter by two fields reads a few rows for each of 50 values beside 50 others: %s, %s, %s',
    async (path, one, two) => {
      const metered = meter();
      await own.send('GET', `${path}?${fifty(one)}&${fifty(two)}`, undefined, metered);
      expect(metered.calls).toBe(1);
      expect(metered.rowsRead).toBeLessThanOrEqual(3 * 50);
    },
  );
});
