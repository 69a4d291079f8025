import { beforeEach, describe, expect, it } from 'vitest';
import { COLLECTIONS, coupon, expectError, product, UNKNOWN } from './support/attack.ts';
import { resourceOf, TestBrand } from './support/brand.ts';
import { snapshot } from './support/snapshot.ts';

// OWASP API Security Top 10 (2023), API3 and API4.

let mine: TestBrand;

beforeEach(async () => {
  mine = await TestBrand.create();
});

describe('API3 Broken object property level authorization', () => {
  const COLUMNS = [
    'brandId',
    'brand_id',
    'brand',
    'revision',
    'created_at',
    'updated_at',
    'hash',
    'scope',
    'rowid',
    'price_cents',
    'store_product_id',
    'apiKey',
    'role',
    'isAdmin',
    '__proto__',
    'constructor',
    'toString',
  ];
  const bodies = COLLECTIONS.flatMap(({ path, full, patch }) =>
    (['POST', 'PUT', 'PATCH'] as const).map((method) => ({
      method,
      path,
      full: method === 'PATCH' ? patch : full,
    })),
  );

  it.each(bodies)('$method $path rejects every internal column by name', async (attack) => {
    const { method, path, full } = attack;
    const body = path === '/products' ? product : { code: 'FIRST', discountPercent: 1 };
    const { id } = await mine.create(path, body);
    const target = method === 'POST' ? path : `${path}/${id}`;
    const before = await snapshot(mine.issued.brandId);
    for (const column of COLUMNS) {
      const raw = JSON.stringify(full).replace('{', `{${JSON.stringify(column)}:"x",`);
      const answer = await mine.send(method, target, undefined, { raw });
      expectError(answer, 400);
      expect(answer.text).toContain(column);
    }
    expect(await snapshot(mine.issued.brandId)).toEqual(before);
  });

  it.each(bodies)('$method $path ignores id, createdAt and updatedAt', async (attack) => {
    const { method, path, full } = attack;
    const body = path === '/products' ? product : { code: 'FIRST', discountPercent: 1 };
    const existing = await mine.create(path, body);
    const stolen = { id: UNKNOWN, createdAt: 'x', updatedAt: [1] };
    const target = method === 'POST' ? path : `${path}/${existing.id}`;
    const answer = await mine.send(method, target, { ...full, ...stolen });
    expect(answer.status, answer.text).toBe(method === 'POST' ? 201 : 200);
    const made = resourceOf(answer);
    if (method === 'POST') expect([UNKNOWN, existing.id]).not.toContain(made.id);
    else expect(made.id).toBe(existing.id);
    expect(answer.text).not.toContain(UNKNOWN);
    expect(made['createdAt']).not.toBe('x');
  });

  it.each(['PUT', 'PATCH'])('%s /profile refuses columns in either half', async (method) => {
    const before = await snapshot(mine.issued.brandId);
    for (const column of [...COLUMNS.filter((name) => name !== 'brand'), 'connectionStatus']) {
      for (const half of ['brand', 'connection', undefined]) {
        const field = `{${JSON.stringify(column)}:"x"`;
        const raw =
          half === undefined
            ? `${field},"brand":{"brandName":"B"},"connection":{}}`
            : half === 'brand'
              ? `{"brand":${field},"brandName":"B"},"connection":{}}`
              : `{"brand":{"brandName":"B"},"connection":${field}}}`;
        expectError(await mine.send(method, '/profile', undefined, { raw }), 400);
      }
    }
    expect(await snapshot(mine.issued.brandId)).toEqual(before);
  });

  it('no representation shows an internal column', async () => {
    const answers = await Promise.all([
      mine.send('POST', '/products', product),
      mine.send('POST', '/coupon-codes', coupon),
      mine.send('GET', '/profile'),
    ]);
    for (const { text } of answers) {
      expect(text).not.toMatch(/brand_?id|revision|hash|_at"|scope/i);
      expect(text).not.toContain(mine.issued.brandId);
    }
  });
});

describe('API4 Unrestricted resource consumption', () => {
  const KIB = 1024;
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const hostile: readonly (readonly [string, string, string, () => BodyInit, number])[] = [
    [
      'more than 2 MiB',
      'POST',
      '/products',
      () => `{"products":[${'1,'.repeat(KIB * KIB)}1]}`,
      413,
    ],
    [
      'more than 256 KiB for one',
      'POST',
      '/products',
      () => JSON.stringify({ ...product, description: 'x'.repeat(256 * KIB) }),
      413,
    ],
    [
      'more than 256 KiB for one',
      'PUT',
      `/products/${UNKNOWN}`,
      () => 'x'.repeat(256 * KIB + 1),
      413,
    ],
    ['more than 256 KiB for one', 'PATCH', '/profile', () => ' '.repeat(256 * KIB) + '{}', 413],
    ['an endless stream', 'POST', '/coupon-codes', endless, 413],
    ['100,000 brackets', 'POST', '/products', () => nested(100_000), 400],
    ['a million brackets', 'POST', '/products', () => nested(1_000_000), 413],
    [
      'deep fields',
      'PATCH',
      '/profile',
      () => '{"brand":'.repeat(20_000) + '1' + '}'.repeat(20_000),
      400,
    ],
    ['100,000 items', 'POST', '/products', () => `{"products":[${'0,'.repeat(100_000)}0]}`, 400],
    [
      '100,000 unknown fields',
      'POST',
      '/coupon-codes',
      () => `{${Array.from({ length: 15_000 }, (_, i) => `"f${i}":1`).join()}}`,
      400,
    ],
    [
      'a number of 200,000 digits',
      'POST',
      '/products',
      () => `{"title":"x","priceCents":${'9'.repeat(200_000)}}`,
      400,
    ],
    [
      'ten thousand repeats of one name',
      'POST',
      '/products',
      () => `{${'"title":"x",'.repeat(10_000)}"title":"x"}`,
      400,
    ],
    [
      '251 images',
      'POST',
      '/products',
      () =>
        JSON.stringify({
          ...product,
          imageUrls: Array.from({ length: 251 }, () => 'https://a.example/'),
        }),
      400,
    ],
  ];

  function endless(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      type: 'bytes',
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * KIB).fill(32));
      },
    });
  }

  it.each(hostile)('%s: %s %s', async (_, method, path, raw, status) => {
    const before = await snapshot(mine.issued.brandId);
    const answer = await mine.send(method, path, undefined, { raw: raw() });
    expectError(answer, status);
    expect(answer.text.length).toBeLessThan(2_000_000);
    expect(await snapshot(mine.issued.brandId)).toEqual(before);
    expect((await mine.send('GET', '/profile')).status).toBe(200);
  });

  it.each(['0', '-1', '251', '1e2', '9999999999999999999', '1.5', '', 'NaN', '١'])(
    'limit=%s is refused',
    async (limit) => {
      expectError(await mine.send('GET', `/products?limit=${encodeURIComponent(limit)}`), 400);
    },
  );

  it('a long query and long headers get a response', async () => {
    expectError(await mine.send('GET', `/products?${'a=1&'.repeat(4000)}`), 400);
    const headers = { 'If-None-Match': '"a", '.repeat(2000) };
    expect((await mine.send('GET', '/profile', undefined, { headers })).status).toBe(200);
    const evil = { 'If-Match': `${'"a" '.repeat(5000)}x` };
    const start = Date.now();
    expectError(await mine.send('PATCH', '/profile', {}, { headers: evil }), 400);
    expect(Date.now() - start).toBeLessThan(2000);
  });
});
