import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { app } from '../../src/app.ts';
import { newApiKey } from '../../src/auth/api-key.ts';

// A Worker has 128 MB for all of its requests, and anyone can send a body. A list of empty objects takes twenty times
// its size in memory once it is parsed. So a request that waits for D1 must not hold it.

/** The most memory that a waiting request may hold, as a multiple of its body. */
const MOST = 5;
const REQUESTS = 4;

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const lists = {
  '/products?match=sku': ['products', (n: number) => `"sku":"${n}","title":"A","priceCents":1`],
  '/products': ['products', () => '"title":"A","priceCents":1'],
  '/coupon-codes': ['couponCodes', (n: number) => `"code":"A${n}","discountPercent":1`],
} as const;

it.each(Object.entries(lists))(
  'A POST holds little of a body while it waits for D1: %s',
  async (path, [key, members]) => {
    const ignored = Array<string>(1300).fill('{}').join();
    const items = Array.from({ length: 500 }, (_, n) => `{${members(n)},"createdAt":[${ignored}]}`);
    const body = `{"${key}":[${items.join()}]}`;
    await untilItWaits(path, body);
    const before = heldBytes();
    for (let n = 0; n < REQUESTS; n++) await untilItWaits(path, body);
    expect((heldBytes() - before) / REQUESTS).toBeLessThan(MOST * body.length);
  },
);

/** What continues the requests. While it is reachable, so is what they hold. */
const waiting: unknown[] = [];

/** Sends a request to a D1 that never answers, and returns when it has been called. */
function untilItWaits(path: string, body: string): Promise<void> {
  return new Promise((called, failed) => {
    const batch = (): Promise<never> =>
      new Promise((answer) => {
        waiting.push(answer);
        called();
      });
    const session = { getBookmark: () => null, prepare: () => ({ bind: () => ({}) }), batch };
    const limiter = { limit: () => Promise.resolve({ success: true }) };
    const headers = {
      Authorization: `Bearer ${newApiKey()}`,
      'Content-Length': String(body.length),
    };
    const env = {
      DB: { withSession: () => session },
      KEY_RATE_LIMIT: limiter,
      FAILURE_RATE_LIMIT: limiter,
    };
    const answer = app.request(`/api/brand/v1${path}`, { method: 'POST', headers, body }, env);
    Promise.resolve(answer).then((response) => {
      failed(new Error(`It was answered with ${response.status}.`));
    }, failed);
  });
}

/** The memory in use after the garbage is collected, in bytes. */
function heldBytes(): number {
  if (typeof collectGarbage !== 'function') throw new Error('Node does not expose its collector.');
  for (let n = 0; n < 2; n++) Reflect.apply(collectGarbage, undefined, []);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
