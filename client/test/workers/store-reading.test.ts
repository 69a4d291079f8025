import { expect, it } from 'vitest';
import { contentOf } from '../../src/stores/content.ts';
import { woocommerce } from '../../src/stores/woocommerce/store.ts';
import { SIMPLE, STORE_ENV, woocommerceStore } from './woocommerce.ts';

// The readers of stores use nothing but `fetch` and what the Web has, so that they run in a Worker too.

it('A store is read to its end in a Worker', async () => {
  const { fetch } = woocommerceStore({
    '/products': [
      { id: 1, name: 'Mug &amp; Saucer', slug: 'mug', sku: 'MUG', ...SIMPLE },
      { id: 2, name: 'Shirt', slug: 'shirt', ...SIMPLE, type: 'variable', variations: [3] },
    ],
    '/products/2/variations': [
      { id: 3, ...SIMPLE, type: 'variation', attributes: [{ id: 1, name: 'Size', option: 'M' }] },
    ],
  });
  const { signal } = new AbortController();
  const connected = woocommerce.connect({ env: STORE_ENV, fetch, signal, collection: 'products' });
  const { content } = await connected.read();
  const { items, doubts } = contentOf({ store: woocommerce, content }, { collection: 'products' });
  expect(items).toMatchObject([
    { title: 'Mug & Saucer', handle: 'mug', priceCents: 850, currencyCode: 'EUR' },
    { title: 'Shirt - M', handle: 'shirt-m', storeVariantId: '3', storeInventoryQuantity: 4 },
  ]);
  expect(doubts).toEqual([]);
});
