import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLOOR, MeasuredService, MOST } from './measured-service.ts';

describe.skipIf(process.platform !== 'linux')('at most ten times the CPU of', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  describe('padding, by names and tags in headers and a query', () => {
    const SIZE = 100_000;
    /** A list of as many elements as fit, with their numbers in them. */
    const listOf = (size: number, element: (number: number) => string): string =>
      Array.from({ length: size / element(size).length }, (_, index) => element(index + 1)).join(
        '',
      );
    // V8 looks texts of digits up by their value, whose low bits are the same here.
    const ofOneHash = (number: number): string => String(number * 16_384);
    const cases: readonly [name: string, headers: Record<string, string>, query?: string][] = [
      ['preferences of one hash', { Prefer: listOf(SIZE, (number) => `${ofOneHash(number)},`) }],
      ['preferences in quotes', { Prefer: listOf(SIZE, (number) => `return="${number}\\"",`) }],
      ['quotes without an end', { Prefer: listOf(SIZE, () => '"\\"') }],
      ['white space', { Prefer: `return${' '.repeat(SIZE)}x`, 'Idempotency-Key': ' '.repeat(9) }],
      ['tags to match', { 'If-Match': listOf(SIZE, (number) => `"${number}",`) }],
      ['weak tags to match', { 'If-None-Match': listOf(SIZE, (number) => `W/"${number}", `) }],
      ['a long Idempotency-Key', { 'Idempotency-Key': '9'.repeat(SIZE) }],
      ['a long bookmark', { 'x-d1-bookmark': '0-'.repeat(SIZE / 2) }],
      ['a long media type', { 'Content-Type': `application/json${'; a=b'.repeat(SIZE / 5)}` }],
      ['two keys', { 'x-service-api-key': 'bik_'.repeat(SIZE / 4) }],
      ['parameters of one hash', {}, listOf(SIZE / 2, (number) => `${ofOneHash(number)}&`)],
      ['one parameter again and again', {}, 'dryRun&'.repeat(SIZE / 20)],
    ];
    const body = '{"products":[{"sku":"A"}]}';
    let limit = 0;

    beforeAll(async () => {
      // Nothing reads this header.
      limit = Math.max(FLOOR, MOST * (await least({ 'X-Padding': 'x'.repeat(SIZE) }, '')));
    });

    test.each(cases)('%s', async (_, headers, query = '') => {
      expect(await least(headers, query)).toBeLessThan(limit);
    });

    async function least(headers: Record<string, string>, query: string): Promise<number> {
      const path = `/products?match=sku&${query}`;
      return service.least({ method: 'POST', path, headers, body, statuses: [400, 401] });
    }
  });

  describe('letters, by broken escapes in a path and a query', () => {
    const SIZE = 60_000;
    const escapes = '%aa%'.repeat(SIZE / 4);
    const padding = 'aaaa'.repeat(SIZE / 4);
    const cases: readonly [method: string, path: (text: string) => string][] = [
      ['GET', (text) => `/${text}`],
      ['OPTIONS', (text) => `/products/${text}`],
      ['GET', (text) => `/products/${text}`],
      ['PATCH', (text) => `/products/${text}`],
      ['GET', (text) => `/products?sku=${text}`],
      ['POST', (text) => `/products?match=${text}`],
      ['POST', (text) => `/products?${text}`],
    ];

    test.each(cases)('%s %s', async (method, path) => {
      for (const isLive of [true, false]) {
        const limit = Math.max(FLOOR, MOST * (await least(method, path(padding), isLive)));
        expect(await least(method, path(escapes), isLive)).toBeLessThan(limit);
      }
    });

    async function least(method: string, path: string, isLive: boolean): Promise<number> {
      const statuses = [200, 204, 400, 401, 404];
      const body = method === 'GET' ? {} : { body: '{}' };
      return service.least({ method, path, isLive, statuses, ...body });
    }
  });
});
