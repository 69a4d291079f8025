import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { BrandClient } from '../client/src/index.ts';
import { insertKey, issueKey, newKey } from '../tools/admin/keys.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import { resourceOf, resourcesOf } from './support/brand.ts';
import { products } from './support/collections.ts';
import type { DatabaseNumber } from './support/databases.ts';
import {
  brandIn,
  contentOf,
  countsIn,
  databases,
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
import { bearer, makeResources, operations, perform, writes } from './support/operations.ts';

// A brand that has moved is served where it is now, with the keys that it had before.

beforeAll(migrateAll);

const PRODUCT = { title: 'Bar', priceCents: 1 };
const UNAVAILABLE = { error: 'Service temporarily unavailable.' };

type Way = readonly [DatabaseNumber, ...DatabaseNumber[]];

function homeOf(way: Way): DatabaseNumber {
  return way.at(-1) ?? way[0];
}

/** One call to each database on the way. */
function onceEach(way: readonly DatabaseNumber[]): object {
  return Object.fromEntries(way.map((number) => [number, 1]));
}

/** A brand with resources that has moved along a way, with a key of its first database. */
async function moved(...way: Way): Promise<{ brand: TestBrand; ids: Ids }> {
  const brand = await brandIn(way[0]);
  const ids = await makeResources(brand);
  for (const [index, to] of way.slice(1).entries()) {
    await relocate(brand, way[index] ?? way[0], to);
  }
  return { brand, ids };
}

function expectUnavailable(answer: Answer): void {
  expect([answer.status, answer.body]).toEqual([503, UNAVAILABLE]);
  expect(answer.headers.get('Retry-After')).toBe('1');
}

const WAYS: readonly Way[] = [
  [0, 1],
  [1, 0],
  [0, 1, 2],
  [3, 1, 0],
];

describe.each(WAYS.map((way) => ({ way })))('A key on its way $way', ({ way }) => {
  const home = homeOf(way);

  it.each(operations)('is served at the end, in one call to each: $name', async (operation) => {
    const { brand, ids } = await moved(...way);
    const { brandId } = brand.issued;
    const left = await Promise.all(way.slice(0, -1).map((number) => contentOf(number, brandId)));
    const before = await contentOf(home, brandId);
    const { options, calls, rowsRead } = watch();
    const answer = await perform(operation, ids, {
      ...{ headers: bearer(brand), service: several },
      ...options,
    });
    expect(answer.status, answer.text).toBe(operation.status);
    expect(calls).toEqual(onceEach(way));
    expect(answer.text).not.toContain('LEFT BEHIND');
    // The key's row, once for each subselect.
    for (const number of way.slice(0, -1)) expect(rowsRead[number]).toBeLessThanOrEqual(5);
    expect(await Promise.all(way.slice(0, -1).map((number) => contentOf(number, brandId)))).toEqual(
      left,
    );
    const isChanged = (await contentOf(home, brandId)) !== before;
    // The brand has the name that the PUT sends.
    expect(isChanged).toBe(operation.method !== 'GET' && operation.name !== 'PUT /profile');
  });

  it.each([
    ['HEAD', '/products', 200],
    ['GET', '/products?limit=1', 200],
    ['GET', '/products?since=0', 200],
    ['GET', '/products?colour=red', 400],
    ['GET', '/products/42', 404],
    ['POST', '/products', 400, {}],
    ['POST', '/products', 201, { products: [PRODUCT, PRODUCT] }],
    ['POST', '/products?match=sku', 200, { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['POST', '/products?match=sku&dryRun=true', 200, { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['PATCH', '/profile', 200, {}],
    ['PATCH', '/profile', 400, { brand: { brandName: 7 } }],
  ])('is served at the end: %s %s is %i', async (method, path, status, body?: unknown) => {
    const { brand } = await moved(...way);
    const { options, calls } = watch();
    const answer = await brand.send(method, path, body, options);
    expect([answer.status, calls]).toEqual([status, onceEach(way)]);
    expect(answer.text).not.toContain('LEFT BEHIND');
    expect(answer.headers.has('x-d1-bookmark')).toBe(true);
    expect(answer.headers.has('RateLimit-Policy')).toBe(true);
  });

  it('finds what it knew: entity tags, cursors, tokens, idempotency keys and refusals', async () => {
    const [first, ...rest] = way;
    const brand = await brandIn(first);
    const once = { headers: { 'Idempotency-Key': 'once' } };
    const made = await brand.send('POST', '/products', PRODUCT, once);
    const { id } = resourceOf(made);
    await brand.create('/products', { ...PRODUCT, title: 'Second' });
    const { id: gone } = await brand.create('/products', PRODUCT);
    await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 1 });
    const page = await brand.send('GET', '/products?limit=1');
    const next = /\/products[^>]*/.exec(page.headers.get('Link') ?? '')?.[0] ?? '';
    const { since } = (await brand.send('GET', '/products?since=0')).body;
    const item = `/products/${id}`;
    const stale = { headers: { 'If-Match': made.headers.get('ETag') ?? '' } };
    let at = first;
    for (const to of rest) {
      await relocate(brand, at, to);
      at = to;
    }

    const again = await brand.send('POST', '/products', PRODUCT, once);
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', made.text]);
    const other = await brand.send('POST', '/products', { ...PRODUCT, priceCents: 2 }, once);
    expect(other.status).toBe(422);
    const [second] = resourcesOf(await brand.send('GET', next));
    expect(second).toMatchObject({ title: 'Second' });
    const matching = { headers: { 'If-None-Match': made.headers.get('ETag') ?? '' } };
    expect((await brand.send('GET', item, undefined, matching)).status).toBe(304);
    expect((await brand.send('PATCH', item, { featured: true }, stale)).status).toBe(200);
    // Nothing was retried, so these are no 503.
    expect((await brand.send('PATCH', item, { featured: false }, stale)).status).toBe(412);
    expect((await brand.send('DELETE', item, undefined, stale)).status).toBe(412);
    const taken = { code: 'taken', discountPercent: 2 };
    expect((await brand.send('POST', '/coupon-codes', taken)).status).toBe(409);
    expect((await brand.send('DELETE', `/products/${gone}`)).status).toBe(200);
    const changes = await brand.send('GET', `/products?since=${String(since)}`);
    expect(changes.body).toMatchObject({ products: [{ id }], deletedProductIds: [gone] });
  });
});

describe('Where a brand is at home', () => {
  const rows = [
    ['revoked_at', PAST, 401, 401],
    ['expires_at', PAST, 401, 401],
    ['suspended_at', PAST, 403, 403],
    ['scope', 'read', 200, 403],
    ['frozen_at', PAST, 200, 503],
  ] as const;

  it.each(rows)('its keys say %s, and nowhere else', async (column, value, read, write) => {
    const statuses = async ({ brand }: { brand: TestBrand }): Promise<number[]> => {
      const { brandId } = brand.issued;
      const before = await Promise.all([contentOf(0, brandId), contentOf(1, brandId)]);
      const answers = [
        await brand.send('GET', '/products'),
        await brand.send('POST', '/products', PRODUCT),
        // Refused before any work, so that only the key is looked up.
        await brand.send('POST', '/products', 'x'),
      ];
      const after = await Promise.all([contentOf(0, brandId), contentOf(1, brandId)]);
      expect(after[0]).toBe(before[0]);
      isChanged.push(after[1] !== before[1]);
      return answers.map(({ status }) => status);
    };
    const isChanged: boolean[] = [];
    const atHome = await moved(0, 1);
    await setKeys(1, atHome.brand.issued.brandId, column, value);
    expect(await statuses(atHome)).toEqual([read, write, write]);
    const behind = await moved(0, 1);
    await setKeys(0, behind.brand.issued.brandId, column, value);
    expect(await statuses(behind)).toEqual([200, 201, 400]);
    expect(isChanged).toEqual([false, true]);
  });

  it('a key that was deleted is 401, and one that was issued is served in one call', async () => {
    const { brand } = await moved(0, 1);
    const { brandId, keyId } = brand.issued;
    const fresh = brand.with(await issueKey(executeIn(1), brandId, {}));
    const { options, calls } = watch();
    expect((await fresh.send('GET', '/products', undefined, options)).status).toBe(200);
    expect(calls).toEqual({ 1: 1 });
    await databases[1].prepare('delete from api_keys where id = ?').bind(keyId).run();
    expect((await brand.send('GET', '/products')).status).toBe(401);
    expect((await fresh.send('GET', '/products')).status).toBe(200);
  });

  it('a key of another brand of the database that it left is still served there', async () => {
    const neighbour = await brandIn(0);
    const { ids } = await moved(0, 1);
    const { options, calls } = watch();
    const item = `/products/${ids(products)}`;
    expect((await neighbour.send('GET', item, undefined, options)).status).toBe(404);
    expect((await neighbour.send('POST', '/products', PRODUCT, options)).status).toBe(201);
    expect(calls).toEqual({ 0: 2 });
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

  async function lost(ways: readonly number[]): Promise<{ brand: TestBrand; ids: Ids }> {
    const way: Way = [0, 1, 2, 3];
    const { brand, ids } = await moved(...way);
    for (const [number, to] of ways.entries()) {
      await databases[way[number] ?? 0]
        .prepare('update api_keys set moved_to = ? where brand_id = ?')
        .bind(to, brand.issued.brandId)
        .run();
    }
    return { brand, ids };
  }

  describe.each(ODD)('%s', (_, ways, asked) => {
    it.each(operations)('is 503, and nothing changes: $name', async (operation) => {
      const { brand, ids } = await lost(ways);
      const all = (): Promise<string[]> =>
        Promise.all(
          ([0, 1, 2, 3] as const).map((number) => contentOf(number, brand.issued.brandId)),
        );
      const before = await all();
      const { options, calls } = watch();
      const service = { ...several, databases: options.databases };
      expectUnavailable(
        await perform(operation, ids, { headers: bearer(brand), service, db: options.db }),
      );
      expect(calls).toEqual(onceEach(asked));
      expect(await all()).toEqual(before);
    });

    it.each([
      ['POST', '/products', '{'],
      ['POST', '/products', '{"nosuchfield":1}'],
      ['GET', '/products?colour=red', undefined],
    ])('is 503 before anything else is wrong: %s %s %s', async (method, path, raw) => {
      const { brand } = await lost(ways);
      const sent = raw === undefined ? {} : { raw };
      expectUnavailable(await brand.send(method, path, undefined, sent));
    });
  });

  it('is served again once the move is settled', async () => {
    const { brand } = await lost([1, 0]);
    expectUnavailable(await brand.send('GET', '/profile'));
    await setKeys(1, brand.issued.brandId, 'moved_to', null);
    expect((await brand.send('GET', '/profile')).status).toBe(200);
  });
});

describe('A brand that moves during a request', () => {
  /** Moves the brand before the call with this number to a database. */
  function beforeCall(number: number, act: () => Promise<unknown>) {
    let calls = 0;
    return async (call: () => Promise<unknown>): Promise<unknown> => {
      if (++calls === number) await act();
      return call();
    };
  }

  it.each(writes)('before its call is written in its new home: $name', async (operation) => {
    const { brand, ids } = await moved(0);
    const { brandId } = brand.issued;
    let left = '';
    const { options, calls } = watch({
      0: beforeCall(1, async () => {
        await relocate(brand, 0, 1);
        left = await contentOf(0, brandId);
      }),
    });
    const answer = await perform(operation, ids, {
      ...{ headers: bearer(brand), service: several },
      ...options,
    });
    expect([answer.status, calls]).toEqual([operation.status, { 0: 1, 1: 1 }]);
    expect(await contentOf(0, brandId)).toBe(left);
  });

  it.each([
    [[[2, 0, 1]], { 0: 2, 1: 2 }],
    [
      [
        [2, 0, 1],
        [3, 1, 2],
      ],
      { 0: 2, 1: 2, 2: 1 },
    ],
  ] as const)('while a complete list is read goes on there: %j', async (moves, expected) => {
    const brand = await brandIn(0);
    await makeProducts(brand, 2500);
    const known = resourcesOf(await brand.send('GET', '/products'));
    expect(known).toHaveLength(2500);
    let chunks = 0;
    const { options, calls } = watch(
      Object.fromEntries(
        moves.map(([, from]) => [
          from,
          async (call: () => Promise<unknown>) => {
            chunks++;
            // A call that only finds that the brand has moved is no chunk, but the next is.
            const due = moves.find(([chunk, at]) => chunk === chunks && at === from);
            if (due) await relocate(brand, due[1], due[2]);
            return call();
          },
        ]),
      ),
    );
    const listed = resourcesOf(await brand.send('GET', '/products', undefined, options));
    expect(listed.map(({ id }) => id)).toEqual(known.map(({ id }) => id));
    expect(listed.filter(({ title }) => title === 'LEFT BEHIND')).toEqual([]);
    expect(calls).toMatchObject(moves.length === 1 ? expected : { 0: 2 });
    expect(Object.values(calls).reduce((sum, count) => sum + count)).toBe(3 + moves.length);
  });

  it('while large resources are read in parts goes on there', async () => {
    const brand = await brandIn(0);
    const description = '"'.repeat(60_000);
    const list = Array.from({ length: 30 }, (_, n) => ({ ...PRODUCT, sku: `L${n}`, description }));
    for (const half of [list.slice(0, 15), list.slice(15)]) {
      const made = await brand.send('POST', '/products', { products: half });
      expect(made.status).toBe(201);
    }
    const { options, calls } = watch({ 0: beforeCall(2, () => relocate(brand, 0, 1)) });
    const answer = await brand.send('GET', '/products?limit=250', undefined, options);
    expect(resourcesOf(answer).map(({ sku }) => sku)).toEqual(list.map(({ sku }) => sku));
    expect(answer.text).not.toContain('LEFT BEHIND');
    expect(calls).toMatchObject({ 0: 2 });
    expect(calls[1]).toBeGreaterThanOrEqual(1);
  });

  it('too often ends an answer that has begun, which so never looks complete', async () => {
    const brand = await brandIn(0);
    await makeProducts(brand, 2500);
    const { options } = watch({
      0: beforeCall(2, () => setKeys(0, brand.issued.brandId, 'moved_to', 0)),
    });
    await expect(brand.send('GET', '/products', undefined, options)).rejects.toThrow();
  });

  it('while typed clients write and read loses nothing that was acknowledged', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    const statuses: number[] = [];
    const clientOf = (apiKey: string): BrandClient =>
      new BrandClient({
        ...{ apiKey, baseUrl: 'http://api.test' },
        fetch: async (input, init) => {
          const response = await several.app.request(new Request(input, init), undefined, {
            ...{ ...env, ...several.databases },
          });
          statuses.push(response.status);
          return response;
        },
      });
    const made = await clientOf(brand.issued.apiKey).products.createMany(
      Array.from({ length: 300 }, (_, n) => ({ ...PRODUCT, sku: `S${n}` })),
    );
    const stock = new Map(made.map(({ id }) => [id, 0]));
    const writerKeys = [];
    for (let writer = 0; writer < 3; writer++) {
      writerKeys.push(await issueKey(executeIn(0), brandId, {}));
    }
    let moving = true;
    let reads = 0;
    const write = async ({ apiKey }: { apiKey: string }, writer: number): Promise<void> => {
      const client = clientOf(apiKey);
      const ids = made.map(({ id }) => id).filter((_, index) => index % 3 === writer);
      for (let round = 1, after = 0; after < 10 && round < 500; round++, after += moving ? 0 : 1) {
        const id = ids[round % ids.length] ?? '';
        await client.products.update(id, { storeInventoryQuantity: round });
        stock.set(id, round);
        const added = await client.products.create({ ...PRODUCT, storeInventoryQuantity: round });
        stock.set(added.data.id, round);
        if (round % 2 === 0) {
          await client.products.delete(added.data.id);
          stock.delete(added.data.id);
        }
      }
    };
    const reader = clientOf(brand.issued.apiKey);
    const read = async (): Promise<void> => {
      for (; moving; reads++) expect((await reader.getProfile()).data.brand).toBeDefined();
    };
    const move = async (): Promise<void> => {
      try {
        for (let waited = 0; stock.size < 310 && waited < 1000; waited++) await reader.getProfile();
        await relocate(brand, 0, 1);
      } finally {
        moving = false;
      }
    };
    await Promise.all([...writerKeys.map(write), read(), move()]);
    const found = new Map<string, number>();
    for await (const one of reader.products.list()) found.set(one.id, one.storeInventoryQuantity);
    expect(found).toEqual(stock);
    expect(await countsIn(1, brandId)).toMatchObject({ products: stock.size });
    // The test proves something only if there were writes and reads meanwhile.
    expect(statuses).toContain(503);
    expect(reads).toBeGreaterThan(0);
  });
});

describe('A push', () => {
  it('is replayed where the brand is now, in one call more', async () => {
    const brand = await brandIn(0);
    const items = Array.from({ length: 20 }, (_, n) => ({ ...PRODUCT, sku: `S${n}` }));
    const once = { headers: { 'Idempotency-Key': 'once' } };
    const push = ['POST', '/products?match=sku', { products: items }] as const;
    const first = await brand.send(...push, once);
    await relocate(brand, 0, 1);
    const { options, calls } = watch();
    const again = await brand.send(...push, { ...once, ...options });
    expect([again.headers.get('Idempotent-Replayed'), again.text]).toEqual(['true', first.text]);
    expect(calls).toEqual({ 0: 1, 1: 1 });
  });
});

describe('A key that nobody issued', () => {
  it('in the database that a brand left does not become live there by a move back', async () => {
    const { brand } = await moved(0, 1);
    const { brandId } = brand.issued;
    const key = await newKey(executeIn(0));
    await executeIn(0)(insertKey(key, brandId, {}));
    await setKeys(0, brandId, 'moved_to', 1);
    const headers = { Authorization: `Bearer ${key.apiKey}` };
    // The home does not know it.
    const answer = await brand.send('GET', '/products', undefined, { headers });
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
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
