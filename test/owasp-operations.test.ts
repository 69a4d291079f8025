import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, product, UNKNOWN } from './support/attack.ts';
import { resourceOf, send, TestBrand } from './support/brand.ts';

// OWASP API Security Top 10 (2023), API8 to API10.

let brand: TestBrand;

beforeEach(async () => {
  brand = await TestBrand.create();
});

describe('API8 Security misconfiguration: answers', () => {
  const answers = [
    ['GET', '/profile', {}, 200],
    ['GET', '/profile', { 'If-None-Match': '*' }, 304],
    ['GET', '/profile', { Authorization: '' }, 401],
    ['GET', '/nothing', {}, 404],
    ['DELETE', '/profile', {}, 405],
    ['OPTIONS', '/profile', {}, 204],
    ['GET', '/products?x=1', {}, 400],
    ['GET', `/products/${UNKNOWN}`, {}, 404],
  ] as const;

  it.each(answers)(
    '%s %s with %j carries the security headers and no others',
    async (...attack) => {
      const [method, path, headers, status] = attack;
      const origin = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'PUT' };
      const answer = await brand.send(method, path, undefined, {
        headers: { ...headers, ...origin },
      });
      expect(answer.status).toBe(status);
      const got = Object.fromEntries(answer.headers);
      expect(got).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(got['content-security-policy']).toContain("default-src 'none'");
      expect(got['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
      expect(got['x-request-id']).toMatch(/^[\w-]+$/);
      if (status === 204 || status === 304) expect(got['content-type']).toBeUndefined();
      else expect(got['content-type']).toMatch(/^application\/json\b/);
      const names = Object.keys(got).join();
      expect(names).not.toMatch(/access-control|x-powered-by|server|set-cookie/);
    },
  );

  it.each(['a', 'A_b-9', '4f1c2d3e-0000-7000-8000-123456789abc', 'x'.repeat(255)])(
    'X-Request-Id %s is returned',
    async (id) => {
      const answer = await brand.send('GET', '/profile', undefined, {
        headers: { 'X-Request-Id': id },
      });
      expect(answer.headers.get('X-Request-Id')).toBe(id);
    },
  );

  it.each(['', ' ', 'a b', '<x>', '"', 'x'.repeat(256), 'a,b', '{"a":1}', 'é'])(
    'X-Request-Id %j is replaced',
    async (id) => {
      const answer = await brand.send('GET', '/profile', undefined, {
        headers: { 'X-Request-Id': id },
      });
      const got = answer.headers.get('X-Request-Id') ?? '';
      expect(got).not.toBe(id);
      expect(got).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});

describe('API9 Improper inventory management', () => {
  const PATHS = [
    '/health',
    '/healthz',
    '/metrics',
    '/status',
    '/debug',
    '/docs',
    '/openapi.json',
    '/swagger.json',
    '/graphql',
    '/.env',
    '/.git/config',
    '/wrangler.toml',
    '/cdn-cgi/handler/scheduled',
    '/__scheduled',
    '/favicon.ico',
    '/robots.txt',
    '/index.html',
    '/api/v1/products',
    '/v1/products',
    '/api/brand/v0/products',
    '/api/brand/v2/products',
    '/api/brand/v1beta/products',
    '/api/brand/products',
  ];

  it.each(PATHS)(
    '%s does not exist, and gets the same response as any unknown path',
    async (path) => {
      const headers = { Authorization: `Bearer ${brand.issued.apiKey}` };
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await send(method, path, { headers });
        expect(answer.status).toBe(404);
        expect(answer.text).toBe('{"error":"Not found."}');
      }
    },
  );
});

describe('API10 Unsafe consumption of APIs', () => {
  // An integration passes the store's values on. They are data, whatever they look like.
  it('stores names of a store unchanged, and returns them only as JSON', async () => {
    const storeProductId = 'gid://evil\u2028/<img src=x onerror=alert(1)>/"\\';
    const made = await brand.send('POST', '/products', { ...product, storeProductId });
    expect(made.status, made.text).toBe(201);
    expect(resourceOf(made)).toMatchObject({ storeProductId, source: 'STORE' });
    expect(made.headers.get('Content-Type')).toMatch(/^application\/json\b/);
  });

  it.each(['\u0000', '\u001b[31m', '\u0085', '\ud800', 'a\nb'])(
    'refuses %j in an id or a title',
    async (text) => {
      for (const field of ['title', 'sku', 'storeProductId', 'storeVariantId']) {
        expectError(
          await brand.send('POST', '/products', { ...product, [field]: `x${text}y` }),
          400,
        );
      }
    },
  );

  it('reads repeated names and __proto__ like JSON.parse, without side effects', async () => {
    const raw = '{"title":"a","priceCents":1,"title":"b"}';
    const made = await brand.send('POST', '/products', undefined, { raw });
    expect(resourceOf(made)['title']).toBe('b');
    const polluted = '{"title":"a","priceCents":1,"__proto__":{"polluted":true}}';
    expectError(await brand.send('POST', '/products', undefined, { raw: polluted }), 400);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});
