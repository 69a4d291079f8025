import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { deleteExpiredRecords, deleteInSteps } from '../src/db/sweep.ts';
import worker from '../src/index.ts';
import type { Answer } from './support/brand.ts';
import { execute, TestBrand } from './support/brand.ts';
import { D1_ERRORS, failing } from './support/faults.ts';
import { keysOf, withIdempotencyKey } from './support/idempotency.ts';

const PRODUCT = { title: 'Bar', priceCents: 1 };
const HOUR = 3_600_000;

/** Makes a record look older than it is. */
async function age({ issued }: TestBrand, key: string, milliseconds: number): Promise<void> {
  const { meta } = await env.DB.prepare(
    'update idempotency_records set created_at = ? where brand_id = ? and key = ?',
  )
    .bind(new Date(Date.now() - milliseconds).toISOString(), issued.brandId, key)
    .run();
  expect(meta.changes).toBe(1);
}

it('A record is valid for 24 hours, and the next POST starts a new period', async () => {
  const brand = await TestBrand.create();
  const post = async (priceCents: number): Promise<[number, string | null]> => {
    const body = { ...PRODUCT, priceCents };
    const { status, headers } = await brand.send(
      'POST',
      '/products',
      body,
      withIdempotencyKey('key-1'),
    );
    return [status, headers.get('Idempotent-Replayed')];
  };
  expect(await post(1)).toEqual([201, null]);
  await age(brand, 'key-1', 24 * HOUR - 60_000);
  expect(await post(1)).toEqual([201, 'true']);
  expect(await post(2)).toEqual([422, null]);
  await age(brand, 'key-1', 24 * HOUR + 60_000);
  expect(await post(2)).toEqual([201, null]);
  expect(await post(2)).toEqual([201, 'true']);
  expect(await post(1)).toEqual([422, null]);
  expect(await brand.list('/products')).toHaveLength(2);
});

it.each([
  ['/products', PRODUCT, { ...PRODUCT, priceCents: 2 }],
  ['/products?match=sku', { products: [{ ...PRODUCT, sku: 'A' }] }, { products: [{ sku: 'A' }] }],
])(
  'A record expires by one time for all statements of a call: POST %s',
  async (path, first, other) => {
    const brand = await TestBrand.create();
    const post = (body: object): Promise<Answer> =>
      brand.send('POST', path, body, withIdempotencyKey('key-1'));
    await post(first);
    await age(brand, 'key-1', 24 * HOUR + 60_000);
    // SQLite's own time moves on between statements; this one does not. Not to the future, from which ids do not come back.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - HOUR });
    try {
      expect((await post(other)).status).toBe(422);
    } finally {
      vi.useRealTimers();
    }
    const { status, headers } = await post(other);
    expect([status < 300, headers.get('Idempotent-Replayed')]).toEqual([true, null]);
    expect((await post(first)).status).toBe(422);
  },
);

it('A record returns the original time of creation, to the millisecond', async () => {
  const brand = await TestBrand.create();
  for (let round = 0; round < 20; round++) {
    const couponCodes = Array.from({ length: 250 }, (_, index) => ({
      code: `C${round}-${index}`,
      discountPercent: 5,
      storeDiscountId: 'd/1',
    }));
    const post = (): Promise<Answer> =>
      brand.send('POST', '/coupon-codes', { couponCodes }, withIdempotencyKey(`key-${round}`));
    const first = await post();
    expect((await post()).text).toBe(first.text);
  }
});

it('A record that has expired lets one of twenty create, and the others replay', async () => {
  const brand = await TestBrand.create();
  await brand.send('POST', '/products', PRODUCT, withIdempotencyKey('key-1'));
  await age(brand, 'key-1', 25 * HOUR);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      brand.send('POST', '/products', PRODUCT, withIdempotencyKey('key-1')),
    ),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await brand.list('/products')).toHaveLength(2);
});

it('A record that has expired survives a POST that fails', async () => {
  const brand = await TestBrand.create();
  const code = { code: 'SAVE10', discountPercent: 10 };
  await brand.send('POST', '/coupon-codes', code, withIdempotencyKey('key-1'));
  await age(brand, 'key-1', 25 * HOUR);
  const answer = await brand.send('POST', '/coupon-codes', code, withIdempotencyKey('key-1'));
  expect(answer.status).toBe(409);
  expect(await brand.list('/coupon-codes')).toHaveLength(1);
});

