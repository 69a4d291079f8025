import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../node/raw-http.ts';
import {
  harmless,
  hostileBodies,
  hostileMembers,
  largePush,
  list,
  manyObjects,
  one,
} from './hostile-bodies.ts';
import { leastOf, MeasuredService } from './measured-service.ts';

/** The CPU time that a request with a body of 2 MiB may take, in milliseconds. */
const WITH_BODY = 1000;

/** The CPU time that a request without a body, or with a small one, may take, in milliseconds. */
const WITHOUT_BODY = 50;

describe.skipIf(process.platform !== 'linux')('The CPU time is bounded of', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  test.each(Object.entries(hostileMembers))('a body with %s', async (_, members) => {
    expect(await service.least({ body: one(members) }, WITH_BODY)).toBeLessThan(WITH_BODY);
    expect(await service.least({ body: list(members) }, WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  test.each(Object.entries(hostileBodies))('a body of %s', async (_, make) => {
    expect(await service.least({ body: make() }, WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  test('a body of objects with new names', async () => {
    expect(await service.least({ body: manyObjects(true) }, WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  test('a body in small chunks', async () => {
    const body = one(harmless);
    expect(await inChunks(40)).toBeLessThan(WITH_BODY);

    function inChunks(size: number): Promise<number> {
      const head = [
        'POST /api/brand/v1/products HTTP/1.1',
        `Authorization: Bearer ${service.apiKey}`,
        ...['Host: api.test', 'Transfer-Encoding: chunked', '', ''],
      ].join('\r\n');
      const chunks = body.match(RegExp(`.{1,${size}}`, 'g')) ?? [];
      const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
      return leastOf(async () => {
        const before = service.cpu();
        const answers = await sendRaw(service.port, [`${head}${framed.join('')}0\r\n\r\n`], 1);
        expect(answers.map(({ status }) => status)).toEqual([201]);
        return service.cpu() - before;
      });
    }
  });

  test.each(['description', 'createdAt'] as const)('a push of long texts in %s', async (field) => {
    let run = 0;
    const push = (): Promise<number> =>
      service.send({ path: '/products?match=sku', body: largePush(++run, field) });
    expect(await leastOf(push, WITH_BODY)).toBeLessThan(WITH_BODY);
  });

  describe('a request', () => {
    /** Cloudflare accepts URLs of 16 KB. */
    const LENGTH = 16_384;
    const body = '{"products":[{"sku":"A"}]}';
    const listOf = (element: (number: number) => string): string =>
      Array.from({ length: LENGTH / element(LENGTH).length }, (_, at) => element(at + 1)).join('');
    // V8 looks texts of digits up by their value, whose low bits are the same here.
    const ofOneHash = (number: number): string => String(number * 16_384);
    test.each([
      ['preferences of one hash', { Prefer: listOf((number) => `${ofOneHash(number)},`) }],
      ['preferences in quotes', { Prefer: listOf((number) => `return="${number}\\"",`) }],
      ['white space', { Prefer: `return${' '.repeat(LENGTH)}x` }],
      ['tags to match', { 'If-Match': listOf((number) => `W/"${number}", `) }],
      ['a long Idempotency-Key', { 'Idempotency-Key': '9'.repeat(LENGTH) }],
      ['a long bookmark', { 'x-d1-bookmark': '0-'.repeat(LENGTH / 2) }],
      ['two keys', { 'x-service-api-key': 'bik_'.repeat(LENGTH / 4) }],
    ])('with %s in a header', async (_, headers) => {
      const request = { path: '/products?match=sku', headers, body };
      expect(await service.least(request, WITHOUT_BODY)).toBeLessThan(WITHOUT_BODY);
    });

    test.each([
      ['parameters of one hash', `/products?${listOf((number) => `${ofOneHash(number)}&`)}`],
      ['broken escapes', `/products?${'%aa%'.repeat(LENGTH / 4)}`],
      ['broken escapes as a filter', `/products?sku=${'%aa%'.repeat(LENGTH / 4)}`],
      ['broken escapes as an id', `/products/${'%aa%'.repeat(LENGTH / 4)}`],
    ])('with %s in a URL', async (_, path) => {
      const taken = await service.least({ method: 'GET', path }, WITHOUT_BODY);
      expect(taken).toBeLessThan(WITHOUT_BODY);
    });
  });
});
