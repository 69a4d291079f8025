import { env } from 'cloudflare:workers';
import type { MockInstance } from 'vitest';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { app } from '../src/app.ts';
import { newApiKey } from '../src/auth/api-key.ts';
import { sha256 } from '../src/hash.ts';
import { UNKNOWN } from './support/attack.ts';
import { send, TestBrand } from './support/brand.ts';
import { failing, slow } from './support/faults.ts';
import { eventually } from './support/eventually.ts';

// What the log contains, and what responses and logs must not contain. How a request may end is in test/node/dropped-connections.test.ts.

const SECRET = 'SECRET-BODY-VALUE';
const line = z.strictObject({
  requestId: z.string().min(1),
  method: z.string(),
  route: z.string(),
  status: z.int(),
  ended: z.enum(['complete', 'aborted', 'stalled', 'failed']),
  cause: z.string().optional(),
  problems: z.string().optional(),
  path: z.string().optional(),
  reason: z.string().optional(),
  ms: z.number().min(0),
  brandId: z.string().optional(),
  keyHash: z.string().optional(),
  d1Calls: z.int().optional(),
  rowsRead: z.int().optional(),
  rowsWritten: z.int().optional(),
});

let brand: TestBrand;
let log: MockInstance<typeof console.log>;

beforeEach(async () => {
  brand = await TestBrand.create(SECRET);
  log = vi.spyOn(console, 'log').mockReturnValue(undefined);
});

afterEach(() => {
  log.mockRestore();
});

function logged(): string[] {
  return log.mock.calls.map((args) => args.map(String).join(' '));
}

const product = { title: SECRET, priceCents: 1, sku: SECRET, storeProductId: SECRET };
const requests = [
  { method: 'GET', path: '/profile', status: 200, route: '/api/brand/v1/profile' },
  {
    method: 'PATCH',
    path: '/profile',
    body: { brand: { contactName: SECRET } },
    status: 200,
    route: '/api/brand/v1/profile',
  },
  {
    method: 'POST',
    path: '/products',
    body: product,
    status: 201,
    route: '/api/brand/v1/products',
  },
  { method: 'GET', path: `/products?sku=${SECRET}`, status: 200, route: '/api/brand/v1/products' },
  {
    method: 'POST',
    path: '/products',
    body: { [SECRET]: 1 },
    status: 400,
    route: '/api/brand/v1/products',
  },
  { method: 'GET', path: `/products/${SECRET}`, status: 404, route: '/api/brand/v1/products/:id' },
  {
    method: 'DELETE',
    path: `/coupon-codes/${UNKNOWN}`,
    status: 404,
    route: '/api/brand/v1/coupon-codes/:id',
  },
];

it.each(requests)(
  'The log has one line for each request, and no secret: $method $path, $status',
  async (request) => {
    const { method, path, body, status, route } = request;
    const headers = { 'X-Request-Id': 'my-request', Cookie: SECRET, 'Idempotency-Key': SECRET };
    const answer = await brand.send(method, path, body, { headers });
    expect(answer.status).toBe(status);
    expect(logged()).toHaveLength(1);
    const [text = ''] = logged();
    const fields = line.parse(JSON.parse(text));
    expect(fields).toMatchObject({ requestId: 'my-request', method, route, status, d1Calls: 1 });
    expect(fields.brandId).toBe(brand.issued.brandId);
    expect(fields.keyHash).toBe((await sha256(brand.issued.apiKey)).slice(0, 16));
    expect(fields.rowsRead).toBeGreaterThan(0);
    if (status === 201) expect(fields.rowsWritten).toBeGreaterThan(0);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(brand.issued.apiKey);
  },
);

it.each([
  ['GET', '/api/brand/v1/openapi.json', '/api/brand/v1/openapi.json'],
  ['DELETE', '/api/brand/v1/profile', '*'],
  ['GET', '/api/brand/v1/unknown', '*'],
  ['GET', '/elsewhere', '*'],
])('The log names the route of a request: %s %s, %s', async (method, path, route) => {
  await send(method, path);
  expect(logged().map((text) => line.parse(JSON.parse(text)).route)).toEqual([route]);
});

