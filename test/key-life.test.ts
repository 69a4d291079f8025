import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import type { Answer } from './support/brand.ts';
import { execute, resourcesOf, TestBrand } from './support/brand.ts';
import { interceptD1 } from './support/intercept-d1.ts';
import type { KeyOptions } from './support/operator.ts';
import { issueKey, revokeKey } from './support/operator.ts';
import { snapshot } from './support/snapshot.ts';

const product = { title: 'Whey', priceCents: 4999 };

let brand: TestBrand;
let other: TestBrand;

beforeEach(async () => {
  [brand, other] = await Promise.all([TestBrand.create(), TestBrand.create()]);
  await brand.create('/products', product);
});

async function issue(options: KeyOptions): Promise<TestBrand> {
  return brand.with(await issueKey(execute, brand.issued.brandId, options));
}

function expectRefused({ status, body, headers }: Answer): void {
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'Invalid API key.' });
  expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="brand-api", error="invalid_token"');
}

async function expectServed(client: TestBrand): Promise<void> {
  const answer = await client.send('GET', '/products');
  expect(answer.status, answer.text).toBe(200);
  expect(resourcesOf(answer).map(({ title }) => title)).toEqual(['Whey']);
}

it('A key to read replays no response of a write', async () => {
  const reader = await issue({ scope: 'read' });
  const headers = { 'Idempotency-Key': 'once' };
  expect((await brand.send('POST', '/products', product, { headers })).status).toBe(201);
  expect((await reader.send('POST', '/products', product, { headers })).status).toBe(403);
});

it('A key is good until the exact time of its expiry, and others are not affected', async () => {
  const short = await issue({ expiresIn: 1 });
  await expectServed(short);
  expectRefused(await (await issue({ expiresIn: 0 })).send('GET', '/products'));
  await scheduler.wait(1050);
  expectRefused(await short.send('GET', '/products'));
  await expectServed(brand);
});

it('A revoked key is refused at its very next request, and no other key is', async () => {
  const second = await issue({});
  await expectServed(brand);
  await revokeKey(execute, brand.issued.keyId);
  expectRefused(await brand.send('GET', '/products'));
  await expectServed(second);
  expect((await other.send('GET', '/products')).status).toBe(200);
});

it('A revocation takes effect even between the check and the write of one request', async () => {
  const before = await snapshot(brand.issued.brandId);
  const db = interceptD1(env.DB, async (call) => {
    await revokeKey(execute, brand.issued.keyId);
    return call();
  });
  expectRefused(await brand.send('POST', '/products', product, { db }));
  expect(await snapshot(brand.issued.brandId)).toEqual(before);
});
