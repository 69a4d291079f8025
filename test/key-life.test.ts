import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { AdminError } from '../tools/admin/admin-error.ts';
import type { KeyOptions } from '../tools/admin/keys.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from '../tools/admin/keys.ts';
import type { Answer } from './support/brand.ts';
import { execute, resourcesOf, TestBrand } from './support/brand.ts';
import { interceptD1 } from './support/d1.ts';
import { snapshot } from './support/snapshot.ts';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';
const product = { title: 'Whey', priceCents: 4999 };
const profile = { brand: { brandName: 'Other' }, connection: {} };
const coupon = { code: 'SAVE10', discountPercent: 10 };

const WRITES: readonly (readonly [method: string, path: string, body: unknown])[] = [
  ['PUT', '/profile', profile],
  ['PATCH', '/profile', { brand: { brandName: 'Other' } }],
  ['POST', '/products', product],
  ['POST', '/products', { products: [product] }],
  ['PUT', '/products/:product', product],
  ['PATCH', '/products/:product', { featured: true }],
  ['DELETE', '/products/:product', undefined],
  ['POST', '/coupon-codes', coupon],
  ['PUT', '/coupon-codes/:coupon', coupon],
  ['PATCH', '/coupon-codes/:coupon', { active: false }],
  ['DELETE', '/coupon-codes/:coupon', undefined],
  // The key is checked before the body and before the resource.
  ['POST', '/products', { title: 1 }],
  ['PUT', `/products/${UNKNOWN}`, product],
  ['DELETE', `/coupon-codes/${UNKNOWN}`, undefined],
];
const READS = [
  '/profile',
  '/products',
  '/products/:product',
  '/coupon-codes',
  '/coupon-codes/:coupon',
];

let brand: TestBrand;
let other: TestBrand;
let fill: (path: string) => string;

beforeEach(async () => {
  [brand, other] = await Promise.all([TestBrand.create(), TestBrand.create()]);
  const { id: productId } = await brand.create('/products', product);
  const { id: couponId } = await brand.create('/coupon-codes', { code: 'OLD', discountPercent: 1 });
  fill = (path) => path.replace(':product', productId).replace(':coupon', couponId);
});

async function issue(options: KeyOptions): Promise<TestBrand> {
  return brand.with(await issueKey(execute, brand.issued.brandId, options));
}

function expectRefused({ status, body, headers }: Answer): void {
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'Invalid API key.' });
  expect(headers.get('WWW-Authenticate')).toBe('Bearer');
}

async function expectServed(client: TestBrand): Promise<void> {
  const answer = await client.send('GET', '/products');
  expect(answer.status, answer.text).toBe(200);
  expect(resourcesOf(answer).map(({ title }) => title)).toEqual(['Whey']);
}

describe('The scope of a key', () => {
  it.each(READS)('read: GET and HEAD %s', async (path) => {
    const reader = await issue({ scope: 'read' });
    expect((await reader.send('GET', fill(path))).status).toBe(200);
    expect((await reader.send('HEAD', fill(path))).status).toBe(200);
  });

  it.each(WRITES)('read: %s %s is refused and changes nothing', async (method, path, body) => {
    const reader = await issue({ scope: 'read' });
    const before = await snapshot(brand.issued.brandId);
    const answer = await reader.send(method, fill(path), body);
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ error: 'This API key is read-only.' });
    expect(answer.headers.get('x-d1-bookmark')).not.toBeNull();
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('read: replays no response of a write, and leaves no record', async () => {
    const reader = await issue({ scope: 'read' });
    const headers = { 'Idempotency-Key': 'once' };
    expect((await brand.send('POST', '/products', product, { headers })).status).toBe(201);
    expect((await reader.send('POST', '/products', product, { headers })).status).toBe(403);
  });

  it('is write by default', async () => {
    const writer = await issue({});
    expect((await writer.send('POST', '/coupon-codes', coupon)).status).toBe(201);
  });
});

describe('The expiry of a key', () => {
  it('rejects the first request after it', async () => {
    expectRefused(await (await issue({ expiresIn: 0 })).send('GET', '/products'));
  });

  it('takes effect at the exact time', async () => {
    const short = await issue({ expiresIn: 1 });
    await expectServed(short);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expectRefused(await short.send('GET', '/products'));
    await expectServed(brand);
  });
});

describe('Rotating a key', () => {
  it('keeps both keys good during the overlap', async () => {
    const rotated = await rotateKey(execute, brand.issued.keyId, 3600, {});
    await expectServed(brand);
    await expectServed(brand.with(rotated));
  });

  it.each(['read', 'write'] as const)('keeps the scope (%s) and the label', async (scope) => {
    const old = await issue({ scope, label: 'shop' });
    const rotated = await rotateKey(execute, old.issued.keyId, 3600, {});
    const status = (await brand.with(rotated).send('POST', '/products', product)).status;
    expect(status).toBe(scope === 'write' ? 201 : 403);
    const keys = await listKeys(execute, brand.issued.brandId);
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)).toMatchObject({
      scope,
      label: 'shop',
    });
  });

  it('without an overlap expires the old key immediately', async () => {
    const rotated = await rotateKey(execute, brand.issued.keyId, 0, {});
    expectRefused(await brand.send('GET', '/products'));
    await expectServed(brand.with(rotated));
  });

  it('expires the old key after the overlap', async () => {
    await rotateKey(execute, brand.issued.keyId, 1, {});
    await expectServed(brand);
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expectRefused(await brand.send('GET', '/products'));
  });

  it('never extends the validity of the old key', async () => {
    const short = await issue({ expiresIn: 1 });
    await rotateKey(execute, short.issued.keyId, 3600, {});
    await new Promise((resolve) => setTimeout(resolve, 1050));
    expectRefused(await short.send('GET', '/products'));
  });

  it('is refused for an invalid key, and creates none', async () => {
    await revokeKey(execute, brand.issued.keyId);
    const rotation = rotateKey(execute, brand.issued.keyId, 3600, {});
    await expect(rotation).rejects.toBeInstanceOf(AdminError);
    expect(await listKeys(execute, brand.issued.brandId)).toHaveLength(1);
  });
});

describe('Revoking a key', () => {
  it('refuses the very next request, reading or writing, and changes nothing', async () => {
    await expectServed(brand);
    await revokeKey(execute, brand.issued.keyId);
    const before = await snapshot(brand.issued.brandId);
    for (const path of READS) expectRefused(await brand.send('GET', fill(path)));
    for (const [method, path, body] of WRITES) {
      expectRefused(await brand.send(method, fill(path), body));
    }
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });

  it('does not affect other keys of the brand, or other brands', async () => {
    const second = await issue({});
    await revokeKey(execute, brand.issued.keyId);
    await expectServed(second);
    expect((await other.send('GET', '/products')).status).toBe(200);
  });

  it('also works for a key in its overlap', async () => {
    await rotateKey(execute, brand.issued.keyId, 3600, {});
    await revokeKey(execute, brand.issued.keyId);
    expectRefused(await brand.send('GET', '/products'));
  });

  it('takes effect even between the check and the write of one request', async () => {
    const before = await snapshot(brand.issued.brandId);
    const db = interceptD1(env.DB, async (call) => {
      await revokeKey(execute, brand.issued.keyId);
      return call();
    });
    expectRefused(await brand.send('POST', '/products', product, { db }));
    expect(await snapshot(brand.issued.brandId)).toEqual(before);
  });
});
