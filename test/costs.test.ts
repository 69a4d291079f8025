import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { brandMark, encodeToken } from '../src/collection/change-token.ts';
import { products } from '../src/resources/products.ts';
import { TestBrand } from './support/brand.ts';
import { withKey } from './support/keys.ts';
import { makeProducts } from './support/make.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import { bearer, makeResources, operations, perform } from './support/operations.ts';

// What each operation costs in D1, to the row: what D1 bills, and what no machine's speed has a part in.
// A figure that changes here changes the bill; so it is to change on purpose, in either direction.

/** Calls, statements, rows read, rows written. */
type Cost = readonly [number, number, number, number];

const ITEMS = 60;

let brand: TestBrand;
let ids: Ids;

/** Brands of several keys and many rows: what reads too much shows only among others. */
beforeAll(async () => {
  for (let neighbour = 0; neighbour < 3; neighbour++) {
    const other = await TestBrand.create();
    await withKey(other);
    await fill(other);
  }
});

beforeEach(async () => {
  brand = await TestBrand.create();
  await withKey(brand, { scope: 'read' });
  await fill(brand);
  ids = await makeResources(brand);
});

async function fill(owner: TestBrand): Promise<void> {
  await makeProducts(owner, ITEMS, (index) => ({ storeProductId: `p/${index}`, sku: `S${index}` }));
  await owner.send('POST', '/coupon-codes', { couponCodes: newCodes(ITEMS, 'C') });
}

function newCodes(count: number, prefix: string): unknown[] {
  return Array.from({ length: count }, (_, index) => ({
    code: `${prefix}${index}`,
    discountPercent: 10,
    storeDiscountId: `d/${index}`,
  }));
}

describe('the cost of', () => {
  const costs: Readonly<Record<string, Cost>> = {
    'GET /profile': [1, 1, 2, 0],
    'PUT /profile': [1, 2, 5, 0],
    'PATCH /profile': [1, 2, 5, 1],
    'GET /products': [1, 2, 73, 0],
    'POST /products': [1, 2, 11, 2],
    'GET /products/:productId': [1, 1, 2, 0],
    'PUT /products/:productId': [1, 2, 8, 2],
    'PATCH /products/:productId': [1, 2, 8, 2],
    'DELETE /products/:productId': [1, 3, 16, 2],
    'GET /coupon-codes': [1, 2, 73, 0],
    'POST /coupon-codes': [1, 2, 17, 3],
    'GET /coupon-codes/:codeId': [1, 1, 2, 0],
    'PUT /coupon-codes/:codeId': [1, 2, 10, 3],
    'PATCH /coupon-codes/:codeId': [1, 2, 8, 2],
    'DELETE /coupon-codes/:codeId': [1, 3, 16, 2],
  };

  it.each(operations)('$name', async (operation) => {
    const metered = meter();
    const options = { headers: bearer(brand), db: metered.db };
    const answer = await perform(operation, ids, options);
    expect(answer.status).toBe(operation.status);
    expect(costOf(metered)).toEqual(costs[operation.name]);
  });

  const requests: readonly [method: string, path: string, body: unknown, cost: Cost][] = [
    ['GET', '/products?limit=50', undefined, [1, 2, 53, 0]],
    ['GET', '/products?storeProductId=p/7', undefined, [1, 2, 4, 0]],
    ['GET', '/products?sku=S7', undefined, [1, 2, 73, 0]],
    ['GET', '/coupon-codes?code=c7', undefined, [1, 2, 3, 0]],
    ['GET', '/coupon-codes?storeDiscountId=d/7', undefined, [1, 2, 73, 0]],
    ['PATCH', '/profile', {}, [1, 1, 2, 0]],
    [
      'POST',
      '/products',
      { title: 'Linked', priceCents: 1, storeProductId: 'p/new' },
      [1, 2, 11, 3],
    ],
    [
      'POST',
      '/products',
      { products: Array.from({ length: 100 }, () => ({ title: 'Many', priceCents: 1 })) },
      [1, 2, 308, 200],
    ],
    ['POST', '/coupon-codes', { couponCodes: newCodes(100, 'M') }, [1, 2, 710, 300]],
    ['POST', '/coupon-codes', { code: 'C7', discountPercent: 10 }, [1, 2, 6, 0]],
  ];
  it.each(requests)('%s %s, number %#', async (method, path, body, cost) => {
    const metered = meter();
    await brand.send(method, path, body, { db: metered.db });
    expect(costOf(metered)).toEqual(cost);
  });

  it('a POST with an Idempotency-Key, the first time and the second', async () => {
    const headers = { 'Idempotency-Key': 'costs' };
    const body = { title: 'Once', priceCents: 1 };
    for (const cost of [
      [1, 3, 17, 3],
      [1, 3, 14, 0],
    ]) {
      const metered = meter();
      await brand.send('POST', '/products', body, { headers, db: metered.db });
      expect(costOf(metered)).toEqual(cost);
    }
  });
});

