import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { newApiKey } from '../../src/auth/api-key.ts';
import { issueKey, revokeKey } from '../support/operator.ts';
import type { Answer } from '../support/brand.ts';
import { execute, limitedService, send, TestBrand } from '../support/brand.ts';
import { interceptD1 } from '../support/intercept-d1.ts';

// Each test sends many requests, which take more than the default five seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const POLICY = '"key";q=1000;w=10';

const service = limitedService;
const limitedBrand = (): Promise<TestBrand> => TestBrand.create('Test brand', service);

/** A database that counts its calls and answers none of them: what it says does not matter here, and it is quick. */
function unreachable(): { readonly db: D1Database; readonly calls: () => number } {
  let calls = 0;
  const db = interceptD1(env.DB, () => {
    calls++;
    return Promise.reject(new Error('D1_ERROR: D1 DB is overloaded. Too many requests queued.'));
  });
  return { db, calls: () => calls };
}

/** The number of requests that are sent at once: one after another, 1,000 take more than ten seconds on a busy machine. */
const AT_ONCE = 20;

/**
 * Sends requests until one is answered 429. The binding counts in fixed time windows. If a window ends in between, the count
 * starts again, so more requests may pass.
 * @returns how many were served, and the refusal
 */
async function untilLimited(
  request: () => Promise<Answer>,
  limit: number,
): Promise<{ readonly served: number; readonly refusal: Answer }> {
  let served = 0;
  while (served <= 3 * limit) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, request));
    const refusal = answers.find(({ status }) => status === 429);
    served += answers.filter(({ status }) => status !== 429).length;
    if (refusal !== undefined) return { served, refusal };
  }
  throw new Error(`No request of ${served} was limited.`);
}

function expectRefusal({ status, body, headers }: Answer, limit: string): void {
  expect(status).toBe(429);
  expect(Object.keys(body)).toEqual(['error']);
  expect(body['error']).toContain(limit);
  expect(headers.get('Retry-After')).toMatch(/^([1-9]|10)$/);
  expect(headers.get('Content-Type')).toContain('application/json');
  expect(headers.get('WWW-Authenticate')).toBeNull();
  expect(headers.get('RateLimit')).toBeNull();
}

it('The limit of a key refuses the 1,001st request in ten seconds, in either header, without a call to D1', async () => {
  const brand = await limitedBrand();
  const second = brand.with(await issueKey(execute, brand.issued.brandId, {}));
  const { db, calls } = unreachable();
  const request = (): Promise<Answer> => brand.send('GET', '/profile', undefined, { db });
  const { served, refusal } = await untilLimited(request, 1000);
  expect(served).toBeGreaterThanOrEqual(1000);
  expectRefusal(refusal, '1000 requests per API key per 10 seconds');
  // Each that was served made one call, and none that was refused.
  expect(calls()).toBe(served);

  const headers = { 'x-service-api-key': brand.issued.apiKey };
  const inOther = (): Promise<Answer> =>
    send('GET', '/api/brand/v1/profile', { headers, db, service });
  let { status } = await inOther();
  // Repeat if a new window has started in between.
  for (let tried = 0; tried < 2 && status !== 429; tried++) {
    await untilLimited(request, 1000);
    ({ status } = await inOther());
  }
  expect(status).toBe(429);
  // Each key is counted separately, even of the same brand.
  expect((await second.send('GET', '/profile')).status).toBe(200);
});

const limiter: RateLimit = { limit: () => Promise.reject(new Error('internal error')) };
const limits = { KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };
const unlimited = { ...service, limits };

it('A limiter that fails limits nobody, and is logged', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined);
  const brand = await TestBrand.create('Test brand', unlimited);
  const product = { title: 'Whey', priceCents: 1 };
  expect((await brand.send('POST', '/products', product)).status).toBe(201);
  const refused = await send('GET', '/api/brand/v1/profile', { service: unlimited });
  expect(refused.status).toBe(401);
  const lines = log.mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(2);
  log.mockRestore();
});

