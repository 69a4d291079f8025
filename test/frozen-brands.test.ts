import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey } from '../tools/admin/keys.ts';
import type { Answer, TestBrand } from './support/brand.ts';
import {
  brandIn,
  contentOf,
  executeIn,
  migrateAll,
  PAST,
  relocate,
  setKeys,
  watch,
} from './support/databases.ts';
import type { Ids } from './support/operations.ts';
import { bearer, makeResources, perform, reads, writes } from './support/operations.ts';

// A brand is frozen for the last seconds of a move, if it is busy: it can be read, and not be written.

const PRODUCT = { title: 'Bar', priceCents: 1 };

let brand: TestBrand;
let ids: Ids;

beforeAll(migrateAll);

beforeEach(async () => {
  brand = await brandIn(0);
  ids = await makeResources(brand);
});

// A reset of the tokens of all brands is refused while one is frozen, and other files share the database.
afterEach(async () => {
  await freeze(0, null);
  await freeze(1, null);
});

async function freeze(number: 0 | 1 = 0, since: string | null = PAST): Promise<void> {
  await setKeys(number, brand.issued.brandId, 'frozen_at', since);
}

function expectUnavailable({ status, body, headers }: Answer): void {
  expect([status, body]).toEqual([503, { error: 'Service temporarily unavailable.' }]);
  expect(headers.get('Retry-After')).toBe('1');
}

describe('A frozen brand', () => {
  it.each(reads)('is read as usual, in one call: $name', async (operation) => {
    const before = await perform(operation, ids, { headers: bearer(brand) });
    await freeze();
    const { options, calls } = watch();
    const answer = await perform(operation, ids, { headers: bearer(brand), ...options });
    expect([answer.status, answer.text, calls]).toEqual([200, before.text, { 0: 1 }]);
  });

  it.each(['/products?since=0', '/products?limit=1', '/products?sku=none'])(
    'is read as usual: GET %s',
    async (path) => {
      const before = await brand.send('GET', path);
      await freeze();
      expect((await brand.send('GET', path)).text).toBe(before.text);
      expect((await brand.send('HEAD', path)).status).toBe(200);
    },
  );

  it.each(writes)('is not written, in one call, until it thaws: $name', async (operation) => {
    await freeze();
    const before = await contentOf(0, brand.issued.brandId);
    const { options, calls } = watch();
    const answer = await perform(operation, ids, { headers: bearer(brand), ...options });
    expectUnavailable(answer);
    expect(answer.headers.has('x-d1-bookmark')).toBe(true);
    expect(calls).toEqual({ 0: 1 });
    expect(await contentOf(0, brand.issued.brandId)).toBe(before);
    await freeze(0, null);
    const again = await perform(operation, ids, { headers: bearer(brand) });
    expect(again.status).toBe(operation.status);
  });

  it.each<[method: string, path: string, body: unknown, key?: string]>([
    ['POST', '/products', PRODUCT, 'new'],
    ['POST', '/products', PRODUCT, 'old'],
    ['POST', '/products', { products: [PRODUCT] }],
    ['POST', '/products?match=sku', { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['POST', '/products?match=sku', { products: [{ ...PRODUCT, sku: 'A' }] }, 'new'],
    ['POST', '/products?match=sku&dryRun=true', { products: [{ ...PRODUCT, sku: 'A' }] }],
    ['POST', '/products?match=sku', { products: [{ sku: 'A', deleted: true }] }],
    ['PATCH', '/profile', {}],
    ['POST', '/products', {}],
    ['POST', '/products', 'x'.repeat(3_000_000)],
  ])('is not written by %s %s %#, if it could be otherwise', async (method, path, body, key) => {
    const old = { headers: { 'Idempotency-Key': 'old' } };
    expect((await brand.send('POST', '/products', PRODUCT, old)).status).toBe(201);
    await freeze();
    const before = await contentOf(0, brand.issued.brandId);
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    expectUnavailable(await brand.send(method, path, body, { headers }));
    expect(await contentOf(0, brand.issued.brandId)).toBe(before);
  });

  it('refuses for good what it would refuse otherwise: the key comes first', async () => {
    const reader = brand.with(
      await issueKey(executeIn(0), brand.issued.brandId, { scope: 'read' }),
    );
    await freeze();
    expect((await reader.send('POST', '/products', PRODUCT)).status).toBe(403);
    await setKeys(0, brand.issued.brandId, 'suspended_at', PAST);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(403);
    expect((await brand.send('GET', '/products')).status).toBe(403);
    await setKeys(0, brand.issued.brandId, 'revoked_at', PAST);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(401);
    expect((await brand.send('GET', '/products')).status).toBe(401);
  });

  it('is frozen where it is at home, and found there by old keys', async () => {
    await relocate(brand, 0, 1);
    await freeze(1);
    const { options, calls } = watch();
    expectUnavailable(await brand.send('POST', '/products', PRODUCT, options));
    expect((await brand.send('GET', '/products', undefined, options)).status).toBe(200);
    expect(calls).toEqual({ 0: 2, 1: 2 });
    await freeze(1, null);
    await freeze(0);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(201);
  });

  it('of another number is no concern of its neighbour', async () => {
    await freeze();
    const neighbour = await brandIn(0);
    expect((await neighbour.send('POST', '/products', PRODUCT)).status).toBe(201);
  });
});