describe('staying in step', () => {
  /** Brands of these sizes, filled past the API to be quick; the costs are the same. */
  const sizes = [1000, 20_000];

  async function filled(size: number): Promise<TestBrand> {
    const owner = await TestBrand.create();
    await owner.create('/products', { title: 'First', priceCents: 1 });
    const columns = `title, description, handle, price_cents, currency_code, discount_percent, featured, image_urls,
      marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status`;
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
      insert into products (brand_id, id, revision, created_at, updated_at, change_number, sku, store_product_id, ${columns})
      select brand_id, printf('01890000-0000-7000-8000-%012d', i), printf('01890000-0000-7000-8000-%012d', i),
        created_at, updated_at, 1 + i, 'S' || i, 'p/' || i, ${columns}
      from n, products where brand_id = ?1 and change_number = 1`,
    )
      .bind(owner.issued.brandId, size)
      .run();
    return owner;
  }

  async function cost(
    owner: TestBrand,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ readonly status: number; readonly cost: Cost; readonly since: string }> {
    const metered = meter();
    const answer = await owner.send(method, path, body, { db: metered.db, headers });
    return {
      status: answer.status,
      cost: costOf(metered),
      since: String(answer.body['since']),
    };
  }

  /** A token behind all changes. */
  async function caughtUp(owner: TestBrand): Promise<string> {
    const rows = await env.DB.prepare(
      'select max(change_number) as newest from products where brand_id = ?',
    )
      .bind(owner.issued.brandId)
      .first<number>('newest');
    const collection = products.load();
    const brand = brandMark(owner.issued.brandId);
    const newest = rows ?? 0;
    return encodeToken(collection, { brand, after: newest, deletionsAfter: newest });
  }

  it.each(sizes)(
    'reads for an idle poll and for few changes what they need, among %i products',
    async (size) => {
      const owner = await filled(size);
      const since = await caughtUp(owner);
      const idle = await cost(owner, 'GET', `/products?since=${since}`);
      expect(idle).toEqual({ status: 200, cost: [1, 2, 4, 0], since });

      for (const [index, id] of ['000000000007', '000000000008', '000000000009'].entries()) {
        await owner.send('PATCH', `/products/01890000-0000-7000-8000-${id}`, { priceCents: 5 });
        const polled = await cost(owner, 'GET', `/products?since=${since}`);
        expect(polled.cost[0]).toBe(1);
        expect(polled.cost[2]).toBeLessThanOrEqual(2 * (index + 1) + 6);
      }
      await owner.send('DELETE', '/products/01890000-0000-7000-8000-000000000009');
      await owner.send('DELETE', '/products/01890000-0000-7000-8000-000000000010');
      const polled = await cost(owner, 'GET', `/products?since=${since}`);
      expect(polled.cost[2]).toBeLessThanOrEqual(2 * 4 + 6);
      const again = await cost(owner, 'GET', `/products?since=${polled.since}`);
      expect(again.cost).toEqual([1, 2, 4, 0]);
    },
  );

  const ITEMS_PUSHED = 100;
  const item = (index: number, change: object): object => ({
    id: `01890000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    storeProductId: `p/${index}`,
    sku: `S${index}`,
    title: 'First',
    priceCents: 1,
    ...change,
  });
  const push = (from: number, change: object = {}): object => ({
    products: Array.from({ length: ITEMS_PUSHED }, (_, index) => item(from + index, change)),
  });
  const some = { Prefer: 'return=minimal' };

  it.each(['id', 'storeProductId', 'sku'])(
    'reads for a push by %s what its items need',
    async (match) => {
      const size = 1000;
      const owner = await filled(size);
      const path = `/products?match=${match}`;
      // The brand's rows are read twice where no index serves the field.
      const bound = (rows: number): number =>
        match === 'sku' ? 13 * ITEMS_PUSHED + 2 * rows + 40 : 12 * ITEMS_PUSHED;
      const same = await cost(owner, 'POST', path, push(1));
      const changed = await cost(owner, 'POST', path, push(1, { priceCents: 2 }));
      const repeated = await cost(owner, 'POST', path, push(1, { priceCents: 2 }));
      const onceHeaders = { 'Idempotency-Key': match };
      const recorded = await cost(owner, 'POST', path, push(1, { priceCents: 3 }), onceHeaders);
      const minimal = { ...some, 'Idempotency-Key': `${match}-minimal` };
      const kept = await cost(owner, 'POST', path, push(1, { priceCents: 4 }), minimal);
      const costs = [same, changed, repeated, recorded, kept];
      for (const {
        status,
        cost: [calls, , read],
      } of costs) {
        expect([status, calls]).toEqual([200, 1]);
        expect(read).toBeLessThanOrEqual(bound(size + 1));
      }
      expect(same.cost[3]).toBe(0);
      expect(repeated.cost[3]).toBe(0);
      // An indexed column that an item names costs a written row more, as it does in a PATCH.
      const each = match === 'storeProductId' ? 2 : 3;
      expect(changed.cost[3]).toBe(each * ITEMS_PUSHED);
      expect(recorded.cost[3]).toBe(each * ITEMS_PUSHED + 1);
      if (match === 'id') return;
      const created = await cost(owner, 'POST', path, push(5000));
      expect(created.cost[3]).toBe(3 * ITEMS_PUSHED);
      expect(created.cost[2]).toBeLessThanOrEqual(bound(size + 1));
    },
  );

  it('reads for a push of coupon codes by their code what its items need', async () => {
    const path = '/coupon-codes?match=code';
    const owner = await TestBrand.create();
    for (const [body, written] of [
      [{ couponCodes: newCodes(100, 'P') }, 300],
      [{ couponCodes: newCodes(100, 'P') }, 0],
      [{ couponCodes: newCodes(100, 'p') }, 300],
    ] as const) {
      const pushed = await cost(owner, 'POST', path, body);
      expect(pushed.cost[2]).toBeLessThanOrEqual(1200);
      expect(pushed.cost[3]).toBe(written);
    }
  });
});

function costOf({ calls, statements, rowsRead, rowsWritten }: ReturnType<typeof meter>): Cost {
  return [calls, statements, rowsRead, rowsWritten];
}
