import { describe, expect, test } from 'vitest';
import { issueKey, revokeKey } from '../tools/admin/keys.ts';
import { generateApiKey } from '../src/auth/api-key.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import { collections } from './support/collections.ts';
import { problems } from './support/field-tests.ts';
import { FurnishedBrand, itemWrites, padded, unknownPaths, writes } from './support/writes.ts';

const TOO_MUCH = 256 * 1024 + 1;

/** Bodies from good to bad. */
const bodies = (valid: unknown): readonly (readonly [string, string])[] => [
  ['a good body', JSON.stringify(valid)],
  ['a body of no JSON', '{"title":'],
  ['no body', ''],
  ['a body that breaks a rule', '{"colour":"red"}'],
  ['a body too large', padded(valid, TOO_MUCH)],
];

describe.each(writes)('$method $path', ({ method, path, valid }) => {
  test.each(bodies(valid))('a bad key is 401 with %s', async (_, body) => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const { brand } = furnished;
    const revoked = await issueKey(execute, brand.issued.brandId, {});
    await revokeKey(execute, revoked.keyId);
    const keys = ['Bearer x', `Bearer ${generateApiKey()}`, `Bearer ${revoked.apiKey}`];
    for (const where of [furnished.path(path), ...unknownPaths(path)]) {
      for (const Authorization of keys) {
        const options = { raw: body, headers: { Authorization } };
        const answer = await brand.send(method, where, undefined, options);
        expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
        expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
      }
      const keyless = await send(method, `/api/brand/v1${where}`, { raw: body });
      expect([keyless.status, keyless.body]).toEqual([401, { error: 'Missing API key.' }]);
    }
    expect(await furnished.everything()).toBe(before);
  });

  test.each(bodies(valid))('a read-only key is 403 with %s', async (_, raw) => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const { brand } = furnished;
    const reader = brand.with(await issueKey(execute, brand.issued.brandId, { scope: 'read' }));
    for (const where of [furnished.path(path), ...unknownPaths(path)]) {
      const answer = await reader.send(method, where, undefined, { raw });
      expect([answer.status, answer.body]).toEqual([403, { error: 'This API key is read-only.' }]);
    }
    expect(await furnished.everything()).toBe(before);
  });
});

describe.each(itemWrites)('$method $path of an unknown id', ({ method, path, valid }) => {
  test.each([
    ['a body of no JSON', '{"title":', 400, 'Invalid JSON payload.'],
    ['a body that breaks a rule', '{"colour":"red"}', 400, 'colour: '],
    ['a body too large', padded(valid, TOO_MUCH), 413, '256 KiB'],
    ['a good body', JSON.stringify(valid), 404, 'not found.'],
  ])('%s', async (_, raw, status, text) => {
    const brand = await TestBrand.create();
    for (const where of unknownPaths(path)) {
      const answer = await brand.send(method, where, undefined, { raw });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
    }
  });
});

describe('a read-only key', () => {
  test('reads everything and deletes nothing', async () => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const { brand } = furnished;
    const reader = brand.with(await issueKey(execute, brand.issued.brandId, { scope: 'read' }));
    const paths = collections.flatMap(({ path }) => [path, `${path}/:id`]);
    for (const path of ['/profile', ...paths]) {
      for (const method of ['GET', 'HEAD']) {
        expect((await reader.send(method, furnished.path(path))).status).toBe(200);
      }
    }
    for (const path of collections.map((of) => `${of.path}/:id`)) {
      for (const where of [furnished.path(path), ...unknownPaths(path)]) {
        const answer = await reader.send('DELETE', where);
        expect([answer.status, answer.body]).toEqual([
          403,
          { error: 'This API key is read-only.' },
        ]);
      }
    }
    expect(await furnished.everything()).toBe(before);
  });
});

describe('one response lists all problems', () => {
  test.each([
    { method: 'POST', path: '/products', sent: {}, paths: ['priceCents', 'title'] },
    {
      method: 'POST',
      path: '/products',
      sent: {
        priceCents: '1',
        featured: 1,
        colour: 'red',
        size: null,
        imageUrls: ['x', 'https://a.test', 'y'],
        storeStatus: 'active',
        sku: null,
      },
      paths: [
        ...['colour', 'featured', 'imageUrls.0', 'imageUrls.2', 'priceCents', 'size'],
        ...['storeStatus', 'title'],
      ],
    },
    {
      method: 'PATCH',
      path: '/products/:id',
      sent: { title: null, handle: 'A', imageUrls: [1], marginPercent: 1.234, x: 1 },
      paths: ['handle', 'imageUrls.0', 'marginPercent', 'title', 'x'],
    },
    {
      method: 'PUT',
      path: '/coupon-codes/:id',
      sent: { discountPercent: 0, maxUses: 0, active: 'true', lastSyncedAt: 'now' },
      paths: ['active', 'code', 'discountPercent', 'lastSyncedAt', 'maxUses'],
    },
    {
      method: 'PUT',
      path: '/profile',
      sent: { brand: { a: 1, website: 'x' }, connection: { b: 1, status: 'on' }, c: 1 },
      paths: [
        ...['brand.a', 'brand.brandName', 'brand.website', 'c', 'connection.b'],
        'connection.status',
      ],
    },
    {
      method: 'PATCH',
      path: '/profile',
      sent: { brand: { brandName: null }, connection: { syncEnabled: 'yes', storeDomain: 1 } },
      paths: ['brand.brandName', 'connection.storeDomain', 'connection.syncEnabled'],
    },
  ])('$method $path: $paths', async ({ method, path, sent, paths }) => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const answer = await furnished.write(method, path, JSON.stringify(sent));
    expect(answer.status).toBe(400);
    expect(problems(answer).sort()).toEqual(paths);
    expect(await furnished.everything()).toBe(before);
  });

  test('of 250 invalid items of a list, 100 are listed and the others counted', async () => {
    const brand = await TestBrand.create();
    const imageUrls = Array<string>(250).fill('x');
    const answer = await brand.send('POST', '/products', { title: 'A', priceCents: 1, imageUrls });
    const text = String(answer.body['error']);
    expect(text.endsWith('; and 150 more')).toBe(true);
    expect(problems(answer).slice(0, -1)).toEqual(
      imageUrls.slice(0, 100).map((_, index) => `imageUrls.${index}`),
    );
  });
});
