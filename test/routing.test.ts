import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Answer } from './support/brand.ts';
import { collections, couponCodes, products } from './support/collections.ts';
import { send, TestBrand } from './support/brand.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import { withNewKey } from './support/keys.ts';
import { meter } from './support/meter.ts';

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

/** A D1 that must not be asked: the answer would be 500. */
const unasked = interceptD1(env.DB, () => Promise.reject(new Error('no such table: secret')));

/** Asks without a key, and with a good one. */
async function askTwice(method: string, path: string): Promise<Answer[]> {
  const brand = await TestBrand.create();
  const headers = { Authorization: `Bearer ${brand.issued.apiKey}` };
  return [
    await send(method, path, { db: unasked }),
    await send(method, path, { headers, db: unasked }),
  ];
}

describe.each(paths)('$path', ({ path, text, allow }) => {
  // The runtime does not allow requests with unknown methods; raw-socket.test.ts tests FOO.
  const known = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'QUERY'];
  const others = known.filter((method) => !allow.includes(method));

  it.each([...others, 'OPTIONS'])(
    'A path answers other methods with those that it has, to anyone: %s',
    async (method) => {
      for (const answer of await askTwice(method, BASE + path)) {
        expect([answer.status, answer.text]).toEqual(
          method === 'OPTIONS' ? [204, ''] : [405, `{"error":"Method not allowed. ${text}"}`],
        );
        expect((answer.headers.get('Allow') ?? '').split(', ').sort()).toEqual([...allow].sort());
        expect(answer.headers.has('x-d1-bookmark')).toBe(false);
        expectServiceHeaders(answer);
      }
    },
  );

  it('A path answers HEAD like GET, without the body, in one call', async () => {
    const brand = await TestBrand.create();
    const keyless = await send('HEAD', BASE + path);
    expect(keyless.headers.get('WWW-Authenticate')).toBe('Bearer realm="brand-api"');
    expect(keyless.headers.get('X-Error')).toBe('missing-key');
    const metered = meter();
    const head = await brand.send('HEAD', path, undefined, metered);
    const get = await brand.send('GET', path);
    expect([head.status, head.text, metered.calls]).toEqual([get.status, '', 1]);
    expect(headersOf(head)).toEqual(headersOf(get));
    expectServiceHeaders(head);
  });
});

it.each([
  '/',
  '//',
  '/api',
  '/api/',
  '/api/brand',
  '/api/brand/v1',
  '/api/brand/v1/',
  '/favicon.ico',
  '/products',
  '/v1/products',
  '/admin',
  '/%E0%A4%A',
  '/api/brand/v2/products',
  '/api/brand/products',
  '/api/brand/v1/__proto__',
  `${BASE}/profile/`,
  `${BASE}/products/`,
  `${BASE}/coupon-codes/`,
  `${BASE}//products`,
  `/${BASE}/products`,
  `${BASE}/Products`,
  `${BASE}/PROFILE`,
  `${BASE}/coupon-Codes`,
  '/API/brand/v1/products',
  '/api/Brand/v1/products',
  '/api/brand/V1/products',
  `${BASE}/product`,
  `${BASE}/couponcodes`,
  `${BASE}/coupon_codes`,
  `${BASE}/brand`,
  `${BASE}/products/${ID}/`,
  `${BASE}/products/${ID}/images`,
  `${BASE}/products//${ID}`,
  `${BASE}/coupon-codes/${ID}/`,
  `${BASE}/profile/brand`,
  `${BASE}/profile/${ID}`,
  `${BASE}/products.json`,
  `${BASE}/products;a=b`,
  `${BASE}/products%2F`,
  `${BASE}/%00`,
  `${BASE}/profile%2f`,
  `${BASE}/x/%2e%2e%2fprofile`,
  `${BASE}/keys`,
  `${BASE}/brands`,
  `${BASE}/products%20`,
  `${BASE}/x%`,
])('An unknown path is 404 for every method, to anyone: %s', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'HEAD']) {
    for (const answer of await askTwice(method, path)) {
      const text = method === 'HEAD' ? '' : '{"error":"Not found."}';
      expect([answer.status, answer.text], method).toEqual([404, text]);
      expectServiceHeaders(answer);
    }
  }
});

