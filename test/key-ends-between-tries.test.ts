import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { execute, TestBrand } from './support/brand.ts';
import { interrupted } from './support/faults.ts';
import { withKey } from './support/keys.ts';

// A write whose acknowledgement is lost, and whose key ends before the service tries again. If it is recorded, its answer
// says so, with ids that exist; otherwise 503, because nobody can tell.

const ENDINGS = {
  expires: sql`expires_at = '2020-01-01T00:00:00.000Z'`,
  'is revoked': sql`revoked_at = '2020-01-01T00:00:00.000Z'`,
  'is suspended': sql`suspended_at = '2020-01-01T00:00:00.000Z'`,
  'becomes read-only': sql`scope = 'read'`,
  'is frozen': sql`frozen_at = '2020-01-01T00:00:00.000Z'`,
};

const changed = { title: 'Changed', priceCents: 2 };
const PUSHES = [
  ['/products', 'sku', [{ sku: 'A', ...changed }], ['updated']],
  ['/products', 'sku', [{ sku: 'A', title: 'Changed' }], ['updated']],
  [
    '/products',
    'sku',
    [
      { sku: 'A', ...changed },
      { sku: 'B', ...changed },
    ],
    ['updated', 'created'],
  ],
  ['/coupon-codes', 'code', [{ code: 'A', discountPercent: 2 }], ['updated']],
  [
    '/coupon-codes',
    'storeDiscountId',
    [{ storeDiscountId: 'A', code: 'A', discountPercent: 2 }],
    ['updated'],
  ],
] as const;

/** What others do before the next try. It does not change what the push has changed. */
const MEANWHILE: readonly [what: string, act: (other: TestBrand) => Promise<unknown>][] = [
  ['nothing else happens', () => Promise.resolve()],
  [
    'others create',
    async (other) => {
      await other.create('/products', { title: 'Beside', priceCents: 1 });
      await other.create('/coupon-codes', { code: 'BESIDE', discountPercent: 1 });
    },
  ],
];

const pushed = z.object({ results: z.array(z.object({ id: z.string(), status: z.string() })) });
const attempts = Object.entries(ENDINGS).flatMap(([how, ending]) =>
  PUSHES.flatMap((push) =>
    [{}, { Prefer: 'handling=lenient' }].flatMap((prefer) =>
      MEANWHILE.map(
        ([what, act]) =>
          [how, what, { ...prefer, 'Idempotency-Key': 'once' }, ...push, ending, act] as const,
      ),
    ),
  ),
);

test.each(attempts)(
  'the key %s and %s: a push with the headers %j to %s by %s of %j is done, and says so',
  async (_how, _what, headers, path, match, items, statuses, ending, act) => {
    const brand = await TestBrand.create();
    const other = await withKey(brand);
    await other.create('/products', { sku: 'A', title: 'A', priceCents: 1 });
    await other.create('/coupon-codes', { code: 'A', discountPercent: 1, storeDiscountId: 'A' });
    const { keyId } = brand.issued;
    const { db } = interrupted(env.DB, {
      moment: 'after',
      between: async () => {
        await act(other);
        await execute(sql`update api_keys set ${ending} where id = ${keyId}`);
      },
    });

    const body = { [path === '/products' ? 'products' : 'couponCodes']: items };
    const answer = await brand.send('POST', `${path}?match=${match}`, body, { db, headers });

    expect(answer.status, answer.text).toBe(200);
    const { results } = pushed.parse(answer.body);
    expect(results.map(({ status }) => status)).toEqual(statuses);
    for (const { id } of results) {
      expect((await other.send('GET', `${path}/${id}`)).text).toMatch(
        /Changed|"discountPercent":2/,
      );
    }
  },
);

const bare = { title: 'Mine', priceCents: 1 };
const profile = { brand: { brandName: 'Mine' }, connection: {} };
const WRITES = [
  { method: 'PUT', path: '/products/:id', body: bare },
  { method: 'PATCH', path: '/products/:id', body: { title: 'Mine' } },
  { method: 'PUT', path: '/profile', body: profile },
  { method: 'PATCH', path: '/profile', body: profile },
];

/** What others do to what the first try changed, so that its revision is gone. */
const OVERWRITES = {
  'changes the same': async (other: TestBrand, id: string) => {
    await other.send('PATCH', `/products/${id}`, { description: 'theirs' });
    await other.send('PATCH', '/profile', { brand: { description: 'theirs' } });
  },
  'deletes it': (other: TestBrand, id: string) => other.send('DELETE', `/products/${id}`),
};

test.each(
  WRITES.flatMap((write) =>
    Object.entries(ENDINGS).flatMap(([how, ending]) =>
      (['changes the same', 'deletes it'] as const)
        .filter((what) => what === 'changes the same' || write.path !== '/profile')
        .map((what) => ({ ...write, how, ending, what })),
    ),
  ),
)(
  'another client $what and the key $how: $method $path, done by then, is 503',
  async ({ method, path, body, how, ending, what }) => {
    const brand = await TestBrand.create();
    const other = await withKey(brand);
    const { id } = await other.create('/products', { ...bare, title: 'First', sku: 'A' });
    const { keyId } = brand.issued;
    const { db } = interrupted(env.DB, {
      moment: 'after',
      between: async () => {
        const read = await other.send('GET', path === '/profile' ? path : `/products/${id}`);
        expect(read.text).toContain('"Mine"');
        await OVERWRITES[what](other, id);
        await execute(sql`update api_keys set ${ending} where id = ${keyId}`);
      },
    });
    const answer = await brand.send(method, path.replace(':id', id), body, { db });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'Service temporarily unavailable.' },
    ]);
    expect((await brand.send(method, path.replace(':id', id), body)).status).toBe(
      how === 'is frozen' ? 503 : how === 'becomes read-only' || how === 'is suspended' ? 403 : 401,
    );
  },
);

// They write nothing, so that the key alone decides.
test.each([
  ['GET', '/products', undefined],
  ['PATCH', '/profile', {}],
  ['PATCH', '/profile', { brand: { brandName: 7 } }],
])(
  'a %s of %s with the body %j whose key is revoked between two tries is 401',
  async (...request) => {
    const [method, path, body] = request;
    const brand = await TestBrand.create();
    const { keyId } = brand.issued;
    const { db, calls } = interrupted(env.DB, {
      moment: 'before',
      between: () => execute(sql`update api_keys set ${ENDINGS['is revoked']} where id = ${keyId}`),
    });
    expect((await brand.send(method, path, body, { db })).status).toBe(401);
    expect(calls()).toBe(2);
  },
);
