import { beforeEach, describe, expect, it, vi } from 'vitest';
import { coupon, expectError, product, UNKNOWN } from './support/attack.ts';
import { resourceOf, resourcesOf, send, TestBrand } from './support/brand.ts';
import { snapshot } from './support/snapshot.ts';

// OWASP API Security Top 10 (2023), API5 to API7.

const BASE = '/api/brand/v1';
let brand: TestBrand;

beforeEach(async () => {
  brand = await TestBrand.create();
});

describe('API5 Broken function level authorization', () => {
  // The runtime does not allow requests with unknown methods; raw-socket.test.ts tests FOO.
  const METHODS = [
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'TRACE',
    'PROPFIND',
    'PURGE',
    'get',
  ];
  const profile = { methods: ['GET', 'PUT', 'PATCH'], text: 'GET, PUT or PATCH' };
  const list = { methods: ['GET', 'POST'], text: 'GET or POST' };
  const item = { methods: ['GET', 'PUT', 'PATCH', 'DELETE'], text: 'GET, PUT, PATCH or DELETE' };
  const PATHS = [
    { path: '/profile', ...profile },
    { path: '/products', ...list },
    { path: `/products/${UNKNOWN}`, ...item },
    { path: '/coupon-codes', ...list },
    { path: `/coupon-codes/${UNKNOWN}`, ...item },
  ];
  const refused = PATHS.flatMap(({ path, methods, text }) =>
    METHODS.filter((method) => ![...methods, 'HEAD', 'OPTIONS', 'get'].includes(method)).map(
      (method) => ({ method, path, methods, text }),
    ),
  );

  it.each(refused)('$method $path is 405, with a key or without', async (attack) => {
    const { method, path, methods, text } = attack;
    const before = await snapshot(brand.issued.brandId);
    for (const answer of [await brand.send(method, path), await send(method, BASE + path)]) {
      expectError(answer, 405);
      expect(answer.body).toEqual({ error: `Method not allowed. Use ${text}.` });
      const allow = answer.headers.get('Allow')?.split(', ') ?? [];
      expect(new Set(allow)).toEqual(new Set([...methods, 'HEAD', 'OPTIONS']));
      expect(answer.headers.get('x-d1-bookmark')).toBeNull();
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it.each(PATHS)('OPTIONS $path lists the allowed methods and needs no key', async (known) => {
    const answer = await send('OPTIONS', BASE + known.path);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    const allow = answer.headers.get('Allow')?.split(', ') ?? [];
    expect(new Set(allow)).toEqual(new Set([...known.methods, 'HEAD', 'OPTIONS']));
  });

  it.each(PATHS)('HEAD $path needs a key and has no body', async ({ path }) => {
    const [get, head] = [await brand.send('GET', path), await brand.send('HEAD', path)];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe('');
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'));
    expect((await send('HEAD', BASE + path)).status).toBe(401);
  });

  const hidden = [
    '/',
    '/admin',
    '/api',
    '/api/brand',
    BASE,
    `${BASE}/`,
    `${BASE}/profile/`,
    `${BASE}/products/`,
    `${BASE}/Products`,
    `${BASE}/PROFILE`,
    '/API/brand/v1/profile',
    '/api/brand/v2/profile',
    `/${BASE}/profile`,
    `${BASE}//profile`,
    `${BASE}/keys`,
    `${BASE}/brands`,
    `${BASE}/admin`,
    `${BASE}/products/${UNKNOWN}/`,
    `${BASE}/products/${UNKNOWN}/x`,
    `${BASE}/coupon-codes/${UNKNOWN}/brand`,
    `${BASE}/profile;x=1`,
    `${BASE}/profile%00`,
    `${BASE}/profile%2f`,
    `${BASE}/profile.json`,
    `${BASE}/x/%2e%2e%2fprofile`,
    `${BASE}/couponCodes`,
    `${BASE}/coupons`,
    '/%',
  ];
  it.each(hidden)('%s is not a path, for any method', async (path) => {
    for (const method of METHODS.filter((name) => name !== 'HEAD')) {
      for (const headers of [{}, { Authorization: `Bearer ${brand.issued.apiKey}` }]) {
        const answer = await send(method, path, { headers });
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(404);
        expect(answer.body).toEqual({ error: 'Not found.' });
      }
    }
  });

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    '%s does not turn a read into a write',
    async (name) => {
      const { id } = await brand.create('/products', product);
      const headers = { [name]: 'DELETE' };
      const path = `/products/${id}?_method=DELETE`;
      expect((await brand.send('GET', path, undefined, { headers })).status).toBe(200);
      expect((await brand.send('GET', `/products/${id}`)).status).toBe(200);
    },
  );
});

describe('API6 Unrestricted access to sensitive business flows', () => {
  const twenty = Array.from({ length: 20 }, (_, n) => n);

  it('of twenty concurrent creations of one coupon code, in any case, one succeeds', async () => {
    const answers = await Promise.all(
      twenty.map((n) =>
        brand.send('POST', '/coupon-codes', { ...coupon, code: n % 2 ? 'save10' : 'SAVE10' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 201) expectError(answer, 409);
    expect(resourcesOf(await brand.send('GET', '/coupon-codes'))).toHaveLength(1);
  });

  it('of twenty concurrent requests with one Idempotency-Key, one creates and the others replay', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all(
      twenty.map(() => brand.send('POST', '/products', product, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(twenty.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true');
    expect(replays).toHaveLength(19);
    expect(resourcesOf(await brand.send('GET', '/products'))).toHaveLength(1);
  });

  it('of twenty concurrent changes of one revision, one succeeds', async () => {
    const made = await brand.send('POST', '/coupon-codes', coupon);
    const headers = { 'If-Match': made.headers.get('ETag') ?? '' };
    const path = `/coupon-codes/${resourceOf(made).id}`;
    const answers = await Promise.all(
      twenty.map((n) => brand.send('PATCH', path, { currentUses: n + 1 }, { headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 412);
  });

  it('of twenty concurrent deletions of one product, one succeeds', async () => {
    const { id } = await brand.create('/products', product);
    const answers = await Promise.all(twenty.map(() => brand.send('DELETE', `/products/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expectError(answer, 404);
  });
});

describe('API7 Server side request forgery', () => {
  const INTERNAL = [
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:8787/api/brand/v1/profile',
    'http://[::1]/',
    'http://0x7f000001/',
    'http://metadata.google.internal/',
    'https://user:pass@10.0.0.1:22/',
  ];
  const REFUSED = [
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_FLUSHALL',
    'javascript:alert(1)',
    'data:text/html,x',
    '//evil.example/x',
    'ftp://evil.example/',
    'http://',
    'http://a b/',
    'http://a\r\nX: y/',
    '',
  ];

  it.each(INTERNAL)('%s is stored unchanged and never fetched', async (url) => {
    const fetches = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('No way out.'));
    try {
      const made = await brand.create('/products', { ...product, imageUrl: url, imageUrls: [url] });
      expect(made).toMatchObject({ imageUrl: url, imageUrls: [url] });
      const changes = { website: url, logoUrl: url };
      const patched = await brand.send('PATCH', '/profile', { brand: changes });
      expect(patched.body['brand']).toMatchObject(changes);
      const storeDomain = 'metadata.google.internal';
      await brand.send('PATCH', '/profile', { connection: { storeDomain, syncEnabled: true } });
      await brand.send('PUT', `/products/${made.id}`, { ...product, imageUrl: url });
      await brand.send('GET', '/products');
      expect(fetches).not.toHaveBeenCalled();
    } finally {
      fetches.mockRestore();
    }
  });

  it.each(REFUSED)('%j is not a valid URL', async (url) => {
    expectError(await brand.send('POST', '/products', { ...product, imageUrl: url }), 400);
    expectError(await brand.send('POST', '/products', { ...product, imageUrls: [url] }), 400);
    expectError(await brand.send('PATCH', '/profile', { brand: { website: url } }), 400);
  });

  it('no header changes the URL of the next page', async () => {
    await brand.create('/products', product);
    await brand.create('/products', product);
    const evil = 'evil.example';
    const headers = {
      'X-Forwarded-Host': evil,
      'X-Original-URL': `http://${evil}/`,
      Forwarded: `host=${evil}`,
    };
    const answer = await brand.send('GET', '/products?limit=1', undefined, { headers });
    expect(answer.headers.get('Link')).toMatch(/^<http:\/\/api\.test\/api\/brand\/v1\/products\?/);
  });
});
