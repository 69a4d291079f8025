import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { issueKey } from '../tools/admin/keys.ts';
import type { Answer } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import { interceptD1 } from './support/d1.ts';

const BASE = '/api/brand/v1';
const bareProduct = products.bare(1);
const bareCouponCode = couponCodes.bare(1);
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const COLLECTION = { text: 'Use GET or POST.', allow: ['GET', 'HEAD', 'POST', 'OPTIONS'] };
const ITEM = {
  text: 'Use GET, PUT, PATCH or DELETE.',
  allow: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
};

const paths = [
  {
    path: '/profile',
    text: 'Use GET, PUT or PATCH.',
    allow: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'],
  },
  ...collections.flatMap(({ path }) => [
    { path, ...COLLECTION },
    { path: `${path}/${ID}`, ...ITEM },
  ]),
];

describe.each(paths)('the path $path', ({ path, text, allow }) => {
  // The runtime does not allow requests with unknown methods; raw-socket.test.ts tests FOO.
  const known = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'];
  const others = known.filter((method) => !allow.includes(method));

  test.each(others)('answers %s with 405, with or without a key', async (method) => {
    const brand = await TestBrand.create();
    const answers = [await send(method, BASE + path), await brand.send(method, path)];
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([405, { error: `Method not allowed. ${text}` }]);
      expect(listOf(answer, 'Allow')).toEqual([...allow].sort());
      expect(answer.headers.has('x-d1-bookmark')).toBe(false);
      expectServiceHeaders(answer);
    }
  });

  test('answers OPTIONS with 204 and Allow, with or without a key', async () => {
    const brand = await TestBrand.create();
    for (const answer of [await send('OPTIONS', BASE + path), await brand.send('OPTIONS', path)]) {
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(listOf(answer, 'Allow')).toEqual([...allow].sort());
      expectServiceHeaders(answer);
    }
  });

  test('answers HEAD like GET, without the body', async () => {
    const brand = await TestBrand.create();
    for (const method of ['HEAD', 'GET']) {
      const keyless = await send(method, BASE + path);
      expect(keyless.status).toBe(401);
      expect(keyless.headers.get('WWW-Authenticate')).toBe('Bearer');
    }
    const [head, get] = [await brand.send('HEAD', path), await brand.send('GET', path)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    expect(headersOf(head)).toEqual(headersOf(get));
    expectServiceHeaders(head);
  });
});

test('HEAD of a resource answers 200 without a body', async () => {
  const brand = await TestBrand.create();
  const { id } = await brand.create('/products', bareProduct);
  const answer = await brand.send('HEAD', `/products/${id}`);
  expect([answer.status, answer.text]).toEqual([200, '']);
  expectServiceHeaders(answer);
});

describe('an unknown path is 404 for every method, with or without a key', () => {
  test.each([
    ...[
      '/',
      '//',
      '/api',
      '/api/',
      '/api/brand',
      '/api/brand/v1',
      '/api/brand/v1/',
      '/favicon.ico',
    ],
    ...['/api/brand/v2/products', '/api/brand/products', '/products', '/v1/products', '/admin'],
    ...[`${BASE}/profile/`, `${BASE}/products/`, `${BASE}/coupon-codes/`, `${BASE}//products`],
    ...[`/${BASE}/products`, `${BASE}/Products`, `${BASE}/PROFILE`, `${BASE}/coupon-Codes`],
    ...['/API/brand/v1/products', '/api/Brand/v1/products', '/api/brand/V1/products'],
    ...[`${BASE}/product`, `${BASE}/couponcodes`, `${BASE}/coupon_codes`, `${BASE}/brand`],
    ...[`${BASE}/products/${ID}/`, `${BASE}/products/${ID}/images`, `${BASE}/products//${ID}`],
    ...[`${BASE}/coupon-codes/${ID}/`, `${BASE}/profile/brand`, `${BASE}/profile/${ID}`],
    ...[`${BASE}/products.json`, `${BASE}/products;a=b`, `${BASE}/products%2F`, `${BASE}/%00`],
    ...[`${BASE}/profile%2f`, `${BASE}/x/%2e%2e%2fprofile`, `${BASE}/keys`, `${BASE}/brands`],
    ...[`${BASE}/products%20`, `${BASE}/x%`, '/api/brand/v1/__proto__', '/%E0%A4%A'],
  ])('%s', async (path) => {
    const brand = await TestBrand.create();
    const headers = { Authorization: `Bearer ${brand.issued.apiKey}` };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const answer of [await send(method, path), await send(method, path, { headers })]) {
        expect([answer.status, answer.text], method).toEqual([404, '{"error":"Not found."}']);
        expectServiceHeaders(answer);
      }
    }
    const head = await send('HEAD', path);
    expect([head.status, head.text]).toEqual([404, '']);
  });
});

