import { describe, expect, it } from 'vitest';
import { newApiKey } from '../src/auth/api-key.ts';
import { issueKey } from './support/operator.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import { problems } from './support/field-tests.ts';
import { padded } from './support/bodies.ts';
import { FurnishedBrand, bodyWrites, itemBodyWrites, unknownPaths } from './support/body-writes.ts';

const TOO_MUCH = 256 * 1024 + 1;

/** Bodies from good to bad. */
const bodies = (valid: unknown): readonly (readonly [string, string])[] => [
  ['a good body', JSON.stringify(valid)],
  ['a body of no JSON', '{"title":'],
  ['no body', ''],
  ['a body that breaks a rule', '{"colour":"red"}'],
  ['a body too large', padded(valid, TOO_MUCH)],
];

describe.each(bodyWrites)('$method $path', ({ method, path, valid }) => {
  it('The key is validated before the body and the id', async () => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const { brand } = furnished;
    const reader = brand.with(await issueKey(execute, brand.issued.brandId, { scope: 'read' }));
    const headers = { Authorization: `Bearer ${newApiKey()}` };
    for (const [what, raw] of bodies(valid)) {
      for (const where of [furnished.path(path), ...unknownPaths(path)]) {
        const unknown = await brand.send(method, where, undefined, { raw, headers });
        expect([unknown.status, unknown.body], what).toEqual([401, { error: 'Invalid API key.' }]);
        const keyless = await send(method, `/api/brand/v1${where}`, { raw });
        expect([keyless.status, keyless.body], what).toEqual([401, { error: 'Missing API key.' }]);
        const answer = await reader.send(method, where, undefined, { raw });
        expect([answer.status, answer.body], what).toEqual([
          403,
          { error: 'This API key is read-only.' },
        ]);
      }
    }
    expect(await furnished.everything()).toBe(before);
  });
});

describe.each(itemBodyWrites)('$method $path', ({ method, path, valid }) => {
  it.each([
    ['a body of no JSON', '{"title":', 400, 'Invalid JSON payload.'],
    ['a body that breaks a rule', '{"colour":"red"}', 400, 'colour: '],
    ['a body too large', padded(valid, TOO_MUCH), 413, '256 KiB'],
    ['a good body', JSON.stringify(valid), 404, 'not found.'],
  ])('The body of a write is validated before its unknown id: %s', async (_, raw, status, text) => {
    const brand = await TestBrand.create();
    for (const where of unknownPaths(path)) {
      const answer = await brand.send(method, where, undefined, { raw });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
    }
  });
});

describe.each(bodyWrites)('$method $path', ({ method, path, valid }) => {
  it.each([
    ['a body of no JSON', '{"title":', 400, 'Invalid JSON payload.'],
    ['a body too large', padded(valid, 2 * 1024 * 1024 + 1), 413, 'KiB'],
    ['a good body', JSON.stringify(valid), 400, ': expected '],
  ])(
    'The form of a body is validated before a malformed header, and its fields after it: %s',
    async (_, raw, status, text) => {
      const furnished = await FurnishedBrand.create();
      const headers = { 'If-Match': 'no tag', 'Idempotency-Key': 'ü' };
      const where = furnished.path(path);
      const answer = await furnished.brand.send(method, where, undefined, { raw, headers });
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
    },
  );
});

it.each([
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
      'colour',
      'featured',
      'imageUrls.0',
      'imageUrls.2',
      'priceCents',
      'size',
      'storeStatus',
      'title',
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
    sent: { discountPercent: 101, maxUses: 0, active: 'true', lastSyncedAt: 'now' },
    paths: ['active', 'code', 'discountPercent', 'lastSyncedAt', 'maxUses'],
  },
  {
    method: 'PUT',
    path: '/profile',
    sent: { brand: { a: 1, website: 'x' }, connection: { b: 1, status: 'on' }, c: 1 },
    paths: [
      'brand.a',
      'brand.brandName',
      'brand.website',
      'c',
      'connection.b',
      'connection.status',
    ],
  },
  {
    method: 'PATCH',
    path: '/profile',
    sent: { brand: { brandName: null }, connection: { syncEnabled: 'yes', storeDomain: 1 } },
    paths: ['brand.brandName', 'connection.storeDomain', 'connection.syncEnabled'],
  },
])(
  'One response lists all problems of a request: $method $path: $paths',
  async ({ method, path, sent, paths }) => {
    const furnished = await FurnishedBrand.create();
    const before = await furnished.everything();
    const answer = await furnished.write(method, path, JSON.stringify(sent));
    expect(answer.status).toBe(400);
    expect(problems(answer).sort()).toEqual(paths);
    expect(await furnished.everything()).toBe(before);
  },
);