it.each([
  {
    name: 'a key in the path',
    path: (key: string) => `/${key}`,
    headers: () => ({}),
    status: 404,
  },
  {
    name: 'a key in the query',
    path: (key: string) => `/api/brand/v1/profile?key=${key}`,
    headers: () => ({}),
    status: 401,
  },
  {
    name: 'a key in the id',
    path: () => '/api/brand/v1/profile',
    headers: (key: string) => ({ 'X-Request-Id': `of-bik_${key}` }),
    status: 401,
  },
  {
    name: 'a bad key',
    path: () => '/api/brand/v1/profile',
    headers: () => ({ Authorization: `Bearer ${SECRET}` }),
    status: 401,
  },
  {
    name: 'a long id',
    path: () => '/api/brand/v1/profile',
    headers: () => ({ 'X-Request-Id': `${SECRET} `.repeat(99) }),
    status: 401,
  },
])('The log never shows a secret: $name', async ({ path, headers, status }) => {
  const { apiKey } = brand.issued;
  const answer = await send('GET', path(apiKey), { headers: headers(apiKey) });
  expect(answer.status).toBe(status);
  expect(logged()).toHaveLength(1);
  const [text = ''] = logged();
  expect(line.parse(JSON.parse(text))).toMatchObject({ method: 'GET', status });
  expect(text).not.toContain(apiKey);
  // Nothing of a key is left behind what stands for it.
  expect(text).not.toMatch(/…[^"]/);
  expect(text).not.toContain(SECRET);
});

it.each([
  { text: 'near "x": syntax error at offset 7', status: 500 },
  { text: 'D1 DB is overloaded. Too many requests queued.', status: 503 },
])(
  'The log has the details of an unexpected error, and the response does not: $text',
  async ({ text, status }) => {
    const { db } = failing(env.DB, { text, moment: 'before', times: Infinity });
    const answer = await brand.send('POST', '/products', product, { db });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body)).toEqual(['error']);
    const requestId = answer.headers.get('X-Request-Id');
    answer.headers.delete('X-Request-Id');
    expect(answer.text + JSON.stringify([...answer.headers])).not.toMatch(/D1|SQL|syntax|offset/);
    const lines = logged().map((entry): unknown => JSON.parse(entry));
    const own = lines.filter((entry) => line.safeParse(entry).success);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ status, d1Calls: 1, requestId });
    const failures = lines.filter((entry) => !own.includes(entry));
    expect(failures).toMatchObject([
      { level: 'error', requestId, route: '/api/brand/v1/products' },
    ]);
    expect(logged().join()).toContain(JSON.stringify(text).slice(1, -1));
    expect(logged().join()).not.toContain(SECRET);
    expect(logged().join()).not.toContain(brand.issued.apiKey);
  },
);

it.each<[status: number, method: string, path: string, fields: object, body?: unknown]>([
  [200, 'GET', '/profile', {}],
  [400, 'POST', '/products', { cause: 'invalid-json' }, `{${SECRET}`],
  [404, 'GET', `/products/${SECRET}`, { cause: 'not-found' }],
  [404, 'GET', '/prodcuts?sku=x', { cause: 'no-such-path', path: '/api/brand/v1/prodcuts' }],
  [404, 'GET', `/${'x'.repeat(200)}`, { cause: 'no-such-path', path: '/api/brand/v1/…' }],
  [
    404,
    'GET',
    `/${'x-'.repeat(200)}`,
    { cause: 'no-such-path', path: `/api/brand/v1/${'x-'.repeat(43)}` },
  ],
  [405, 'DELETE', '/profile', { cause: 'method-not-allowed', path: '/api/brand/v1/profile' }],
  [409, 'POST', '/coupon-codes', { cause: 'already-exists' }, { code: SECRET, discountPercent: 1 }],
  [412, 'PATCH', '/profile', { cause: 'precondition-failed' }, {}],
  [413, 'PATCH', '/profile', { cause: 'too-large' }, { a: 'x'.repeat(300_000) }],
])(
  'The log says why a request got its status: %i of %s %s',
  async (status, method, path, fields, body) => {
    await brand.send('POST', '/coupon-codes', { code: SECRET, discountPercent: 1 });
    log.mockClear();
    const raw = typeof body === 'string' ? { raw: body } : {};
    const headers = status === 412 ? { 'If-Match': '"other"' } : {};
    const answer = await brand.send(method, path, body, { headers, ...raw });
    expect(answer.status).toBe(status);
    const [text = ''] = logged();
    const { cause, problems, path: shown } = line.parse(JSON.parse(text));
    expect({ cause, problems, path: shown }).toEqual({
      cause: undefined,
      problems: undefined,
      path: undefined,
      ...fields,
    });
    expect(cause).toBe(answer.headers.get('X-Error') ?? undefined);
    expect(text).not.toContain(SECRET);
  },
);

it('The log says why of the last error, if another one came before it', async () => {
  const headers = { Authorization: `Bearer ${newApiKey()}` };
  const answer = await send('POST', '/api/brand/v1/products', { raw: '{', headers });
  expect([answer.status, answer.headers.get('X-Error')]).toEqual([401, 'invalid-key']);
  expect(line.parse(JSON.parse(logged()[0] ?? ''))).toMatchObject({ cause: 'invalid-key' });
});

