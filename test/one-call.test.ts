import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resourceOf, send, TestBrand } from './support/brand.ts';
import { collections, couponCodes } from './support/collections.ts';
import type { UnusableKeys } from './support/keys.ts';
import { makeUnusableKeys, misspell, withKey } from './support/keys.ts';
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
  withBody,
  writes,
} from './support/operations.ts';

// The calls to D1 of what is refused and of what changes nothing, neither of which writes a row. What succeeds is in
// the table of `costs.test.ts`.

let brand: TestBrand;
let reader: TestBrand;
let unusable: UnusableKeys;
let foreign: Ids;
let ids: Ids;
let count: Meter;

beforeAll(async () => {
  foreign = await makeResources(await TestBrand.create());
  brand = await TestBrand.create();
  reader = await withKey(brand, { scope: 'read' });
  unusable = await makeUnusableKeys(brand);
});

beforeEach(async () => {
  ids = await makeResources(brand);
  count = meter();
});

const absent = '01890000-0000-7000-8000-000000000000';

/** Expects one call to D1 for each request so far, and no row written. */
function expectCalls(calls: number): void {
  expect([count.calls, count.rowsWritten]).toEqual([calls, 0]);
}

describe('one call to D1, and no row written', () => {
  it.each(operations)('by $name with a key that is not valid', async (operation) => {
    for (const key of Object.values(unusable)) {
      const headers = { Authorization: `Bearer ${String(key)}` };
      expect((await perform(operation, ids, { headers, db: count.db })).status).toBe(401);
    }
    expectCalls(3);
  });

  it.each(writes)('by $name with a read-only key', async (operation) => {
    const answer = await perform(operation, ids, { headers: bearer(reader), db: count.db });
    expect(answer.status).toBe(403);
    expectCalls(1);
  });

  it.each(withBody)('by $name with a bad body', async (operation) => {
    const bodies: readonly [raw: string, status: number][] = [
      ['{', 400],
      ['', 400],
      ['{"nosuchfield":1}', 400],
      [`"${'x'.repeat(2 * 1024 * 1024)}"`, 413],
    ];
    for (const [raw, status] of bodies) {
      const answer = await perform(operation, ids, { headers: bearer(brand), raw, db: count.db });
      expect(answer.status).toBe(status);
    }
    expectCalls(bodies.length);
  });

  it.each(onItems)("by $name of what is not the brand's", async (operation) => {
    const unfound: readonly Ids[] = [() => absent, () => '42', foreign];
    for (const named of unfound) {
      const options = { headers: bearer(brand), db: count.db };
      const answer = await perform(operation, named, options);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ error: `${operation.noun ?? ''} not found.` });
    }
    expectCalls(unfound.length);
  });

  it.each(['POST', 'PUT', 'PATCH'])('by %s of a coupon code that exists', async (method) => {
    const own = await TestBrand.create();
    await own.create('/coupon-codes', { code: 'TAKEN', discountPercent: 5 });
    const item = itemPath(couponCodes, await makeResources(own));
    const body = { code: 'Taken', discountPercent: 5 };
    const path = method === 'POST' ? '/coupon-codes' : item;
    const answer = await own.send(method, path, body, { db: count.db });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: 'Coupon code "Taken" already exists.' });
    expectCalls(1);
  });

  it.each(['/profile', ...collections.map(({ path }) => path)])('by HEAD %s', async (path) => {
    const answer = await brand.send('HEAD', path, undefined, { db: count.db });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expectCalls(1);
  });

  const same: readonly [method: string, path: string, body?: object][] = [
    ['PUT', '/profile'],
    ['PUT', '/products/:id'],
    ['PUT', '/coupon-codes/:id'],
    ['PATCH', '/profile', {}],
    ['PATCH', '/profile', { brand: {}, connection: {} }],
    ['PATCH', '/profile', { connection: { syncEnabled: false } }],
    ['PATCH', '/products/:id', {}],
    ['PATCH', '/products/:id', { sku: null, imageUrls: [], featured: false }],
    ['PATCH', '/coupon-codes/:id', {}],
    ['PATCH', '/coupon-codes/:id', { maxUses: null, active: true }],
  ];
  it.each(same)('by %s %s with what is there, %j', async (method, template, body) => {
    const of = collections.find(({ path }) => template.startsWith(path));
    const path = of === undefined ? template : itemPath(of, ids);
    const current = await brand.send('GET', path);
    const stored = of === undefined ? current.body : resourceOf(current);
    const answer = await brand.send(method, path, body ?? stored, { db: count.db });
    expect([answer.status, answer.body]).toEqual([200, current.body]);
    expectCalls(1);
  });
});

describe('no call to D1', () => {
  it.each(operations)('by $name without one key in its form', async (operation) => {
    const unusable = [
      {},
      { Authorization: `Bearer ${misspell(brand.issued.apiKey, 30)}` },
      { ...bearer(brand), 'x-service-api-key': reader.issued.apiKey },
    ];
    for (const headers of unusable) {
      expect((await perform(operation, ids, { headers, db: count.db })).status).toBe(401);
    }
    expectCalls(0);
  });

  it.each([
    ['GET', '/', 404],
    ['GET', '/api/brand/v1', 404],
    ['GET', '/api/brand/v1/nothing', 404],
    ['GET', '/api/brand/v1/products/', 404],
    ['POST', '/api/brand/v1/Products', 404],
    ['GET', '/api/brand/v2/products', 404],
    ['GET', `/api/brand/v1/products/${absent}/more`, 404],
    ['POST', '/api/brand/v1/profile', 405],
    ['DELETE', '/api/brand/v1/profile', 405],
    ['PUT', '/api/brand/v1/products', 405],
    ['DELETE', '/api/brand/v1/coupon-codes', 405],
    ['POST', `/api/brand/v1/products/${absent}`, 405],
    ['POST', `/api/brand/v1/coupon-codes/${absent}`, 405],
    ['OPTIONS', '/api/brand/v1/profile', 204],
    ['OPTIONS', '/api/brand/v1/products', 204],
    ['OPTIONS', `/api/brand/v1/coupon-codes/${absent}`, 204],
  ])('by %s %s, even with a good key', async (method, path, status) => {
    for (const headers of [bearer(brand), {}]) {
      expect((await send(method, path, { headers, db: count.db })).status).toBe(status);
    }
    expectCalls(0);
  });
});
