import { describe, expect, it } from 'vitest';
import type { MirrorOptions } from '../../client/src/mirror/index.ts';
import { mirror } from '../../client/src/mirror/index.ts';
import { connectNowhere } from './connected.ts';
import { FakeStore } from './fake-store.ts';
import { expectRefusal, problem } from './refused-option.ts';

describe('The mirror refuses, before it reads anything,', () => {
  const FIELDS = 'a list of different fields of products, without sku';
  const STATE = 'the text that persist was given, or undefined for the first run';
  it.each([
    ['products', 'the products of a BrandClient', [undefined, null, {}, connectNowhere({}).client]],
    ['store', 'an object with the functions changes, save and remove', [undefined, null, {}, []]],
    [
      'fields',
      FIELDS,
      [undefined, null, 'title', {}, [], [''], [5], ['sku'], ['id'], ['title', 'title']],
    ],
    ['key', 'one of sku, storeProductId, storeVariantId, handle', [null, '', 5, {}, 'id', 'code']],
    ['state', STATE, [null, 5, {}, '', '{', '{}', 'null', '[]', '{"fields":["title"]}']],
    ['persist', 'a function', [undefined, null, 'f', {}]],
    ['report', 'a function', [undefined, null, 'f', {}]],
    ['winner', "'store' or 'service'", [null, '', 'Store', 'both', true, 0]],
  ] as const)('bad %s', async (name, rule, values) => {
    for (const value of values) {
      const { client, network } = connectNowhere({});
      const store = new FakeStore();
      store.onRead = () => expect.fail('It was read.');
      const running = (): unknown => mirror({ ...jobOf(client.products), store, [name]: value });
      await expectRefusal(running, name, rule, undefined);
      expect(network.sent).toEqual([]);
    }
  });

  it('products beside coupon codes, and keys of the other', async () => {
    const { products, couponCodes } = connectNowhere({}).client;
    const { products: left, ...job } = jobOf(products);
    expect(left).toBe(products);
    for (const [others, text] of [
      [{ products, couponCodes }, 'Expected products to be left out beside couponCodes.'],
      [{ couponCodes, key: 'sku' }, 'Expected key to be one of code, storeDiscountId.'],
      [{ couponCodes: {} }, 'Expected couponCodes to be the coupon codes of a BrandClient.'],
    ] as const) {
      const options = { ...job, fields: ['active'], ...others };
      const running = (): unknown => Reflect.apply(mirror, undefined, [options]);
      expect(await problem(running)).toEqual(['TypeError', text]);
    }
  });
});

/** The options of a mirror that must store and report nothing. */
function jobOf(products: MirrorOptions<'title'>['products']): MirrorOptions<'title'> {
  return {
    products,
    store: new FakeStore(),
    fields: ['title'],
    state: undefined,
    persist: () => expect.fail('It was stored.'),
    report: (text) => expect.fail(text),
  };
}

describe('The mirror refuses', () => {
  const ROPE = { sku: 'A', title: 'Rope' };
  const GOOD = { changed: [ROPE], deleted: ['B'], since: '1' };
  const BAD: readonly unknown[] = [
    undefined,
    null,
    [ROPE],
    ...[undefined, null, new Map([['A', ROPE]]), [null], [{ ...ROPE, sku: null }]].map(
      (changed) => ({ ...GOOD, changed }),
    ),
    ...[undefined, null, 'B', [null]].map((deleted) => ({ ...GOOD, deleted })),
    ...[undefined, null, '', 5, NaN].map((since) => ({ ...GOOD, since })),
  ];

  it.each([0, 1])(
    'what the store answers after %d good answers, and writes nothing',
    async (good) => {
      for (const bad of BAD) {
        const answers: unknown[] = [...Array<unknown>(good).fill(GOOD), bad];
        const { products } = connectNowhere({}).client;
        Object.assign(products, {
          changes: () => [{ changed: [], deleted: [], since: '1' }],
          push: () => expect.fail('It was pushed.'),
        });
        const store = Object.assign(new FakeStore(), {
          changes: () => Promise.resolve(answers.shift()),
        });
        let stored = 0;
        const persist = (): Promise<void> => Promise.resolve().then(() => void (stored += 1));
        const running = (): unknown => mirror({ ...jobOf(products), store, persist });
        await expectRefusal(
          running,
          'the result of store.changes',
          '{ changed, deleted, since }, with a non-empty string as since and strings as sku',
          undefined,
        );
        expect([store.writes, stored]).toEqual([0, good]);
      }
    },
  );
});