it.each<[what: string, method: string, path: string, body: unknown, problems: unknown]>([
  [
    'known paths',
    'PATCH',
    '/products/x',
    { priceCents: SECRET },
    'priceCents: expected an integer from 0 to 999,999,999,999',
  ],
  [
    'names that are no secret',
    'POST',
    '/products',
    { titel: SECRET, title: 'A', priceCents: 1 },
    'titel: unknown field',
  ],
  [
    'no other names',
    'PATCH',
    '/profile',
    {
      brand: {
        [SECRET]: 1,
        ['shpat_0123456789abcdef0123456789abcdef']: 1,
        bik_x: 1,
        [`x${'y'.repeat(40)}`]: 1,
      },
    },
    'brand.…: unknown field',
  ],
  [
    'no values',
    'POST',
    '/coupon-codes',
    {
      couponCodes: [
        { code: `${SECRET}"\\`, discountPercent: 1 },
        { code: `${SECRET}"\\`, discountPercent: 1 },
      ],
    },
    'couponCodes.1.code: couponCodes.0 has the value "…" too',
  ],
  [
    'parameters',
    'GET',
    `/coupon-codes?page=${SECRET}&${SECRET}=1`,
    undefined,
    expect.stringMatching(
      /^page: unknown parameter; …: unknown parameter, expected one of limit, /,
    ),
  ],
  [
    'up to 20 problems',
    'PATCH',
    '/products/x',
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`f${n}`, 1])),
    `${Array.from({ length: 20 }, (_, n) => `f${n}: unknown field`).join('; ')}; and 180 more`,
  ],
])('The log names the problems of a 400: %s', async (_, method, path, body, problems) => {
  const answer = await brand.send(method, path, body);
  expect([answer.status, answer.headers.get('X-Error')]).toEqual([400, 'invalid-request']);
  const [text = ''] = logged();
  const fields = line.parse(JSON.parse(text));
  expect(fields).toMatchObject({ cause: 'invalid-request', problems });
  expect(text).not.toMatch(/SECRET|shpat|bik|yyy/);
});

it('The log names what the database found wrong with a push, without its values', async () => {
  const items = [{ sku: SECRET, title: 'A', priceCents: 1 }, { sku: `${SECRET}2` }];
  await brand.send('POST', '/products', { products: [items[0], items[0]] });
  log.mockClear();
  const answer = await brand.send('POST', '/products?match=sku', { products: items });
  expect(answer.status).toBe(400);
  const [text = ''] = logged();
  expect(line.parse(JSON.parse(text)).problems).toBe(
    'products.0.sku: 2 products have the value "…"; products.1.title: required; products.1.priceCents: required',
  );
  expect(text).not.toContain(SECRET);
});

it('The log says how long a request took', async () => {
  await brand.send('GET', '/profile', undefined, { db: slow(env.DB, 20).db });
  const [text = ''] = logged();
  expect(line.parse(JSON.parse(text)).ms).toBeGreaterThanOrEqual(20);
});

it.each([
  ['D1 DB is overloaded. Too many requests queued.', 'before', 'overloaded'],
  ['Cannot resolve D1 DB due to transient issue on remote node.', 'before', 'not begun'],
  ['Network connection lost.', 'after', 'answer lost'],
] as const)('The log says why a request was not served: %s', async (text, moment, reason) => {
  const { db } = failing(env.DB, { text, moment, times: Infinity });
  expect((await brand.send('POST', '/products', product, { db })).status).toBe(503);
  expect(logged().map((entry): unknown => JSON.parse(entry))).toContainEqual(
    expect.objectContaining({ status: 503, reason }),
  );
});

it('The log says that a brand is frozen, without an error', async () => {
  const { brandId } = brand.issued;
  const freeze = 'update api_keys set frozen_at = ? where brand_id = ?';
  await env.DB.prepare(freeze).bind('2026-01-01T00:00:00.000Z', brandId).run();
  expect((await brand.send('POST', '/products', product)).status).toBe(503);
  expect(logged().map((entry): unknown => JSON.parse(entry))).toEqual([
    expect.objectContaining({ status: 503, reason: 'frozen' }),
  ]);
});

it('The log names the key of a request that the limit refused before the key was looked up', async () => {
  const { apiKey } = brand.issued;
  const full: RateLimit = { limit: () => Promise.resolve({ success: false }) };
  const headers = { Authorization: `Bearer ${apiKey}` };
  const url = 'http://api.test/api/brand/v1/profile';
  const response = await app.request(url, { headers }, { ...env, KEY_RATE_LIMIT: full });
  expect(response.status).toBe(429);
  const [text = ''] = logged();
  const { keyHash, brandId, d1Calls } = line.parse(JSON.parse(text));
  expect(keyHash).toBe((await sha256(apiKey)).slice(0, 16));
  expect([brandId, d1Calls]).toEqual([undefined, undefined]);
});

it('The log has one line for a list that is read in several calls, with all of them', async () => {
  const items = Array.from({ length: 500 }, (_, n) => ({ title: `P${n}`, priceCents: n }));
  for (let request = 0; request < 3; request++) {
    await brand.send('POST', '/products', { products: items });
  }
  log.mockClear();
  await brand.send('GET', '/products');
  await eventually(() => {
    expect(logged()).toHaveLength(1);
  });
  const fields = line.parse(JSON.parse(logged()[0] ?? ''));
  expect(fields.status).toBe(200);
  expect(fields.d1Calls).toBeGreaterThanOrEqual(2);
  expect(fields.rowsRead).toBeGreaterThanOrEqual(1500);
});
