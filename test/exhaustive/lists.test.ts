import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { app } from '../../src/app.ts';
import { STALL_LIMIT } from '../../src/http/streamed-body.ts';
import { revokeKey } from '../support/operator.ts';
import type { Resource } from '../support/brand.ts';
import { execute, resourcesOf, TestBrand } from '../support/brand.ts';
import { interceptD1 } from '../support/intercept-d1.ts';
import { withNewKey } from '../support/keys.ts';
import { makeProducts } from '../support/make.ts';
import { meter } from '../support/meter.ts';
import { eventually } from '../support/eventually.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The answer to a list of products, its body not read yet. */
async function open(brand: TestBrand, method: string, db: D1Database): Promise<Response> {
  return app.request(
    'http://api.test/api/brand/v1/products',
    { method, headers: { Authorization: `Bearer ${brand.issued.apiKey}` } },
    { ...env, DB: db },
  );
}

/** A binding of which the call of a number does something else, and that counts its calls. */
function instead(
  turn: number,
  act: (call: () => Promise<unknown>) => Promise<unknown>,
): { readonly db: D1Database; readonly calls: () => number } {
  let calls = 0;
  const db = interceptD1(env.DB, (call) => (++calls === turn ? act(call) : call()));
  return { db, calls: () => calls };
}

const overloaded = (): Promise<unknown> =>
  Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Requests queued for too long.'));

/** What is written to the log, line by line. */
function watchLog(): () => string[] {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  return () => log.mock.calls.map(([line]) => String(line));
}

/** A brand of as many products as three calls read, which tests only read. */
let large: TestBrand;
let made: readonly Resource[];

beforeAll(async () => {
  large = await TestBrand.create();
  made = await makeProducts(large, 2100);
});

it.each([
  { count: 0, calls: 1 },
  { count: 1, calls: 1 },
  { count: 1023, calls: 1 },
  { count: 1024, calls: 1 },
  { count: 1025, calls: 2 },
  { count: 2100, calls: 3 },
])(
  'The complete list holds all products, oldest first, in as few D1 calls as it can: $count, $calls',
  async ({ count, calls }) => {
    const brand = count === 2100 ? large : await TestBrand.create();
    const expected = count === 2100 ? made : await makeProducts(brand, count);
    const metered = meter();
    const answer = await brand.send('GET', '/products', undefined, metered);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    expect(answer.headers.has('Link')).toBe(false);
    expect(answer.body).toEqual({ products: expected });
    expect(metered.calls).toBe(calls);
    // A row more for each call, which looks the key up.
    expect(metered.rowsRead).toBeLessThanOrEqual(count + 3 * calls);
  },
);

it.each(['storeProductId=p', 'sku=A', 'storeProductId=p&sku=A'])(
  'The complete list is complete with a filter: %s',
  async (query) => {
    const brand = await TestBrand.create();
    const made = await makeProducts(brand, 1100, (index) =>
      index % 20 === 0 ? { sku: 'B', storeProductId: 'q' } : { sku: 'A', storeProductId: 'p' },
    );
    const found = await brand.list(`/products?${query}`);
    expect(found).toEqual(made.filter(({ sku }) => sku === 'A'));
  },
);

it('The complete list is read in several calls if the products are huge', async () => {
  const brand = await TestBrand.create();
  const description = '€'.repeat(65_000);
  const huge: Resource[] = [];
  for (let request = 0; request < 5; request++) {
    huge.push(...(await makeProducts(brand, 10, () => ({ description }))));
  }
  const metered = meter();
  const answer = await brand.send('GET', '/products', undefined, metered);
  expect(answer.body).toEqual({ products: huge });
  // One learns how long they are. 8 MiB hold 43 of their texts.
  expect(metered.calls).toBe(4);
});

it('The complete list keeps the order of creation when an old product changes', async () => {
  const brand = await TestBrand.create();
  const made = await makeProducts(brand, 3);
  await brand.send('PATCH', `/products/${made[0]?.id ?? ''}`, { title: 'Changed' });
  const ids = (await brand.list('/products')).map(({ id }) => id);
  expect(ids).toEqual(made.map(({ id }) => id));
});

