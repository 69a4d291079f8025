import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { newApiKey } from '../src/auth/api-key.ts';
import { UNKNOWN } from './support/attack.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import type { UnusableKeys } from './support/keys.ts';
import { makeUnusableKeys, withNewKey } from './support/keys.ts';

const BOOKMARK = 'x-d1-bookmark';
const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const PRODUCT = { title: 'Bar', priceCents: 1 };
const CODE = { code: 'SAVE10', discountPercent: 10 };

/** A member of a native object, which it can be called on through a proxy. */
function member(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === 'function'
    ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
    : value;
}

/** A binding that notes where each batch's session was told to begin. */
function watched(): {
  readonly db: D1Database;
  readonly starts: (string | undefined)[];
  /** Where each session was told to begin. */
  readonly opened: (string | undefined)[];
} {
  const starts: (string | undefined)[] = [];
  const opened: (string | undefined)[] = [];
  const db = new Proxy(env.DB, {
    get(database, name): unknown {
      if (name !== 'withSession') return member(database, name);
      return (start?: string) => {
        opened.push(start);
        return new Proxy(database.withSession(start), {
          get(session, name): unknown {
            if (name === 'batch') starts.push(start);
            return member(session, name);
          },
        });
      };
    },
  });
  return { db, starts, opened };
}

const withBookmark = (bookmark: string): { headers: Record<string, string> } => ({
  headers: { [BOOKMARK]: bookmark },
});

/** A request for each kind of answer to a key that is accepted. */
const ANSWERS: readonly [
  number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
][] = [
  [200, 'GET', '/profile'],
  [200, 'HEAD', '/products'],
  [200, 'GET', '/products?limit=1'],
  [201, 'POST', '/products', { products: [PRODUCT] }],
  [200, 'PUT', 'ITEM', PRODUCT],
  [200, 'DELETE', 'ITEM'],
  [304, 'GET', 'ITEM', undefined, { 'If-None-Match': '*' }],
  [400, 'GET', '/products?limit=0'],
  [400, 'GET', '/products', undefined, { [BOOKMARK]: 'malformed' }],
  [400, 'PATCH', 'ITEM', { title: 1 }],
  [400, 'PATCH', 'ITEM', undefined],
  [400, 'DELETE', 'ITEM', undefined, { 'If-Match': 'malformed' }],
  [404, 'GET', `/products/${UNKNOWN}`],
  [404, 'PATCH', '/products/none', {}],
  [409, 'POST', '/coupon-codes', CODE],
  [412, 'DELETE', 'ITEM', undefined, { 'If-Match': '"stale"' }],
  [413, 'POST', '/products', { title: 'x'.repeat(300_000), priceCents: 1 }],
  [422, 'POST', '/coupon-codes', CODE, { 'Idempotency-Key': 'used' }],
  [403, 'POST', '/products', PRODUCT],
  [403, 'POST', '/products', undefined],
];

it.each(ANSWERS)(
  'A bookmark is in the response to a request with a good key: %i to %s %s %o',
  async (...row) => {
    const [status, method, path, body, headers = {}] = row;
    const brand = await TestBrand.create();
    const used = { headers: { 'Idempotency-Key': 'used' } };
    const { id } = resourceOf(await brand.send('POST', '/products', PRODUCT, used));
    await brand.create('/coupon-codes', CODE);
    const holder = status === 403 ? await withNewKey(brand, { scope: 'read' }) : brand;
    const item = path.replace('ITEM', `/products/${id}`);
    const answer = await holder.send(method, item, body, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get(BOOKMARK)).toMatch(FORM);
  },
);

it.each([
  ['no key', () => ({ Authorization: '' })],
  ['an unknown key', ({ unknown }: UnusableKeys) => ({ Authorization: `Bearer ${unknown}` })],
  ['a revoked key', ({ revoked }: UnusableKeys) => ({ Authorization: `Bearer ${revoked}` })],
])(
  'A bookmark is not in the response to a request without a good key: %s',
  async (_, headersOf) => {
    const brand = await TestBrand.create();
    const headers = headersOf(await makeUnusableKeys(brand));
    for (const method of ['GET', 'POST']) {
      const answer = await brand.send(method, '/products', undefined, { headers });
      expect([answer.status, answer.headers.has(BOOKMARK)]).toEqual([401, false]);
    }
  },
);

it.each(['/products', '/products?limit=1', '/profile'])(
  'A read begins at the bookmark that is sent back, and at the primary without one: %s',
  async (path) => {
    const brand = await TestBrand.create();
    const bookmark = (await brand.send('PATCH', '/profile', {})).headers.get(BOOKMARK) ?? '';
    const { db, starts } = watched();
    await brand.send('GET', path, undefined, { ...withBookmark(bookmark), db });
    await brand.send('GET', path, undefined, { db });
    expect(starts).toEqual([bookmark, 'first-primary']);
  },
);

