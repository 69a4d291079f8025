import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { generateApiKey } from '../src/auth/api-key.ts';
import { COLLECTIONS, coupon, expectError, product, UNKNOWN } from './support/attack.ts';
import type { Answer } from './support/brand.ts';
import { resourceOf, resourcesOf, send, TestBrand } from './support/brand.ts';
import { snapshot } from './support/snapshot.ts';

// OWASP API Security Top 10 (2023), API1 and API2.

const BASE = '/api/brand/v1';

let mine: TestBrand;
let theirs: TestBrand;

beforeEach(async () => {
  [mine, theirs] = await Promise.all([TestBrand.create('Mine'), TestBrand.create('SECRET Theirs')]);
});

/** Everything of an answer that may not differ between two refusals: all but the request's own id and the bookmark. */
function bytes({ status, headers, text }: Answer): unknown {
  const varying = new Set(['x-request-id', 'x-d1-bookmark']);
  return { status, text, headers: [...headers].filter(([name]) => !varying.has(name)) };
}

describe('API1 Broken object level authorization', () => {
  const attacks = COLLECTIONS.flatMap(({ path, full, patch }) =>
    (
      [
        ['GET', undefined, {}],
        ['HEAD', undefined, {}],
        ['GET', undefined, { 'If-None-Match': '*' }],
        ['PUT', full, {}],
        ['PUT', full, { 'If-Match': '*' }],
        ['PATCH', patch, {}],
        ['PATCH', {}, {}],
        ['PATCH', patch, { 'If-Match': '"wrong"' }],
        ['DELETE', undefined, {}],
        ['DELETE', undefined, { 'If-Match': '*' }],
      ] as const
    ).map(([method, body, headers]) => ({ method, path, body, headers, full })),
  );

  it.each(attacks)(
    "$method $path with another brand's id answers exactly like an unknown id ($headers)",
    async ({ method, path, body, headers, full }) => {
      const { id } = await theirs.create(path, full);
      const before = await snapshot(theirs.issued.brandId);
      const foreign = await mine.send(method, `${path}/${id}`, body, { headers });
      const unknown = await mine.send(method, `${path}/${UNKNOWN}`, body, { headers });
      expect(foreign.status).toBe(404);
      expect(bytes(foreign)).toEqual(bytes(unknown));
      expect(await snapshot(theirs.issued.brandId)).toEqual(before);
    },
  );

  it.each(COLLECTIONS)("$path: another brand's cursor shows nothing of it", async (collection) => {
    const { path, full } = collection;
    for (const n of [1, 2, 3]) {
      await theirs.create(path, { ...full, ...(path === '/coupon-codes' && { code: `S${n}` }) });
    }
    const own = await mine.create(path, full);
    const page = await theirs.send('GET', `${path}?limit=1`);
    const cursor = /cursor=(\w+)/.exec(page.headers.get('Link') ?? '')?.[1] ?? 'none';
    const answer = await mine.send('GET', `${path}?limit=250&cursor=${cursor}`);
    expect(answer.status, answer.text).toBe(200);
    for (const { id } of resourcesOf(answer)) expect(id).toBe(own.id);
  });

  it('an Idempotency-Key of another brand replays nothing', async () => {
    const headers = { 'Idempotency-Key': 'shared' };
    const first = await theirs.send('POST', '/products', product, { headers });
    const second = await mine.send('POST', '/products', product, { headers });
    expect(second.status).toBe(201);
    expect(second.headers.get('Idempotent-Replayed')).toBeNull();
    expect(resourceOf(second).id).not.toBe(resourceOf(first).id);
  });

  it('a coupon code of another brand can be used, and its entity tag gives no access', async () => {
    const first = await theirs.send('POST', '/coupon-codes', coupon);
    expect((await mine.send('POST', '/coupon-codes', coupon)).status).toBe(201);
    const headers = { 'If-Match': first.headers.get('ETag') ?? '' };
    const { id } = resourceOf(first);
    expectError(await mine.send('DELETE', `/coupon-codes/${id}`, undefined, { headers }), 404);
  });
});

