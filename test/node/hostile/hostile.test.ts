import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostileBodies, hostileMembers, largePush, list, one } from './hostile-bodies.ts';
import type { Request } from './measured-service.ts';
import { MeasuredService } from './measured-service.ts';

/** The CPU time that a request with a body of 2 MiB may take, in milliseconds. */
const WITH_BODY = 1000;

/** The CPU time that a request without a body, or with a small one, may take, in milliseconds. */
const WITHOUT_BODY = 50;

/** Cloudflare accepts URLs of 16 KB. */
const LENGTH = 16_384;

const listOf = (element: (number: number) => string): string =>
  Array.from({ length: LENGTH / element(LENGTH).length }, (_, at) => element(at + 1)).join('');

// V8 looks texts of digits up by their value, whose low bits are the same here.
const ofOneHash = (number: number): string => String(number * 16_384);

describe.skipIf(process.platform !== 'linux')('CPU time', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  it.each([
    ...Object.entries(hostileMembers).flatMap(([what, members]) => [
      [`one product with ${what}`, () => one(members)] as const,
      [`a list of products with ${what}`, () => list(members)] as const,
    ]),
    ...Object.entries(hostileBodies),
  ])('The CPU time of a hostile body is bounded: %s', async (_, make) => {
    const body = make();
    expect(await service.least(() => ({ body }), WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  it('The CPU time of a push of long texts is bounded', async () => {
    const push = (run: number): object => ({ path: '/products?match=sku', body: largePush(run) });
    expect(await service.least(push, WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  const push = { path: '/products?match=sku', body: '{"products":[{"sku":"A"}]}' };
  const get = { method: 'GET' };

  it.each<[string, Request]>([
    ...Object.entries({
      'preferences of one hash': { Prefer: listOf((number) => `${ofOneHash(number)},`) },
      'white space': { Prefer: `return${' '.repeat(LENGTH)}x` },
      'tags to match': { 'If-Match': listOf((number) => `W/"${number}", `) },
      'a long Idempotency-Key': { 'Idempotency-Key': '9'.repeat(LENGTH) },
      'a long bookmark': { 'x-d1-bookmark': '0-'.repeat(LENGTH / 2) },
      'two keys': { 'x-service-api-key': 'bik_'.repeat(LENGTH / 4) },
    }).map(([what, headers]): [string, Request] => [what, { ...push, headers }]),
    ['parameters of one hash', { ...get, path: `/products?${listOf((n) => `${ofOneHash(n)}&`)}` }],
    ['broken escapes as a filter', { ...get, path: `/products?sku=${'%aa%'.repeat(LENGTH / 4)}` }],
    ['broken escapes as an id', { ...get, path: `/products/${'%aa%'.repeat(LENGTH / 4)}` }],
  ])('The CPU time of a hostile request is bounded: %s', async (_, request) => {
    expect(await service.least(() => request, WITHOUT_BODY)).toBeLessThan(WITHOUT_BODY);
  });
});
