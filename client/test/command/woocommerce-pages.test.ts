import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { passed } from './passing-time.ts';
import { connectedTo, readStore, whyUnread } from './read-store.ts';
import type { Fault, Pages, Row, StandIn } from './woocommerce-stand-in.ts';
import {
  coupon,
  product,
  variableProduct,
  variation,
  woocommerce,
} from './woocommerce-stand-in.ts';

// What hosts do to pages of a hundred entries.

const REFUSED: Fault = {
  status: 400,
  body: JSON.stringify({
    code: 'rest_invalid_param',
    message: 'Ungültige(r) Parameter: per_page',
    data: { status: 400, params: { per_page: 'per_page must be between 1 and 50' } },
  }),
};

/** 130 products, one of which has 60 variations, and coupons. */
function fill(store: StandIn): void {
  const ids = Array.from({ length: 60 }, (_, index) => 1001 + index);
  store.products = [
    ...Array.from({ length: 129 }, (_, index): Row => product(index + 1)),
    variableProduct(1000, ids),
  ];
  store.variations = ids.map((id) => variation(id, 1000, String(id)));
  store.coupons = Array.from({ length: 12 }, (_, index) => coupon(2001 + index, `c-${index}`));
}

/** The sizes of pages that a store was asked for, in order and without repeats. */
function sizesAsked({ asked }: StandIn): number[] {
  const sizes = asked.flatMap(({ query }) => query.get('per_page') ?? []).map(Number);
  return sizes.filter((size, index) => size !== sizes[index - 1]);
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it.each<[string, Pages, number]>([
  ['gives 50 at most', { most: 50, otherwise: 'fewer' }, 50],
  ['cuts pages at 50', { most: 50, otherwise: 'cut' }, 50],
  ['cuts pages at 75', { most: 75, otherwise: 'cut' }, 50],
  ['gives 30 at most', { most: 30, otherwise: 'fewer' }, 20],
  ['gives 10 at most', { most: 10, otherwise: 'fewer' }, 10],
  ['refuses more than 50', { most: 50, otherwise: REFUSED }, 50],
  ['answers nothing for more than 20', { most: 20, otherwise: { body: '' } }, 20],
  ['takes too long for more than 20', { most: 20, otherwise: { status: 504 } }, 20],
  ['fails for more than 10', { most: 10, otherwise: { status: 500, body: '<html>' } }, 10],
  ['breaks off for more than 50', { most: 50, otherwise: { body: '[{}', isCut: true } }, 50],
])(
  'A store with smaller pages is read to its end, and asked with such: its host %s',
  async (_, pages, size) => {
    const store = await woocommerce({ pages });
    fill(store);
    const connected = connectedTo(platform, store);
    const { result } = await passed(connected.read(), 100);
    expect(result).toMatchObject({ skipped: [], products: { length: 130 } });
    expect(result).toHaveProperty('products.129.variants.length', 60);
    const codes = await passed(readStore(platform, store, { collection: 'coupon-codes' }), 100);
    expect(codes.result).toMatchObject({ skipped: [], items: { length: 12 } });

    store.products = store.products.slice(3);
    store.asked.length = 0;
    const gone = ['1', '2', '3'].map((storeVariantId) => ({ id: storeVariantId, storeVariantId }));
    const { result: confirmed } = await passed(connected.confirm(gone), 100);
    expect(confirmed).toEqual(new Map(gone.map(({ id }) => [id, undefined])));
    expect(sizesAsked(store)).toEqual([size]);
  },
);

it('A store whose host fails whatever it is asked for is shown with its error', async () => {
  const store = await woocommerce({
    pages: { most: 0, otherwise: { status: 500, body: '<html>' } },
  });
  fill(store);
  expect(await whyUnread(platform, store)).toMatch(/error of its own \(status 500\)/);
  // The usual tries, and one for each smaller size.
  const sizes = store.asked.flatMap(({ query }) => query.get('per_page') ?? []);
  expect(sizes).toEqual(['100', '100', '100', '100', '50', '20', '10']);
});

it('A store whose host loses the query of a request is named as that', async () => {
  const store = await woocommerce({ losesQuery: true });
  fill(store);
  expect(await whyUnread(platform, store)).toMatch(
    /drop the query of a request.*try_files must end with/,
  );
});

it('A store whose host counts one more than it gives is not asked for all of its pages again', async () => {
  const store = await woocommerce();
  fill(store);
  store.broken.add(7);
  expect(await readStore(platform, store)).toMatchObject({
    items: { length: 188 },
    skipped: [{ kind: 'problem' }],
  });
  // Two readings of two pages, each with a look at the end of the short one; then 20 small ones, which say where it is.
  expect(store.asked.filter(({ path }) => path === '/products')).toHaveLength(26);
});
