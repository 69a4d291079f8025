import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertKey, newKey } from '../tools/admin/keys.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { resourceOf, resourcesOf } from './support/brand.ts';
import type { Intercept } from './support/d1.ts';
import type { DatabaseNumber } from './support/databases.ts';
import {
  brandIn,
  contentOf,
  executeIn,
  migrateAll,
  PAST,
  relocate,
  setKeys,
  several,
  watch,
} from './support/databases.ts';
import { D1_ERRORS, d1Error } from './support/faults.ts';
import { makeProducts } from './support/make.ts';
import type { Ids } from './support/operations.ts';
import { bearer, makeResources, operations, perform } from './support/operations.ts';

// A brand that has moved is served where it is now, with the keys that it had before. While it moves, it is frozen.

beforeAll(migrateAll);

const PRODUCT = { title: 'Bar', priceCents: 1 };

/** One call to each of these databases. */
function onceEach(numbers: readonly DatabaseNumber[]): object {
  return Object.fromEntries(numbers.map((number) => [number, 1]));
}

/** A brand with resources that has moved along a way, with a key of its first database. */
async function moved(
  first: DatabaseNumber,
  ...way: readonly DatabaseNumber[]
): Promise<{ brand: TestBrand; ids: Ids }> {
  const brand = await brandIn(first);
  const ids = await makeResources(brand);
  for (const to of way) await relocate(brand, to);
  return { brand, ids };
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([
    503,
    { error: 'Service temporarily unavailable.' },
  ]);
  expect(answer.headers.get('Retry-After')).toBe('1');
}

describe.each([{ way: [1, 0] as const }, { way: [0, 1, 2] as const }])(
  'A key on its way $way',
  ({ way }) => {
    it.each(operations)('is served at the end, in one call to each: $name', async (operation) => {
      const { brand, ids } = await moved(way[0], ...way.slice(1));
      const { brandId } = brand.issued;
      // As if the second move had not reached the first database.
      if (way.length === 3) await setKeys(0, brandId, 'moved_to', way[1]);
      const all = (): Promise<string[]> =>
        Promise.all(way.map((number) => contentOf(number, brandId)));
      const before = await all();
      const { options, calls, rowsRead } = watch();
      const answer = await perform(operation, ids, {
        ...{ headers: bearer(brand), service: several },
        ...options,
      });
      expect(answer.status, answer.text).toBe(operation.status);
      expect(calls).toEqual(onceEach(way));
      const after = await all();
      // The brand has the name that the PUT sends.
      const isChange = operation.method !== 'GET' && operation.name !== 'PUT /profile';
      expect(after.pop() !== before.pop()).toBe(isChange);
      expect(after).toEqual(before);
      // The key's row, once for each subselect.
      for (const number of way.slice(0, -1)) expect(rowsRead[number]).toBeLessThanOrEqual(5);
    });
  },
);

describe('Where a brand is at home', () => {
  it.each([
    ['revoked_at', PAST, 401, 401],
    ['expires_at', PAST, 401, 401],
    ['suspended_at', PAST, 403, 403],
    ['scope', 'read', 200, 403],
    ['frozen_at', PAST, 200, 503],
  ] as const)('its keys say %s, and nowhere else', async (column, value, read, write) => {
    const { brand } = await moved(0, 1);
    const { brandId } = brand.issued;
    const statuses = async (): Promise<number[]> => [
      (await brand.send('GET', '/products')).status,
      (await brand.send('POST', '/products', PRODUCT)).status,
      // Refused before any work, so that only the key is looked up.
      (await brand.send('POST', '/products', 'x')).status,
    ];
    await setKeys(0, brandId, column, value);
    expect(await statuses()).toEqual([200, 201, 400]);
    await setKeys(1, brandId, column, value);
    const before = await contentOf(1, brandId);
    expect(await statuses()).toEqual([read, write, write]);
    expect(await contentOf(1, brandId)).toBe(before);
    // A reset of the tokens of all brands is refused while one is frozen, and other files share the database.
    if (column === 'frozen_at') await setKeys(1, brandId, column, null);
  });

  it('a key that nobody issued there is 401', async () => {
    const { brand } = await moved(0, 1);
    const { brandId } = brand.issued;
    const key = await newKey(executeIn(0));
    await executeIn(0)(insertKey(key, brandId, {}));
    await setKeys(0, brandId, 'moved_to', 1);
    const headers = { Authorization: `Bearer ${key.apiKey}` };
    const answer = await brand.send('GET', '/products', undefined, { headers });
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
  });
});

describe('A brand that has moved', () => {
  it('knows entity tags, cursors, tokens and taken codes', async () => {
    const brand = await brandIn(0);
    const made = await brand.send('POST', '/products', PRODUCT);
    const item = `/products/${resourceOf(made).id}`;
    const { id: gone } = await brand.create('/products', PRODUCT);
    const page = await brand.send('GET', '/products?limit=1');
    const next = /\/products[^>]*/.exec(page.headers.get('Link') ?? '')?.[0] ?? '';
    const { since } = (await brand.send('GET', '/products?since=0')).body;
    await brand.send('DELETE', `/products/${gone}`);
    await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 1 });
    const tag = made.headers.get('ETag') ?? '';
    const ask = async (): Promise<unknown> => {
      const asked: Answer[] = [];
      for (const [method, path, body, headers] of [
        ['GET', item, undefined, { 'If-None-Match': tag }],
        ['GET', next],
        ['GET', `/products?since=${String(since)}`],
        ['PATCH', item, {}, { 'If-Match': tag }],
        ['PATCH', item, {}, { 'If-Match': '"stale"' }],
        ['POST', '/coupon-codes', { code: 'taken', discountPercent: 2 }],
      ] as const) {
        asked.push(await brand.send(method, path, body, headers && { headers }));
      }
      return asked.map(({ status, text }) => [status, text]);
    };
    const before = await ask();
    await relocate(brand, 1);
    expect(await ask()).toEqual(before);
  });
});