describe('API2 Broken authentication', () => {
  const key = (): string => mine.issued.apiKey;
  const keyless: readonly (readonly [string, () => Record<string, string>, string])[] = [
    ['no header', () => ({}), 'Missing API key.'],
    ['an empty header', () => ({ 'x-service-api-key': '' }), 'Missing API key.'],
    [
      'another scheme',
      () => ({ Authorization: `Basic ${btoa(`x:${key()}`)}` }),
      'Missing API key.',
    ],
    ['the key without a scheme', () => ({ Authorization: key() }), 'Missing API key.'],
    ['a cookie', () => ({ Cookie: `apiKey=${key()}` }), 'Missing API key.'],
    ['a similar header', () => ({ 'x-api-key': key() }), 'Missing API key.'],
    ['a bare scheme', () => ({ Authorization: 'Bearer' }), 'Invalid API key.'],
    [
      'two keys in one header',
      () => ({ Authorization: `Bearer ${key()}, ${key()}` }),
      'Invalid API key.',
    ],
    [
      'two keys in the other header',
      () => ({ 'x-service-api-key': `${key()}, ${key()}` }),
      'Invalid API key.',
    ],
    [
      'a second Bearer in one header',
      () => ({ Authorization: `Bearer ${key()}, Bearer ${key()}` }),
      'Invalid API key.',
    ],
    ['the key and something', () => ({ Authorization: `Bearer ${key()} x` }), 'Invalid API key.'],
    [
      'a key never issued',
      () => ({ Authorization: `Bearer ${generateApiKey()}` }),
      'Invalid API key.',
    ],
    [
      'one digit changed',
      () => ({ Authorization: `Bearer ${key().replace(/.$/, (c) => (c === '0' ? '1' : '0'))}` }),
      'Invalid API key.',
    ],
    [
      'the case changed',
      () => ({ Authorization: `Bearer ${key().toUpperCase()}` }),
      'Invalid API key.',
    ],
    ['SQL', () => ({ Authorization: `Bearer ' or 1=1 --` }), 'Invalid API key.'],
    [
      'a very long key',
      () => ({ Authorization: `Bearer ${'x'.repeat(10_000)}` }),
      'Invalid API key.',
    ],
    [
      'a JWT that says none',
      () => ({ Authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' }),
      'Invalid API key.',
    ],
    [
      "another brand's key beside it",
      () => ({ Authorization: `Bearer ${key()}`, 'x-service-api-key': theirs.issued.apiKey }),
      'Conflicting API keys.',
    ],
    [
      'nonsense beside it',
      () => ({ Authorization: `Bearer ${key()}`, 'x-service-api-key': 'x' }),
      'Conflicting API keys.',
    ],
  ];

  it.each(keyless)('%s gives no access', async (_, headers, error) => {
    const answer = await send('GET', `${BASE}/profile`, { headers: headers() });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error });
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-d1-bookmark')).toBeNull();
  });

  it.each([
    'apiKey',
    'api_key',
    'key',
    'token',
    'access_token',
    'x-service-api-key',
    'Authorization',
  ])('a key in the URL as %s is never read', async (name) => {
    const query = `${name}=${key()}`;
    const answer = await send('GET', `${BASE}/products?${query}`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: 'Missing API key.' });
    // It does not override a header either.
    const other = await theirs.send('GET', `/products?${query}`);
    expectError(other, 400);
    expect(other.text).not.toContain(key());
  });

  it('the hash and the prefix of a key are not keys', async () => {
    const { results } = await env.DB.prepare('select hash, prefix from api_keys where id = ?')
      .bind(mine.issued.keyId)
      .all<{ hash: string; prefix: string }>();
    for (const { hash, prefix } of results) {
      for (const secret of [hash, prefix]) {
        const headers = { Authorization: `Bearer ${secret}` };
        expectError(await send('GET', `${BASE}/profile`, { headers }), 401);
      }
    }
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain(key());
  });
});