async function brandWithRecords(): Promise<TestBrand> {
  const brand = await TestBrand.create();
  for (const key of ['new', 'young', 'old', 'ancient']) {
    await brand.send('POST', '/products', PRODUCT, withIdempotencyKey(key));
  }
  await age(brand, 'young', 24 * HOUR - 60_000);
  await age(brand, 'old', 24 * HOUR + 60_000);
  await age(brand, 'ancient', 1000 * HOUR);
  return brand;
}

it('The daily sweep deletes the records of all brands that are older than 24 hours, and nothing else', async () => {
  const brands = [await brandWithRecords(), await brandWithRecords()];
  expect((await deleteInSteps(env.DB, deleteExpiredRecords, 20)).removed).toBeGreaterThanOrEqual(4);
  for (const brand of brands) {
    expect(await keysOf(brand)).toEqual(['new', 'young']);
    expect(await brand.list('/products')).toHaveLength(4);
  }
  expect(await deleteInSteps(env.DB, deleteExpiredRecords, 20)).toEqual({
    removed: 0,
    hasMore: false,
  });
});

it('The daily sweep runs on the schedule of the Worker', async () => {
  const brand = await brandWithRecords();
  await worker.scheduled(createScheduledController(), env);
  expect(await keysOf(brand)).toEqual(['new', 'young']);
});

it('The daily sweep is followed by the removal of tombstones, even if it fails', async () => {
  const brand = await TestBrand.create();
  for (let n = 0; n < 2; n++) {
    const { id } = await brand.create('/products', PRODUCT);
    await brand.send('DELETE', `/products/${id}`);
  }
  const { brandId } = brand.issued;
  await execute(
    sql`update tombstones set deleted_at = '2020-01-01T00:00:00.000Z' where brand_id = ${brandId}`,
  );
  const { db } = failing(env.DB, { text: D1_ERRORS.bug[0], moment: 'before', times: 1 });
  const run = worker.scheduled(createScheduledController(), { ...env, DB: db });
  await expect(run).rejects.toThrow(D1_ERRORS.bug[0]);
  const [left] = await execute(sql`select id from tombstones where brand_id = ${brandId}`);
  expect(left).toHaveLength(1);
});

it('The daily sweep tries again if D1 loses its answer', async () => {
  const brand = await TestBrand.create();
  await brand.send('POST', '/products', PRODUCT, withIdempotencyKey('old'));
  await age(brand, 'old', 25 * HOUR);
  const fault = { text: D1_ERRORS.lost[0], moment: 'after', times: 1 } as const;
  await worker.scheduled(createScheduledController(), { ...env, DB: failing(env.DB, fault).db });
  expect(await keysOf(brand)).toEqual([]);
});

it('The daily sweep runs in batches if there are many records', { timeout: 60_000 }, async () => {
  const brand = await TestBrand.create();
  await env.DB.prepare(
    `insert into idempotency_records (brand_id, key, fingerprint, request, created_at, results)
       select ?1, 'key-' || value, ?2, substr(?2, 1, 36), '2020-01-01T00:00:00.000Z', '[]' from
       (with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < 12000) select value from numbers)`,
  )
    .bind(brand.issued.brandId, '0'.repeat(64))
    .run();
  // At its limit it says that there may be more.
  expect(await deleteInSteps(env.DB, deleteExpiredRecords, 1)).toEqual({
    removed: 5000,
    hasMore: true,
  });
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  // With so many databases, each gets one step.
  const peers = Object.fromEntries(
    Array.from({ length: 170 }, (_, n) => [`DB_${n + 1}`, undefined]),
  );
  await worker.scheduled(createScheduledController(), { ...env, ...peers });
  const [line] = log.mock.calls.map(([text]): unknown => JSON.parse(String(text)));
  log.mockRestore();
  expect(line).toMatchObject({ removed: 5000, more: true });
  expect((await deleteInSteps(env.DB, deleteExpiredRecords, 20)).removed).toBeGreaterThanOrEqual(
    2000,
  );
  expect(await keysOf(brand)).toEqual([]);
});
