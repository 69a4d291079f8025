import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { issueKey } from '../tools/admin/keys.ts';
import type { Answer } from './support/brand.ts';
import { execute, TestBrand } from './support/brand.ts';

const BOOKMARK = 'x-d1-bookmark';
const FORM = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const PRODUCT = { title: 'Bar', priceCents: 1 };
const CODE = { code: 'SAVE10', discountPercent: 10 };

/** A binding that notes where each batch's session was told to begin. */
function watched(): { readonly db: D1Database; readonly starts: (string | undefined)[] } {
  const starts: (string | undefined)[] = [];
  const member = (target: object, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name);
    return typeof value === 'function'
      ? (...args: unknown[]): unknown => Reflect.apply(value, target, args)
      : value;
  };
  const db = new Proxy(env.DB, {
    get(database, name): unknown {
      if (name !== 'withSession') return member(database, name);
      return (start?: string) =>
        new Proxy(database.withSession(start), {
          get(session, name): unknown {
            if (name === 'batch') starts.push(start);
            return member(session, name);
          },
        });
    },
  });
  return { db, starts };
}

const withBookmark = (bookmark: string): { headers: Record<string, string> } => ({
  headers: { [BOOKMARK]: bookmark },
});

/** A brand with a product and a coupon code. */
async function stocked(): Promise<{ brand: TestBrand; item: string }> {
  const brand = await TestBrand.create();
  const { id } = await brand.create('/products', PRODUCT);
  await brand.create('/coupon-codes', CODE);
  return { brand, item: `/products/${id}` };
}

/** A request for each kind of answer to a key that is accepted. */
const ANSWERS: readonly [
  number,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
][] = [
  [200, 'GET', '/profile'],
  [200, 'HEAD', '/profile'],
  [200, 'PATCH', '/profile', {}],
  [200, 'GET', '/products'],
  [200, 'HEAD', '/products'],
  [200, 'GET', '/products?limit=1'],
  [201, 'POST', '/products', PRODUCT],
  [201, 'POST', '/products', { products: [PRODUCT] }],
  [200, 'GET', 'ITEM'],
  [200, 'PUT', 'ITEM', PRODUCT],
  [200, 'DELETE', 'ITEM'],
  [304, 'GET', 'ITEM', undefined, { 'If-None-Match': '*' }],
  [400, 'GET', '/products?limit=0'],
  [400, 'GET', '/products', undefined, { [BOOKMARK]: 'malformed' }],
  [400, 'GET', 'ITEM', undefined, { 'If-None-Match': 'malformed' }],
  [400, 'PATCH', 'ITEM', { title: 1 }],
  [400, 'PATCH', 'ITEM', undefined],
  [400, 'DELETE', 'ITEM', undefined, { 'If-Match': 'malformed' }],
  [400, 'POST', '/products', {}],
  [400, 'POST', '/products', PRODUCT, { 'Idempotency-Key': '' }],
  [404, 'GET', `/products/${UNKNOWN}`],
  [404, 'GET', '/products/none'],
  [404, 'PATCH', `/products/${UNKNOWN}`, {}],
  [404, 'DELETE', '/coupon-codes/none'],
  [409, 'POST', '/coupon-codes', CODE],
  [412, 'DELETE', 'ITEM', undefined, { 'If-Match': '"stale"' }],
  [413, 'PUT', 'ITEM', { title: 'x'.repeat(300_000), priceCents: 1 }],
  [413, 'POST', '/products', { title: 'x'.repeat(300_000), priceCents: 1 }],
];

describe('a bookmark is in the response', () => {
  it.each(ANSWERS)('%i to %s %s %o %o', async (status, method, path, body, headers = {}) => {
    const { brand, item } = await stocked();
    const answer = await brand.send(method, path.replace('ITEM', item), body, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.get(BOOKMARK)).toMatch(FORM);
  });

  it('422 to another request with the same Idempotency-Key', async () => {
    const { brand } = await stocked();
    const headers = { 'Idempotency-Key': 'key-1' };
    await brand.send('POST', '/products', PRODUCT, { headers });
    const answer = await brand.send('POST', '/coupon-codes', CODE, { headers });
    expect(answer.status).toBe(422);
    expect(answer.headers.get(BOOKMARK)).toMatch(FORM);
  });

  it.each([
    ['a good body', JSON.stringify(PRODUCT)],
    ['a bad body', '{'],
  ])('403 to a write with %s and a key that may only read', async (_, raw) => {
    const { brand } = await stocked();
    const reader = brand.with(await issueKey(execute, brand.issued.brandId, { scope: 'read' }));
    const answer = await reader.send('POST', '/products', undefined, { raw });
    expect(answer.status).toBe(403);
    expect(answer.headers.get(BOOKMARK)).toMatch(FORM);
  });
});

