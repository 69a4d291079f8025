import { beforeAll, beforeEach, expect, it } from 'vitest';
import { collections as registered } from '../src/resources/registry.ts';
import { TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { withNewKey } from './support/keys.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  makeResources,
  operations,
  perform,
  prepare,
  withBody,
} from './support/operations.ts';

// The exact rows that each operation reads and writes in D1. D1 bills them, and they do not depend on the speed of a
// machine. A figure that changes here changes the bill; so it is to change on purpose, in either direction.

/** Calls, statements, rows read, rows written. */
type Cost = readonly [number, number, number, number];

const HINT =
  'the table in test/costs.test.ts (expected; add a new operation) and what it costs (received) differ. If it reads the rows of other items, an index is missing';

const ITEMS = 60;

/** The number of the first item: what the tests create themselves has smaller ones. */
const FIRST = 100;

let brand: TestBrand;
let ids: Ids;

/** Brands of several keys and many rows: what reads too much shows only among others. */
beforeAll(async () => {
  for (let neighbour = 0; neighbour < 3; neighbour++) {
    const other = await TestBrand.create();
    await withNewKey(other);
    await fill(other);
  }
});

beforeEach(async () => {
  brand = await TestBrand.create();
  await withNewKey(brand, { scope: 'read' });
  await fill(brand);
  ids = await makeResources(brand);
});

/** Fills every collection of a brand. */
async function fill(owner: TestBrand): Promise<void> {
  for (const { path, many, bare, values } of collections) {
    const items = Array.from({ length: ITEMS }, (_, index) => {
      const n = FIRST + index;
      const found = Object.entries(values).map(([field, value]) => [field, value(n)] as const);
      return { ...bare(n), ...Object.fromEntries(found) };
    });
    const answer = await owner.send('POST', path, { [many]: items });
    expect(answer.status, answer.text).toBe(201);
  }
}

const linked = { title: 'Linked', priceCents: 1, storeProductId: 'p/linked' };

function newCodes(count: number, prefix: string): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    code: `${prefix}${index}`,
    discountPercent: 10,
    storeDiscountId: `d/${index}`,
  }));
}

const costs: Readonly<Record<string, Cost>> = {
  'GET /profile': [1, 2, 3, 0],
  'PUT /profile': [1, 3, 7, 0],
  'PATCH /profile': [1, 3, 7, 1],
  'GET /products': [1, 2, 63, 0],
  'POST /products': [1, 3, 8, 2],
  'GET /products/:productId': [1, 2, 3, 0],
  'PUT /products/:productId': [1, 3, 8, 2],
  'PATCH /products/:productId': [1, 3, 8, 2],
  'DELETE /products/:productId': [1, 4, 11, 2],
  'GET /coupon-codes': [1, 2, 63, 0],
  'POST /coupon-codes': [1, 3, 10, 3],
  'GET /coupon-codes/:codeId': [1, 2, 3, 0],
  'PUT /coupon-codes/:codeId': [1, 3, 9, 3],
  'PATCH /coupon-codes/:codeId': [1, 3, 8, 2],
  'DELETE /coupon-codes/:codeId': [1, 4, 11, 2],
  // Of test/fixtures.
  'GET /products/count': [1, 2, 63, 0],
  'POST /products/:productId/archive': [1, 3, 8, 2],
  'GET /coupon-codes/count': [1, 2, 63, 0],
  'POST /coupon-codes/:codeId/redeem': [1, 3, 8, 2],
};

it.each(operations)('The cost of each operation is known: $name', async (operation) => {
  await prepare(operation, brand, ids);
  const metered = meter();
  const options = { headers: bearer(brand), db: metered.db };
  const answer = await perform(operation, ids, options);
  expect(
    answer.status,
    `${operation.name} does not succeed with what makeResources creates, so no test of all operations has seen it work. Say in its "needs" in test/support/operations.ts what its resource must be changed to. It answers: ${answer.text.slice(0, 200)}`,
  ).toBe(operation.status);
  expect(costOf(metered), HINT).toEqual(costs[operation.name]);
});

it.each(registered)('The costs have operations of each collection: $path', ({ path }) => {
  const known = Object.keys(costs).filter((name) => name.split(/[ /]+/)[1] === path);
  expect(known.length, HINT).toBeGreaterThan(0);
});

