import { expect, it } from 'vitest';
import { contentOf } from '../../src/stores/content.ts';
import { Secrets } from '../../src/stores/secrets.ts';
import { tinyshop } from '../fixtures/tinyshop.ts';

it('An item of Tinyshop gives a product for each of its sizes', async () => {
  const large = {
    id: 'v2',
    sku: 'P-2',
    size: 'A2',
    price: '8.50',
    salePrice: '5.00',
    stock: null,
  };
  const small = { ...large, id: 'v3', sku: null, size: 'A3', price: null, salePrice: null };
  const image = 'https://cdn.example/p.jpg';
  const items = [{ id: '1', name: 'Poster', image, variants: [large, small] }];
  const shop = tinyshop.connect({
    env: { TINYSHOP_URL: 'https://shop.example', TINYSHOP_TOKEN: 'tiny-0123456789' },
    fetch: () => Promise.resolve(Response.json({ total: 1, items })),
    secrets: new Secrets(),
    signal: new AbortController().signal,
    collection: 'products',
  });
  const content = await shop.read();
  const found = contentOf({ store: tinyshop, content }, { collection: 'products' });
  expect(found.items).toMatchObject([
    { title: 'Poster - A2', storeVariantId: 'v2', priceCents: 850, imageUrls: [image] },
    { title: 'Poster - A3', storeVariantId: 'v3' },
  ]);
  expect(found.notes).toEqual([
    '1 sale price was left out.',
    'The store does not count the stock of 2 products, so it was left out.',
  ]);
});
