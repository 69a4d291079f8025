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
  ordinary,
} from './hostile-bodies.ts';
import { leastOf, MeasuredService } from './measured-service.ts';

/** The maximum CPU time of a hostile request, as a multiple of a harmless one of the same size. */
const MOST = 10;

/** The CPU time in milliseconds below which a multiple means nothing. */
const FLOOR = 30;

const limitOf = (least: number): number => Math.max(FLOOR, MOST * least);

describe.skipIf(process.platform !== 'linux')('at most ten times the CPU of', () => {
  let service: MeasuredService;

  beforeAll(async () => {
    service = await MeasuredService.start();
  });

  afterAll(() => service.stop());

  describe('a harmless body of the same size takes', () => {
    let [limit, listLimit] = [0, 0];

    beforeAll(async () => {
      limit = limitOf(await service.least({ body: one(harmless) }));
      listLimit = limitOf(await service.least({ body: list(ordinary) }));
    });

    test.each(Object.entries(hostileMembers))('%s', async (_, members) => {
      expect(await service.least({ body: one(members) }, limit)).toBeLessThan(limit);
      expect(await service.least({ body: list(members) }, listLimit)).toBeLessThan(listLimit);
    });

    test.each(Object.entries(hostileBodies))('%s', async (_, make) => {
      expect(await service.least({ body: make() }, listLimit)).toBeLessThan(listLimit);
    });
  });

  test('objects of the same names, and at most three times, objects of new names take', async () => {
    const limit = 3 * (await service.least({ body: manyObjects(false) }));
    expect(await service.least({ body: manyObjects(true) }, limit)).toBeLessThan(limit);
  });

  test('a body in one piece takes the same in small chunks', async () => {
    const body = one(harmless);
    const limit = limitOf(await inChunks(body.length));
    expect(await inChunks(40)).toBeLessThan(limit);

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
        const { answers } = await sendRaw(service.port, [`${head}${framed.join('')}0\r\n\r\n`]);
        expect(answers.map(({ status }) => status)).toEqual([201]);
        return service.cpu() - before;
      });
    }
  });

  test('a push whose long texts are ignored takes one that writes them', async () => {
    let run = 0;
    const push = (field: 'description' | 'createdAt'): Promise<number> =>
      leastOf(() => service.send({ path: '/products?match=sku', body: largePush(++run, field) }));
    const limit = limitOf(await push('createdAt'));
    expect(await push('description')).toBeLessThan(limit);
  });

  describe('padding take', () => {
    const LENGTH = 60_000;
    const body = '{"products":[{"sku":"A"}]}';
    const listOf = (element: (number: number) => string): string =>
      Array.from({ length: LENGTH / element(LENGTH).length }, (_, at) => element(at + 1)).join('');
    // V8 looks texts of digits up by their value, whose low bits are the same here.
    const ofOneHash = (number: number): string => String(number * 16_384);
    let limit = 0;

    beforeAll(async () => {
      // Nothing reads this header.
      limit = limitOf(await service.least({ body, headers: { 'X-Padding': 'x'.repeat(LENGTH) } }));
    });

    test.each([
      ['preferences of one hash', { Prefer: listOf((number) => `${ofOneHash(number)},`) }],
      ['preferences in quotes', { Prefer: listOf((number) => `return="${number}\\"",`) }],
      ['white space', { Prefer: `return${' '.repeat(LENGTH)}x` }],
      ['tags to match', { 'If-Match': listOf((number) => `W/"${number}", `) }],
      ['a long Idempotency-Key', { 'Idempotency-Key': '9'.repeat(LENGTH) }],
      ['a long bookmark', { 'x-d1-bookmark': '0-'.repeat(LENGTH / 2) }],
      ['two keys', { 'x-service-api-key': 'bik_'.repeat(LENGTH / 4) }],
    ])('%s in a header', async (_, headers) => {
      const request = { path: '/products?match=sku', headers, body };
      expect(await service.least(request, limit)).toBeLessThan(limit);
    });

    test.each([
      ['parameters of one hash', `/products?${listOf((number) => `${ofOneHash(number)}&`)}`],
      ['broken escapes', `/products?${'%aa%'.repeat(LENGTH / 4)}`],
      ['broken escapes as a filter', `/products?sku=${'%aa%'.repeat(LENGTH / 4)}`],
      ['broken escapes as an id', `/products/${'%aa%'.repeat(LENGTH / 4)}`],
    ])('%s in a URL', async (_, path) => {
      expect(await service.least({ method: 'GET', path }, limit)).toBeLessThan(limit);
    });
  });
});
