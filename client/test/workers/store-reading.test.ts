import { expect, it } from 'vitest';
import { contentOf } from '../../src/stores/content.ts';
import { woocommerce } from '../../src/stores/woocommerce/store.ts';

// The readers of stores use nothing but `fetch` and what the Web has, so that they run in a Worker too.

const SIMPLE = {
  type: 'simple',
  status: 'publish',
  regular_price: '8.50',
  manage_stock: true,
  stock_quantity: 4,
};

const LISTS: Readonly<Record<string, readonly object[]>> = {
  '/products': [
    { id: 1, name: 'Mug &amp; Saucer', slug: 'mug', sku: 'MUG', ...SIMPLE },
    { id: 2, name: 'Shirt', slug: 'shirt', ...SIMPLE, type: 'variable', variations: [3] },
  ],
  '/products/2/variations': [
    { id: 3, ...SIMPLE, type: 'variation', attributes: [{ id: 1, name: 'Size', option: 'M' }] },
  ],
};

/** A store before the list of all variations. */
const store: typeof fetch = (input) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const path = pathname.replace('/wp-json/wc/v3', '');
  if (path === '/data/currencies/current') return Promise.resolve(Response.json({ code: 'EUR' }));
  const list = LISTS[path];
  if (list === undefined) {
    return Promise.resolve(Response.json({ code: 'rest_no_route' }, { status: 404 }));
  }
  const headers = { 'X-WP-Total': String(list.length), 'X-WP-TotalPages': '1' };
  return Promise.resolve(Response.json(list, { headers }));
};

it('A store is read to its end in a Worker', async () => {
  const env = {
    WOOCOMMERCE_URL: 'https://shop.example',
    WOOCOMMERCE_KEY: 'ck_1',
    WOOCOMMERCE_SECRET: 'cs_1',
  };
  const { signal } = new AbortController();
  const connected = woocommerce.connect({ env, fetch: store, signal, collection: 'products' });
  const { content } = await connected.read();
  const { items, doubts } = contentOf({ store: woocommerce, content }, { collection: 'products' });
  expect(items).toMatchObject([
    { title: 'Mug & Saucer', handle: 'mug', priceCents: 850, currencyCode: 'EUR' },
    { title: 'Shirt - M', handle: 'shirt-m', storeVariantId: '3', storeInventoryQuantity: 4 },
  ]);
  expect(doubts).toEqual([]);
});