it('The complete list of coupon codes is complete and in order too', async () => {
  const brand = await TestBrand.create();
  const couponCodes = Array.from({ length: 500 }, (_, index) => ({
    code: `CODE${1000 - index}`,
    discountPercent: 5,
  }));
  const made = [
    ...resourcesOf(await brand.send('POST', '/coupon-codes', { couponCodes })),
    await brand.create('/coupon-codes', { code: 'LAST', discountPercent: 5 }),
  ];
  const answer = await brand.send('GET', '/coupon-codes');
  expect(answer.body).toEqual({ couponCodes: made });
});

it('The complete list is read only as far as the client reads', async () => {
  const metered = meter();
  const response = await open(large, 'GET', metered.db);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(metered.calls).toBeLessThanOrEqual(2);
  await response.text();
  expect(metered.calls).toBe(3);
});

it.each([2, 3])(
  'A list is aborted if a further D1 call fails, and the log shows it: call %i',
  async (turn) => {
    const logged = watchLog();
    const response = await open(large, 'GET', instead(turn, overloaded).db);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await eventually(() => {
      expect(logged()).toContainEqual(expect.stringContaining('"level":"error"'));
      expect(logged()).toContainEqual(expect.stringContaining('"ended":"failed"'));
    });
  },
);

it('A list returns 503 if the first call fails', async () => {
  expect((await open(large, 'GET', instead(1, overloaded).db)).status).toBe(503);
});

it('A list is complete after a transient failure', async () => {
  const lost = instead(2, () => Promise.reject(new Error('D1_ERROR: Network connection lost.')));
  const answer = await large.send('GET', '/products', undefined, { db: lost.db });
  expect(answer.body).toEqual({ products: made });
  expect(lost.calls()).toBe(4);
});

it('A list is aborted if the key is revoked meanwhile', async () => {
  const own = await withNewKey(large);
  const revoked = instead(2, async (call) => {
    await revokeKey(execute, own.issued.keyId);
    return call();
  });
  const response = await open(own, 'GET', revoked.db);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  expect(revoked.calls()).toBe(2);
});

it.each([1, 2100])(
  'A list has the same headers for HEAD as for GET, and is logged: %i products',
  async (count) => {
    const brand = count === 2100 ? large : await TestBrand.create();
    if (brand !== large) await makeProducts(brand, count);
    const metered = meter();
    const logged = watchLog();
    const head = await open(brand, 'HEAD', metered.db);
    expect(head.status).toBe(200);
    expect(head.headers.get('Content-Type')).toBe('application/json');
    expect(head.headers.has('x-d1-bookmark')).toBe(true);
    expect(await head.text()).toBe('');
    expect(metered.calls).toBeLessThanOrEqual(2);
    await eventually(() => {
      expect(logged()).toContainEqual(expect.stringContaining('"method":"HEAD"'));
    });
  },
);

it('A list stops if the client disconnects, is logged, and does not affect the service', async () => {
  const metered = meter();
  const logged = watchLog();
  const response = await open(large, 'GET', metered.db);
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await eventually(() => {
    expect(logged()).toContainEqual(expect.stringContaining('"ended":"aborted"'));
  });
  expect(logged().join()).not.toContain('"level":"error"');
  expect(metered.calls).toBeLessThanOrEqual(3);
  expect((await large.send('GET', '/products')).body).toEqual({ products: made });
});

it.each([0, 1])(
  'A list is aborted after two minutes if the client does not read: %i chunks',
  async (taken) => {
    const logged = watchLog();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const reader = (await open(large, 'GET', env.DB)).body?.getReader();
      for (let chunk = 0; chunk < taken; chunk++) await reader?.read();

      await vi.advanceTimersByTimeAsync(STALL_LIMIT - 1);
      expect(logged()).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);

      await expect(reader?.read()).rejects.toThrow();
      expect(logged()).toEqual([expect.stringContaining('"ended":"stalled"')]);
    } finally {
      vi.useRealTimers();
    }
  },
);
