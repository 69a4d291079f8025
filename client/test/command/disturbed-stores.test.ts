import fc from 'fast-check';
import { expect, it } from 'vitest';
import { connectedStore } from './woocommerce-shop.ts';
import type { Asked, Fault, Row, StandIn } from './woocommerce-stand-in.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// A store whose lists and answers are disturbed in every way that the stand-ins know: nothing is deleted that the store has, and
// no night is called good that did not see everything, or does not name what it did not see.

const NO_WORD: readonly Fault[] = [
  { status: 404, body: '{"code":"rest_no_route","message":"x"}' },
  { status: 404, body: '{"code":"rest_disabled","message":"x"}' },
  { status: 404, body: '{"code":"woocommerce_rest_shop_coupon_invalid_id","message":"x"}' },
  { body: '{}' },
  { body: '[]', headers: { 'X-WP-Total': '0' } },
  { body: '{"error":"maintenance"}' },
  { body: '<html>' },
  { body: '{"id":1,"status":"trash"}' },
  { status: 403, body: '<html>' },
];

const PATHS: readonly ((asked: Asked) => boolean)[] = [
  ({ path }) => /^\/products\/\d+$/.test(path),
  ({ path }) => path.endsWith('/variations'),
  ({ path, query }) => path === '/products' && query.has('include'),
  ({ path, query }) => path === '/products' && query.has('page'),
];

const disturbances = fc.record({
  hasAllVariations: fc.boolean(),
  /** What no list gives, of 14 products and 4 variations, and whether the lists count it. */
  hidden: fc.subarray([1, 2, 5, 9, 100, 101, 102, 200, 201]),
  isCounted: fc.boolean(),
  /** Whether a list by ids lacks it too, so that each id is asked for alone. */
  isHiddenById: fc.boolean(),
  /** What is really gone. */
  gone: fc.subarray([3, 4, 9, 102, 201, 202]),
  isTrash: fc.boolean(),
  /** What the service says wrong of the products that it has. */
  edited: fc.subarray([1, 3, 101]),
  words: fc.constantFrom<readonly string[]>(
    [],
    ['--match', 'sku'],
    ['--variants', 'first', '--match', 'storeProductId'],
    ['--variants', 'first', '--match', 'handle'],
  ),
  fault: fc.option(fc.tuple(fc.nat(PATHS.length - 1), fc.nat(NO_WORD.length - 1)), { freq: 3 }),
});

function fill(store: StandIn): void {
  store.products = [
    ...Array.from({ length: 12 }, (_, index): Row => product(index + 1)),
    variableProduct(100, [101, 102]),
    variableProduct(200, [201, 202]),
  ];
  store.variations = [101, 102, 201, 202].map((id) =>
    variation(id, id < 200 ? 100 : 200, String(id)),
  );
}

/** Lets lists lack what is hidden, while the store has it. */
function hide(
  store: StandIn,
  hidden: readonly number[],
  isHiddenById: boolean,
): (asked: Asked) => void {
  const { products, variations } = store;
  const shown = (rows: readonly Row[]): Row[] =>
    rows.filter(({ id }) => !hidden.includes(Number(id)));
  return ({ query }) => {
    const isList = query.has('page') || (isHiddenById && query.has('include'));
    store.products = isList ? shown(products) : products;
    store.variations = isList ? shown(variations) : variations;
  };
}

it('A disturbed store of WooCommerce loses nothing that it has, and hides nothing', async () => {
  await fc.assert(
    fc.asyncProperty(disturbances, async (how) => {
      const { store, client, sync, report, products } = await connectedStore(how);
      fill(store);
      expect(await sync(how.words)).toMatchObject({ code: 0 });
      const before = await products();
      for (const one of before.filter(({ storeVariantId }) =>
        how.edited.includes(Number(storeVariantId)),
      )) {
        await client.products.update(one.id, { storeProductId: '99999' });
      }
      const isGone = (id: unknown): boolean => how.gone.includes(Number(id));
      const changed = (row: Row): Row =>
        isGone(row['id']) && how.isTrash
          ? { ...row, status: 'trash' }
          : { ...row, regular_price: '1.00' };
      const rest = (rows: readonly Row[]): Row[] =>
        rows.filter(({ id }) => how.isTrash || !isGone(id)).map(changed);
      store.products = rest(store.products);
      store.variations = rest(store.variations);
      const there = new Set(
        [...store.products, ...store.variations]
          .filter(({ status }) => status !== 'trash')
          .map(({ id }) => String(id)),
      );
      const hideIn = how.isCounted ? undefined : hide(store, how.hidden, how.isHiddenById);
      if (how.isCounted) for (const id of how.hidden) store.broken.add(id);
      store.onRequest = (asked) => {
        hideIn?.(asked);
        const [path = -1, fault = 0] = how.fault ?? [];
        return PATHS[path]?.(asked) === true ? NO_WORD[fault] : undefined;
      };

      const said = JSON.stringify(await report([...how.words, '--delete', '--max-delete', '100%']));
      const { code } = await sync([...how.words, '--delete', '--max-delete', '100%']);

      const left = await products();
      const isWhole = how.words.includes('first');
      for (const { id, storeProductId, storeVariantId } of before) {
        const isThere = isWhole
          ? there.has(storeProductId ?? '') || there.has(storeVariantId ?? '')
          : there.has(storeVariantId ?? '');
        if (isThere) expect(left.map((one) => one.id)).toContain(id);
      }
      if (code === 0) {
        const fresh = new Set(
          left.filter(({ priceCents }) => priceCents === 100).map((one) => one.storeVariantId),
        );
        const missing = before.filter(
          ({ id, storeVariantId }) =>
            there.has(storeVariantId ?? '') && !fresh.has(storeVariantId) && !said.includes(id),
        );
        expect(missing.map(({ storeVariantId }) => storeVariantId)).toEqual([]);
      }
    }),
    { numRuns: 100 },
  );
});
