import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UNKNOWN } from './support/attack.ts';
import type { Answer, RequestOptions } from './support/brand.ts';
import { execute, send, TestBrand } from './support/brand.ts';
import { products } from './support/collections.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import { makeUnusableKeys, withNewKey } from './support/keys.ts';
import { meter } from './support/meter.ts';
import type { Ids } from './support/operations.ts';
import {
  bearer,
  makeResources,
  operations,
  perform,
  readAll,
  writeOperations,
} from './support/operations.ts';
import { resumeBrand, revokeKey, suspendBrand } from './support/operator.ts';
import { snapshot } from './support/snapshot.ts';

let brand: TestBrand;
let reader: TestBrand;
let other: TestBrand;
let ids: Ids;

async function suspend(): Promise<void> {
  await suspendBrand(execute, brand.issued.brandId);
}

/** A brand with resources, and a neighbour. */
async function prepare(): Promise<void> {
  [brand, other] = await Promise.all([TestBrand.create(), TestBrand.create()]);
  reader = await withNewKey(brand, { scope: 'read' });
  ids = await makeResources(brand);
}

function expectSuspended({ status, body, headers }: Answer): void {
  expect([status, body]).toEqual([403, { error: 'This brand is suspended.' }]);
  expect(headers.has('WWW-Authenticate')).toBe(false);
  expect(headers.get('x-d1-bookmark')).not.toBeNull();
}

describe('while a brand is suspended', () => {
  beforeAll(async () => {
    await prepare();
    await suspend();
  });

  it.each(operations)(
    'A suspended brand is 403 for every operation, in one call each, before anything else: $name',
    async (operation) => {
      const before = await snapshot(brand.issued.brandId);
      const used = meter();
      const ask = async (
        holder: TestBrand,
        named: Ids,
        more: RequestOptions = {},
      ): Promise<void> => {
        const headers = { ...bearer(holder), ...more.headers };
        expectSuspended(await perform(operation, named, { db: used.db, ...more, headers }));
      };
      await ask(brand, ids);
      await ask(reader, ids);
      const wrong = { 'If-Match': 'nonsense', 'If-None-Match': 'nonsense', 'x-d1-bookmark': 'x' };
      for (const unknown of [UNKNOWN, '42']) await ask(brand, () => unknown, { headers: wrong });
      const bodies =
        operation.body === undefined ? [] : ['{', '', '{"a":1}', 'x'.repeat(3 * 1024 * 1024)];
      for (const raw of bodies) await ask(brand, ids, { raw });
      expect([used.calls, used.rowsWritten]).toEqual([4 + bodies.length, 0]);
      expect(await snapshot(brand.issued.brandId)).toEqual(before);
    },
  );

  it.each([
    ['GET', '/products?since=0'],
    ['GET', '/products?limit=1'],
    ['GET', '/products?colour=red'],
    ['POST', '/products?match=sku&dryRun=true', { products: [{ sku: 'A' }] }],
    ['POST', '/products?match=sku', { products: [{ sku: 'A' }] }],
    ['POST', '/products', { products: [{ title: 'A', priceCents: 1 }] }],
  ])(
    'A suspended brand is 403 for requests with parameters: %s %s',
    async (method, path, body?: unknown) => {
      const headers = { 'Idempotency-Key': 'a' };
      expectSuspended(await brand.send(method, path, body, { headers }));
    },
  );

  it('A dead key of a suspended brand stays 401', async () => {
    const { revoked, expired } = await makeUnusableKeys(brand);
    for (const key of [revoked, expired]) {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await send('GET', '/api/brand/v1/profile', { headers });
      expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid API key.' }]);
    }
  });

  it('Another brand than a suspended one is served', async () => {
    expect((await other.send('GET', '/products')).status).toBe(200);
    expect((await other.send('GET', `/products/${ids(products)}`)).status).toBe(404);
  });
});

describe('suspending and resuming', () => {
  beforeEach(prepare);

  it('A suspension holds for a key that is issued meanwhile, until the brand is resumed', async () => {
    await suspend();
    const issued = await withNewKey(brand);
    for (const key of [brand, reader, issued]) expectSuspended(await key.send('GET', '/products'));
    await resumeBrand(execute, brand.issued.brandId);
    for (const key of [brand, reader, issued]) {
      expect((await key.send('GET', '/products')).status).toBe(200);
    }
  });

  it('Suspending and resuming leave everything else as it was, entity tags included', async () => {
    const before = await readAll(brand, ids);
    const { headers } = await brand.send('GET', '/profile');
    await suspend();
    await resumeBrand(execute, brand.issued.brandId);
    expect(await readAll(brand, ids)).toEqual(before);
    const again = await brand.send('GET', '/profile', undefined, {
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('Resuming a brand does not bring a dead key back', async () => {
    await suspend();
    await revokeKey(execute, reader.issued.keyId);
    await resumeBrand(execute, brand.issued.brandId);
    expect((await reader.send('GET', '/products')).status).toBe(401);
  });

  it.each(writeOperations)(
    'A suspension takes effect between the check and the work of a write: $name',
    async (operation) => {
      const before = await readAll(brand, ids);
      const db = interceptD1(env.DB, async (call) => {
        await suspend();
        return call();
      });
      expectSuspended(await perform(operation, ids, { headers: bearer(brand), db }));
      await resumeBrand(execute, brand.issued.brandId);
      expect(await readAll(brand, ids)).toEqual(before);
    },
  );

  it('A first answer is replayed after the brand is resumed', async () => {
    const product = { title: 'Once', priceCents: 1 };
    const once = { headers: { 'Idempotency-Key': 'once' } };
    const first = await brand.send('POST', '/products', product, once);
    await suspend();
    expectSuspended(await brand.send('POST', '/products', product, once));
    await resumeBrand(execute, brand.issued.brandId);
    const replayed = await brand.send('POST', '/products', product, once);
    expect(replayed.headers.get('Idempotent-Replayed')).toBe('true');
    expect(replayed.text).toBe(first.text);
  });
});