describe('A brand without a home', () => {
  /** Where the keys of each database point, from number 0 on; and which databases are asked. */
  const ODD: readonly [what: string, ways: readonly number[], asked: readonly DatabaseNumber[]][] =
    [
      ['that moves right now: each says the other', [1, 0], [0, 1]],
      ['that points at itself', [0], [0]],
      ['in a circle of three', [1, 2, 0], [0, 1, 2]],
      ['whose way goes back to its middle', [1, 2, 1], [0, 1, 2]],
      ['behind more than two moves', [1, 2, 3], [0, 1, 2]],
      ['in a database without a binding', [9], [0]],
      ['in a database without a binding, by a detour', [1, 3843], [0, 1]],
    ];

  it.each(ODD)('%s is 503, before anything else is wrong', async (_, ways, asked) => {
    const { brand } = await moved(0, 1, 2, 3);
    for (const number of [0, 1, 2] as const) {
      const to = ways[number];
      if (to !== undefined) await setKeys(number, brand.issued.brandId, 'moved_to', to);
    }
    for (const sent of [
      ['GET', '/products'],
      ['GET', '/products?colour=red'],
      ['POST', '/products', PRODUCT],
      ['POST', '/products', {}],
    ] as const) {
      const { options, calls } = watch();
      expectUnavailable(await brand.send(sent[0], sent[1], sent[2], options));
      expect(calls).toEqual(onceEach(asked));
    }
  });
});

describe('A brand that moves while a complete list is read', () => {
  it('is read on in its new homes, and too many moves end an answer that has begun', async () => {
    const brand = await brandIn(0);
    await makeProducts(brand, 2500);
    const known = resourcesOf(await brand.send('GET', '/products'));
    /** Gives one part, and then does something. */
    const leaving = (leave: () => Promise<void>): Intercept => {
      let calls = 0;
      return async (call) => {
        if (++calls === 2) await leave();
        return call();
      };
    };
    const { options, calls } = watch({
      0: leaving(() => relocate(brand, 1)),
      1: leaving(() => relocate(brand, 2)),
    });
    const listed = resourcesOf(await brand.send('GET', '/products', undefined, options));
    expect(listed).toEqual(known);
    expect(calls).toEqual({ 0: 2, 1: 2, 2: 1 });

    const lost = watch({ 2: leaving(() => setKeys(2, brand.issued.brandId, 'moved_to', 2)) });
    await expect(brand.send('GET', '/products', undefined, lost.options)).rejects.toThrow();
  });
});

describe('D1 that fails while a brand has moved', () => {
  it('is not asked more often than without a move', async () => {
    const { brand } = await moved(0, 1);
    const broken = (): never => {
      throw d1Error(D1_ERRORS.lost[0]);
    };
    const home = watch({ 1: broken });
    expectUnavailable(await brand.send('GET', '/products', undefined, home.options));
    expect(home.calls).toEqual({ 0: 1, 1: 3 });
    const source = watch({ 0: broken });
    expectUnavailable(await brand.send('GET', '/products', undefined, source.options));
    expect(source.calls).toEqual({ 0: 3 });
  });
});

describe('A frozen brand', () => {
  let brand: TestBrand;
  let ids: Ids;

  /** Freezes the brand, or ends that. */
  const freeze = (since: string | null): Promise<void> =>
    setKeys(0, brand.issued.brandId, 'frozen_at', since);

  beforeEach(async () => {
    ({ brand, ids } = await moved(0));
  });
  afterEach(() => freeze(null));

  it.each(operations)(
    'is read as usual, and not written, in one call: $name',
    async (operation) => {
      const isRead = operation.method === 'GET';
      const asUsual = isRead && (await perform(operation, ids, { headers: bearer(brand) }));
      await freeze(PAST);
      const before = await contentOf(0, brand.issued.brandId);
      const { options, calls } = watch();
      const answer = await perform(operation, ids, { headers: bearer(brand), ...options });
      if (asUsual) expect([answer.status, answer.text]).toEqual([200, asUsual.text]);
      else expectUnavailable(answer);
      expect(calls).toEqual({ 0: 1 });
      expect(await contentOf(0, brand.issued.brandId)).toBe(before);
    },
  );

  it.each<[path: string, body: unknown]>([
    ['/products', PRODUCT],
    ['/products', { products: [PRODUCT] }],
    ['/products?match=sku', { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['/products?match=sku&dryRun=true', { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['/products', {}],
    ['/products', 'x'.repeat(3_000_000)],
  ])('is not written by POST %s %#, nor replayed, if the key could write', async (path, body) => {
    const { brandId } = brand.issued;
    const old = { headers: { 'Idempotency-Key': 'old' } };
    expect((await brand.send('POST', '/products', PRODUCT, old)).status).toBe(201);
    await freeze(PAST);
    const before = await contentOf(0, brandId);
    expectUnavailable(await brand.send('POST', path, body, old));
    expectUnavailable(await brand.send('POST', path, body));
    expect(await contentOf(0, brandId)).toBe(before);
    await setKeys(0, brandId, 'scope', 'read');
    expect((await brand.send('POST', path, body)).status).toBe(403);
    await setKeys(0, brandId, 'revoked_at', PAST);
    expect((await brand.send('POST', path, body)).status).toBe(401);
  });
});
