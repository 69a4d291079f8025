import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../src/auth/api-key.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { collections, couponCodes } from './support/collections.ts';
import type { TestCollection } from './support/collections/collection.ts';
import type { UnusableKeys } from './support/keys.ts';
import { makeUnusableKeys, withKey } from './support/keys.ts';
import type { Meter } from './support/meter.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  itemPath,
  makeResources,
  onItems,
  operations,
  perform,
  writes,
} from './support/operations.ts';

let brand: TestBrand;
let ids: Ids;
let unusable: UnusableKeys;
let count: Meter;

/** Several brands, each with several rows and keys: what reads too much shows only among others. */
beforeAll(async () => {
  for (let neighbour = 0; neighbour < 3; neighbour++) {
    const other = await TestBrand.create();
    await withKey(other);
    for (const of of collections) await fill(other, of, 20);
  }
  brand = await TestBrand.create();
  unusable = await makeUnusableKeys(brand);
  for (const of of collections) await fill(brand, of, 20);
});

beforeEach(async () => {
  ids = await makeResources(brand);
  count = meter();
});

async function fill(owner: TestBrand, of: TestCollection, items: number): Promise<void> {
  for (let item = 0; item < items; item++) {
    await owner.create(of.path, { ...of.bare(item), [of.key]: of.values[of.key]?.(item) });
  }
}

describe('reading', () => {
  it.each(collections.flatMap((of) => [0, 1, 50].map((items) => ({ of, items }))))(
    'a list of $items $of.path reads $items + 12 rows at most',
    async ({ of, items }) => {
      const owner = await TestBrand.create();
      await fill(owner, of, items);
      const answer = await owner.send('GET', of.path, undefined, { db: count.db });
      expect(Object.values(answer.body)).toEqual([expect.objectContaining({ length: items })]);
      expect(count.rowsRead).toBeGreaterThanOrEqual(items);
      expect(count.rowsRead).toBeLessThanOrEqual(items + 12);
      expect(count.rowsWritten).toBe(0);
    },
  );
});

describe('a write that changes nothing writes no row', () => {
  it.each(['/profile', ...collections.map(({ path }) => `${path}/:id`)])(
    'PUT of %s as it is',
    async (path) => {
      const current = await brand.send('GET', named(path));
      const body = path === '/profile' ? current.body : resourceOf(current);
      const answer = await brand.send('PUT', named(path), body, { db: count.db });
      expect([answer.status, answer.body]).toEqual([200, current.body]);
      expect(count.rowsWritten).toBe(0);
    },
  );

  it.each(['/products', '/coupon-codes'])(
    'the same PUT of %s with a store id twice',
    async (path) => {
      const linked =
        path === '/products'
          ? { title: 'Linked', priceCents: 1, storeProductId: 'gid://shopify/Product/1' }
          : { code: 'LINKED', discountPercent: 1, storeDiscountId: 'gid://shopify/Discount/1' };
      const { id } = await brand.create(path, linked);
      const first = await brand.send('PUT', `${path}/${id}`, linked);
      const again = await brand.send('PUT', `${path}/${id}`, linked, { db: count.db });
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(count.rowsWritten).toBe(0);
    },
  );

  const patches: readonly [path: string, body: object][] = [
    ['/profile', {}],
    ['/profile', { brand: {}, connection: {} }],
    ['/profile', { brand: { brandName: 'Test brand' }, connection: { syncEnabled: false } }],
    ['/products/:id', {}],
    ['/products/:id', { title: 'Item 1', sku: null, imageUrls: [], featured: false }],
    ['/coupon-codes/:id', {}],
    ['/coupon-codes/:id', { discountPercent: 2, maxUses: null, active: true }],
  ];
  it.each(patches)('PATCH of %s with %j', async (path, body) => {
    const before = await brand.send('GET', named(path));
    const answer = await brand.send('PATCH', named(path), body, { db: count.db });
    expect([answer.status, answer.body]).toEqual([200, before.body]);
    expect(count.rowsWritten).toBe(0);
  });

  it.each(['POST', 'PUT', 'PATCH'])('%s of a coupon code that exists', async (method) => {
    const path = method === 'POST' ? '/coupon-codes' : itemPath(couponCodes, ids);
    const body = { code: 'code1', discountPercent: 99 };
    const answer = await brand.send(method, path, body, { db: count.db });
    expect(answer.status).toBe(409);
    expect(count.rowsWritten).toBe(0);
  });

  it.each(onItems)("$name with another brand's ids", async (operation) => {
    const stranger = await TestBrand.create();
    const answer = await perform(operation, ids, { headers: bearer(stranger), db: count.db });
    expect(answer.status).toBe(404);
    expect(count.rowsWritten).toBe(0);
  });

  it.each(operations)('$name with an invalid key', async (operation) => {
    const { revoked, expired } = unusable;
    for (const key of [generateApiKey(), revoked, expired]) {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await perform(operation, ids, { headers, db: count.db });
      expect(answer.status).toBe(401);
    }
    expect(count.calls).toBe(3);
    expect(count.rowsWritten).toBe(0);
  });

  it.each(writes)('$name with a read-only key', async (operation) => {
    const reader = await withKey(brand, { scope: 'read' });
    const answer = await perform(operation, ids, { headers: bearer(reader), db: count.db });
    expect(answer.status).toBe(403);
    expect(count.rowsWritten).toBe(0);
  });
});

function named(path: string): string {
  const of = collections.find((one) => path === `${one.path}/:id`);
  return of === undefined ? path : itemPath(of, ids);
}