describe('a bookmark is not in the response', () => {
  const stranger = { Authorization: `Bearer bik_${'0'.repeat(49)}` };
  const expectNone = ({ status, headers }: Answer, expected: number): void => {
    expect(status).toBe(expected);
    expect(headers.has(BOOKMARK)).toBe(false);
  };

  it('to a key that is refused, or none', async () => {
    const { brand } = await stocked();
    expectNone(await brand.send('GET', '/products', undefined, { headers: stranger }), 401);
    expectNone(
      await brand.send('GET', '/products', undefined, { headers: { Authorization: '' } }),
      401,
    );
  });

  it('to a key that was revoked', async () => {
    const { brand } = await stocked();
    await env.DB.prepare('update api_keys set revoked_at = created_at where id = ?')
      .bind(brand.issued.keyId)
      .run();
    expectNone(await brand.send('GET', '/products'), 401);
    expectNone(await brand.send('POST', '/products', {}), 401);
  });
});

describe('a bookmark sent back', () => {
  it.each([
    ['GET', '/products', undefined],
    ['GET', '/products?limit=1', undefined],
    ['GET', '/profile', undefined],
  ])(
    'is where a read begins, and without one it is the primary: %s %s %o',
    async (method, path, body) => {
      const brand = await TestBrand.create();
      const bookmark = (await brand.send('PATCH', '/profile', {})).headers.get(BOOKMARK) ?? '';
      const { db, starts } = watched();
      await brand.send(method, path, body, { ...withBookmark(bookmark), db });
      expect(starts).toEqual([bookmark]);
      await brand.send(method, path, body, { db });
      expect(starts).toEqual([bookmark, 'first-primary']);
    },
  );

  // So a key that was just revoked writes nothing and is rejected, whatever bookmark it sends.
  it.each([
    ['POST', '/products', PRODUCT],
    ['PATCH', '/profile', {}],
    ['POST', '/products', {}],
  ])('does not keep a write from the primary: %s %s %o', async (method, path, body) => {
    const brand = await TestBrand.create();
    const bookmark = (await brand.send('PATCH', '/profile', {})).headers.get(BOOKMARK) ?? '';
    const { db, starts } = watched();
    await brand.send(method, path, body, { ...withBookmark(bookmark), db });
    expect(starts).toEqual(['first-primary']);
  });

  it('reads what was written before it', async () => {
    const brand = await TestBrand.create();
    for (let price = 0; price < 5; price++) {
      const made = await brand.send('POST', '/products', { ...PRODUCT, priceCents: price });
      const bookmark = made.headers.get(BOOKMARK) ?? '';
      const list = await brand.send('GET', '/products', undefined, withBookmark(bookmark));
      expect(list.body['products']).toHaveLength(price + 1);
      expect((list.headers.get(BOOKMARK) ?? '') >= bookmark).toBe(true);
    }
  });
});

describe('a bookmark that D1 did not make', () => {
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
  ])('is refused by name: %o', async (bookmark) => {
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
    ['no key', { Authorization: '' }, 'Missing API key.'],
    ['no key of this form', { Authorization: 'Bearer none' }, 'Invalid API key.'],
    ['an unknown key', {}, 'Invalid API key.'],
  ])('is of no interest with %s', async (_, headers, error) => {
    const brand = await TestBrand.create();
    await env.DB.prepare('delete from api_keys where id = ?').bind(brand.issued.keyId).run();
    const options = { headers: { ...headers, [BOOKMARK]: 'malformed' } };
    const answer = await brand.send('GET', '/products', undefined, options);
    expect([answer.status, answer.body]).toEqual([401, { error }]);
  });

  it.each([
    ['half a document', '{', 400, 'Invalid JSON payload.'],
    [
      'too large a body',
      'x'.repeat(2_097_153),
      413,
      'Request body too large. The limit is 2048 KiB.',
    ],
  ])('is looked at after the syntax and size of the body: %s', async (_, raw, status, error) => {
    const brand = await TestBrand.create();
    const options = { ...withBookmark('malformed'), raw };
    const answer = await brand.send('POST', '/products', undefined, options);
    expect([answer.status, answer.body]).toEqual([status, { error }]);
  });
});