it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
  'A header with another method does not turn a read into a write: %s',
  async (name) => {
    const brand = await TestBrand.create();
    const { id } = await brand.create('/products', bareProduct);
    const path = `/products/${id}?_method=DELETE`;
    const headers = { [name]: 'DELETE' };
    expect((await brand.send('GET', path, undefined, { headers })).status).toBe(200);
    expect((await brand.send('GET', `/products/${id}`)).status).toBe(200);
  },
);

const statuses: readonly (readonly [number, (brand: TestBrand) => Promise<Answer>])[] = [
  [200, (brand) => brand.send('GET', '/products')],
  [200, (brand) => brand.send('GET', '/profile')],
  [200, (brand) => brand.send('PATCH', '/profile', {})],
  [201, (brand) => brand.send('POST', '/products', bareProduct)],
  [204, () => send('OPTIONS', `${BASE}/products`)],
  [304, (brand) => brand.send('GET', '/profile', undefined, { headers: { 'If-None-Match': '*' } })],
  [400, (brand) => brand.send('POST', '/products', undefined, { raw: '{' })],
  [400, (brand) => brand.send('POST', '/products', {})],
  [401, () => send('GET', `${BASE}/products`)],
  [401, () => send('GET', `${BASE}/products`, { headers: { Authorization: 'Bearer x' } })],
  [
    403,
    async (brand) =>
      (await withNewKey(brand, { scope: 'read' })).send('POST', '/products', bareProduct),
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
  [500, (brand) => brand.send('GET', '/products', undefined, { db: unasked })],
];

it.each(statuses)('Every response has the headers of all: status %i', async (status, ask) => {
  const answer = await ask(await TestBrand.create());
  expect(answer.status, answer.text).toBe(status);
  expectServiceHeaders(answer);
  if (status >= 400) {
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(answer.text).not.toContain('secret');
  }
  if (status === 500) expect(answer.body).toEqual({ error: 'Internal server error.' });
});

it('Every response has a different request id', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('GET', '/')));
  expect(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(5);
});

const idOf = async (sent: string): Promise<string | null> =>
  (await send('GET', '/', { headers: { 'X-Request-Id': sent } })).headers.get('X-Request-Id');

it.each(['a', 'A_b-9', '4f1c2d3e-0000-7000-8000-123456789abc', 'x'.repeat(255)])(
  'A good X-Request-Id is returned: %s',
  async (id) => {
    expect(await idOf(id)).toBe(id);
  },
);

it.each(['', ' ', 'a b', '<x>', '"', 'x'.repeat(256), 'a,b', '{"a":1}', 'é'])(
  'A bad X-Request-Id is replaced: %j',
  async (id) => {
    expect(await idOf(id)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  },
);

it.each(['GET', 'OPTIONS'])(
  'No response allows a page of another origin to read it: %s',
  async (method) => {
    const brand = await TestBrand.create();
    const headers = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
    const answer = await brand.send(method, '/profile', undefined, { headers });
    expect(answer.status).toBe(method === 'GET' ? 200 : 204);
    expectServiceHeaders(answer);
  },
);

function expectServiceHeaders({ status, headers }: Answer): void {
  const hasBody = status !== 204 && status !== 304;
  expect(headers.get('Content-Type')).toBe(hasBody ? 'application/json' : null);
  expect([...headers.keys()].join()).not.toMatch(/access-control|x-powered-by|server|set-cookie/);
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{8,}$/);
  expect(Math.abs(Date.now() - Date.parse(headers.get('Date') ?? ''))).toBeLessThan(60_000);
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(headers.get('X-Frame-Options')).toBe('DENY');
  expect(headers.get('Referrer-Policy')).toBe('no-referrer');
  expect(headers.get('Strict-Transport-Security')).toMatch(/^max-age=\d{7,}/);
  expect(headers.get('Content-Security-Policy')).toContain("default-src 'none'");
}

/** The headers that do not differ from answer to answer. */
function headersOf({ headers }: Answer): Record<string, string> {
  const names = [...headers.keys()].filter(
    (name) => !['date', 'x-request-id', 'x-d1-bookmark'].includes(name),
  );
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}