const product = { title: 'Whey', priceCents: 1 };

it.each<[number, string, string, unknown?, Record<string, string>?]>([
  [200, 'HEAD', '/profile'],
  [200, 'GET', '/products'],
  [201, 'POST', '/products', product],
  [304, 'GET', '/profile', undefined, { 'If-None-Match': '*' }],
  [400, 'POST', '/products', {}],
  [400, 'GET', '/products?limit=0'],
  [400, 'GET', '/products', undefined, { 'x-d1-bookmark': 'no' }],
  [404, 'GET', '/products/not-an-id'],
  [409, 'POST', '/coupon-codes', { code: 'TAKEN', discountPercent: 1 }],
  [412, 'PATCH', '/profile', {}, { 'If-Match': '"other"' }],
  [413, 'POST', '/products', 'x'.repeat(2 * 1024 * 1024)],
])(
  'RateLimit-Policy is in every response to an authenticated request: %i: %s %s',
  async (status, method, path, body, headers = {}) => {
    const brand = await limitedBrand();
    await brand.send('POST', '/coupon-codes', { code: 'taken', discountPercent: 1 });
    const answer = await brand.send(method, path, body, { headers });
    expect(answer.status, answer.text).toBe(status);
    expect(answer.headers.get('RateLimit-Policy')).toBe(POLICY);
    expect(answer.headers.get('RateLimit')).toBeNull();
  },
);

it.each([product, {}])('RateLimit-Policy is in a 403: %o', async (body) => {
  const brand = await limitedBrand();
  const reader = brand.with(await issueKey(execute, brand.issued.brandId, { scope: 'read' }));
  const answer = await reader.send('POST', '/products', body);
  expect([answer.status, answer.headers.get('RateLimit-Policy')]).toEqual([403, POLICY]);
});

const path = '/api/brand/v1/profile';
const from = (address: string): Record<string, string> => ({ 'CF-Connecting-IP': address });

it('The limit of failed authentication refuses the 301st of one address, whatever is wrong with their keys', async () => {
  const wrong: readonly (() => Record<string, string>)[] = [
    () => ({}),
    () => ({ Authorization: 'Bearer nonsense' }),
    () => ({ Authorization: 'Bearer a', 'x-service-api-key': 'b' }),
    () => ({ Authorization: `Bearer ${newApiKey()}` }),
  ];
  const address = '192.0.2.1';
  const sendWith = (headers: Record<string, string>): Promise<Answer> =>
    send('GET', path, { headers: { ...headers, ...from(address) }, service });
  let sent = 0;
  const mixed = (): Promise<Answer> => sendWith(wrong[++sent % wrong.length]?.() ?? {});
  const { served } = await untilLimited(mixed, 300);
  expect(served).toBeGreaterThanOrEqual(300);
  for (const headers of wrong) {
    const { refusal } = await untilLimited(() => sendWith(headers()), 300);
    expectRefusal(refusal, '300 requests without a valid API key per 10 seconds');
  }
  // Neither valid keys of that address nor other addresses are affected.
  const headers = from(address);
  const brand = await limitedBrand();
  expect((await brand.send('GET', '/profile', undefined, { headers })).status).toBe(200);
  const elsewhere = await send('GET', path, { headers: from(`${address}0`), service });
  expect(elsewhere.body).toEqual({ error: 'Missing API key.' });
});

it('The limit of failed authentication counts a revoked key as a failure, but not a successful request', async () => {
  const brand = await limitedBrand();
  const headers = from('192.0.2.5');
  for (let i = 0; i < 310; i++) {
    const { status } = await brand.send('GET', '/products/none', undefined, { headers });
    expect(status).toBe(404);
  }
  expect((await send('GET', path, { headers, service })).status).toBe(401);
  await revokeKey(execute, brand.issued.keyId);
  const { served } = await untilLimited(
    () => brand.send('GET', '/profile', undefined, { headers }),
    300,
  );
  // The request without a key above was the first.
  expect(served).toBeGreaterThanOrEqual(299);
});