const requests: readonly [method: string, path: string, body: unknown, cost: Cost][] = [
  ['GET', '/products?limit=50', undefined, [1, 2, 53, 0]],
  ['GET', '/products?storeProductId=gid://shop/Product/107', undefined, [1, 2, 4, 0]],
  ['GET', '/products?sku=A-107', undefined, [1, 2, 63, 0]],
  [
    'GET',
    '/products?storeProductId=gid://shop/Product/107&storeProductId=gid://shop/Product/108',
    undefined,
    [1, 2, 12, 0],
  ],
  ['GET', '/products?sku=A-107&sku=A-108', undefined, [1, 2, 65, 0]],
  ['GET', '/coupon-codes?code=code107', undefined, [1, 2, 3, 0]],
  ['GET', '/coupon-codes?code=code107&code=CODE108', undefined, [1, 2, 10, 0]],
  ['GET', '/coupon-codes?storeDiscountId=gid://shop/Discount/107', undefined, [1, 2, 63, 0]],
  ['PATCH', '/profile', {}, [1, 2, 3, 0]],
  ['POST', '/products', { title: 'Linked', priceCents: 1, storeProductId: 'p/new' }, [1, 3, 8, 3]],
  [
    'POST',
    '/products',
    { products: Array.from({ length: 100 }, () => ({ title: 'Many', priceCents: 1 })) },
    [1, 3, 206, 200],
  ],
  ['POST', '/coupon-codes', { couponCodes: newCodes(100, 'M') }, [1, 3, 307, 300]],
  ['POST', '/coupon-codes', { code: 'CODE107', discountPercent: 10 }, [1, 3, 9, 0]],
];
it.each(requests)(
  'A request costs what is written here: %s %s, number %#',
  async (method, path, body, cost) => {
    const metered = meter();
    await brand.send(method, path, body, { db: metered.db });
    expect(costOf(metered)).toEqual(cost);
  },
);

it.each([
  ['POST', '/products', { title: 'New', priceCents: 1 }, [1, 3, 9, 2]],
  ['PATCH', '/products/:id', { priceCents: 2 }, [1, 3, 9, 2]],
  ['PUT', '/products/:id', { ...linked, priceCents: 2 }, [1, 3, 9, 3]],
  ['DELETE', '/products/:id', undefined, [1, 4, 12, 2]],
] as const)(
  'A request costs what is written here in a brand that has deleted something: %s %s',
  async (method, path, body, cost) => {
    const { id } = await brand.create('/products', linked);
    const gone = await brand.create('/products', { title: 'Gone', priceCents: 1 });
    await brand.send('DELETE', `/products/${gone.id}`);
    const metered = meter();
    await brand.send(method, path.replace(':id', id), body, { db: metered.db });
    expect(costOf(metered)).toEqual(cost);
  },
);

it('A POST with an Idempotency-Key costs what is written here, the first time and the second', async () => {
  const headers = { 'Idempotency-Key': 'costs' };
  const body = { title: 'Once', priceCents: 1 };
  for (const cost of [
    [1, 5, 13, 3],
    [1, 5, 9, 0],
  ]) {
    const metered = meter();
    await brand.send('POST', '/products', body, { headers, db: metered.db });
    expect(costOf(metered)).toEqual(cost);
  }
});

it.each(withBody)(
  'An operation with a bad body costs one call, and writes nothing: $name',
  async (operation) => {
    const metered = meter();
    const bodies: readonly [raw: string, status: number][] = [
      ['{', 400],
      ['', 400],
      ['{"nosuchfield":1}', 400],
      [`"${'x'.repeat(256 * 1024)}"`, 413],
    ];
    for (const [raw, status] of bodies) {
      const options = { headers: bearer(brand), raw, db: metered.db };
      expect((await perform(operation, ids, options)).status).toBe(status);
    }
    expect([metered.calls, metered.rowsWritten]).toEqual([bodies.length, 0]);
  },
);

function costOf({ calls, statements, rowsRead, rowsWritten }: ReturnType<typeof meter>): Cost {
  return [calls, statements, rowsRead, rowsWritten];
}