test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
  '%s does not turn a read into a write',
  async (name) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create('/products', bareProduct);
    const path = `/products/${id}?_method=DELETE`;
    const headers = { [name]: 'DELETE' };
    expect((await brand.send('GET', path, undefined, { headers })).status).toBe(200);
    expect((await brand.send('GET', `/products/${id}`)).status).toBe(200);
  },
);

describe('the headers of every response', () => {
  const statuses: readonly (readonly [number, (brand: TestBrand) => Promise<Answer>])[] = [
    [200, (brand) => brand.send('GET', '/products')],
    [200, (brand) => brand.send('GET', '/profile')],
    [200, (brand) => brand.send('PATCH', '/profile', {})],
    [201, (brand) => brand.send('POST', '/products', bareProduct)],
    [204, () => send('OPTIONS', `${BASE}/products`)],
    [
      304,
      (brand) => brand.send('GET', '/profile', undefined, { headers: { 'If-None-Match': '*' } }),
    ],
    [400, (brand) => brand.send('POST', '/products', undefined, { raw: '{' })],
    [400, (brand) => brand.send('POST', '/products', {})],
    [401, () => send('GET', `${BASE}/products`)],
    [401, () => send('GET', `${BASE}/products`, { headers: { Authorization: 'Bearer x' } })],
    [
      403,
      async (brand) => {
        const issued = await issueKey(execute, brand.issued.brandId, { scope: 'read' });
        return brand.with(issued).send('POST', '/products', bareProduct);
      },
    ],
    [404, () => send('GET', '/')],
    [404, (brand) => brand.send('GET', `/products/${ID}`)],
    [405, (brand) => brand.send('DELETE', '/products')],
    [
      409,
      async (brand) => {
        await brand.create('/coupon-codes', bareCouponCode);
        return brand.send('POST', '/coupon-codes', bareCouponCode);
      },
    ],
    [413, (brand) => brand.send('PATCH', '/profile', { a: 'x'.repeat(300_000) })],
    [
      500,
      (brand) => {
        const db = interceptD1(env.DB, () => Promise.reject(new Error('no such table: secret')));
        return brand.send('GET', '/products', undefined, { db });
      },
    ],
  ];

  test.each(statuses)('%i', async (status, ask) => {
    const answer = await ask(await TestBrand.create());
    expect(answer.status, answer.text).toBe(status);
    expectServiceHeaders(answer);
    if (status >= 400) {
      expect(Object.keys(answer.body)).toEqual(['error']);
      expect(answer.text).not.toContain('secret');
    }
    if (status === 500) expect(answer.body).toEqual({ error: 'Internal server error.' });
  });

  test('every response has a different request id', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('GET', '/')));
    expect(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(5);
  });
});

describe('X-Request-Id', () => {
  const idOf = async (sent: string): Promise<string | null> =>
    (await send('GET', '/', { headers: { 'X-Request-Id': sent } })).headers.get('X-Request-Id');

  test.each(['a', 'A_b-9', '4f1c2d3e-0000-7000-8000-123456789abc', 'x'.repeat(255)])(
    '%s is returned',
    async (id) => {
      expect(await idOf(id)).toBe(id);
    },
  );

  test.each(['', ' ', 'a b', '<x>', '"', 'x'.repeat(256), 'a,b', '{"a":1}', 'é'])(
    '%j is replaced',
    async (id) => {
      expect(await idOf(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );
});

test.each(['GET', 'OPTIONS'])('%s allows no page of another origin to read', async (method) => {
  const brand = await TestBrand.create();
  const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
  const answer = await brand.send(method, '/profile', undefined, { headers });
  expect(answer.status).toBe(method === 'GET' ? 200 : 204);
  expectServiceHeaders(answer);
});

function expectServiceHeaders({ status, headers }: Answer): void {
  const hasBody = status !== 204 && status !== 304;
  expect(headers.get('Content-Type')).toBe(hasBody ? 'application/json' : null);
  expect([...headers.keys()].join()).not.toMatch(/access-control|x-powered-by|server|set-cookie/);
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{8,}$/);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{7,}/);
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
}

function listOf({ headers }: Answer, name: string): string[] {
  return (headers.get(name) ?? '').split(', ').sort();
}

/** The headers that do not differ from answer to answer. */
function headersOf({ headers }: Answer): Record<string, string> {
  const names = [...headers.keys()].filter(
    (name) => name !== 'x-request-id' && name !== 'x-d1-bookmark',
  );
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}