// So a key that was just revoked writes nothing and is rejected, whatever bookmark it sends.
it('A bookmark that is sent back does not keep a write from the primary', async () => {
  const brand = await TestBrand.create();
  const bookmark = (await brand.send('PATCH', '/profile', {})).headers.get(BOOKMARK) ?? '';
  const { db, starts } = watched();
  for (const [method, path, body] of [
    ['POST', '/products', PRODUCT],
    ['PATCH', '/profile', {}],
    ['POST', '/products', {}],
  ] as const) {
    await brand.send(method, path, body, { ...withBookmark(bookmark), db });
  }
  expect(starts).toEqual(Array(3).fill('first-primary'));
});

it('A read with a bookmark finds what was written before it', async () => {
  const brand = await TestBrand.create();
  for (let price = 0; price < 5; price++) {
    const made = await brand.send('POST', '/products', { ...PRODUCT, priceCents: price });
    const bookmark = made.headers.get(BOOKMARK) ?? '';
    const list = await brand.send('GET', '/products', undefined, withBookmark(bookmark));
    expect(list.body['products']).toHaveLength(price + 1);
    expect((list.headers.get(BOOKMARK) ?? '') >= bookmark).toBe(true);
  }
});

/** A database whose sessions have this bookmark. */
const giving = (bookmark: string): D1Database => {
  const { db } = watched();
  return new Proxy(db, {
    get(target, name): unknown {
      if (name !== 'withSession') return member(target, name);
      return (start?: string) =>
        new Proxy(target.withSession(start), {
          get: (session, name) =>
            name === 'getBookmark' ? (): string => bookmark : member(session, name),
        });
    },
  });
};

it('A bookmark that D1 gives in another form is not sent, because the service would refuse it, and is logged once', async () => {
  const brand = await TestBrand.create();
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const forms = ['2:00000001:0123456789abcdef', '', `00000001-${'0'.repeat(500)}`];
  for (const db of forms.map(giving)) {
    for (const [method, path, body] of [
      ['GET', '/products', undefined],
      ['PATCH', '/profile', {}],
    ] as const) {
      const answer = await brand.send(method, path, body, { db });
      expect([answer.status, answer.headers.has(BOOKMARK)]).toEqual([200, false]);
    }
  }
  const lines = log.mock.calls.map(String).filter((line) => line.includes('"level":"error"'));
  log.mockRestore();
  expect(lines).toEqual([expect.stringContaining('"name":"UnknownBookmark"')]);
  expect(lines[0]).toContain('2:00000001:0123456789abcdef');
});

const good = '00000001-00000002-00000003-0123456789abcdef0123456789abcdef';

it.each([
  '',
  'first-primary',
  'first-unconstrained',
  'malformed',
  good.toUpperCase(),
  good.slice(0, -1),
  `${good}0`,
  `${good}, ${good}`,
  good.replaceAll('-', ''),
])('A bookmark that D1 did not make is refused by name: %o', async (bookmark) => {
  const brand = await TestBrand.create();
  const { db, starts } = watched();
  const answer = await brand.send('GET', '/products', undefined, {
    ...withBookmark(bookmark),
    db,
  });
  expect(answer.status).toBe(400);
  expect(answer.body['error']).toMatch(/^Invalid request: x-d1-bookmark: /);
  expect(starts).toEqual(['first-primary']);
});

it.each([
  ['a missing key', undefined, { Authorization: '' }, 401],
  ['an unknown key', undefined, { Authorization: `Bearer ${newApiKey()}` }, 401],
  ['half a document', '{', {}, 400],
  ['too large a body', 'x'.repeat(2_097_153), {}, 413],
])('A bookmark is validated after what else can be wrong: %s', async (_, raw, headers, status) => {
  const brand = await TestBrand.create();
  const answer = await brand.send('POST', '/products', undefined, {
    ...(raw !== undefined && { raw }),
    headers: { ...headers, [BOOKMARK]: 'malformed' },
  });
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain(BOOKMARK);
});

it('The further calls of a request go on from what its first call has read', async () => {
  const brand = await TestBrand.create();
  const items = Array.from({ length: 500 }, (_, n) => ({ ...PRODUCT, title: `P${n}` }));
  for (let request = 0; request < 3; request++) {
    await brand.send('POST', '/products', { products: items });
  }
  const { headers } = await brand.send('GET', '/profile');
  const bookmark = headers.get(BOOKMARK) ?? '';
  const { db, starts, opened } = watched();
  await brand.send('GET', '/products', undefined, { ...withBookmark(bookmark), db });
  expect(starts).toEqual([bookmark, bookmark]);
  expect(opened.filter((start) => start === bookmark)).toHaveLength(1);
});
