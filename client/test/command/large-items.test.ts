import { expect, it } from 'vitest';
import { connectedStore, containing } from './woocommerce-shop.ts';
import { product } from './woocommerce-stand-in.ts';

const MB = 1_000_000;

it('A product with a text of 3 MB loses that text alone, new or not, and again the next night', async () => {
  const { store, report, products, sync, client } = await connectedStore();
  store.products.push(product(1), product(2, { description: 'x'.repeat(3 * MB) }));
  const skipped = [
    {
      key: '2',
      field: 'description',
      kind: 'problem',
      reason: containing('description: its 3,000,0'),
    },
  ];
  expect(await report(['--dry-run'])).toMatchObject({ created: 2, skipped, refused: [] });
  expect(await report()).toMatchObject({ created: 2, skipped, refused: [] });
  const own = (await products()).find(({ storeProductId }) => storeProductId === '2');
  expect(own).toMatchObject({ priceCents: 850, description: '' });
  // What somebody writes in its place stays, and everything else goes on.
  await client.products.update(own?.id ?? '', { description: 'Short.' });
  Object.assign(store.products[1] ?? {}, { regular_price: '9.00', stock_quantity: 7 });
  expect(await report()).toMatchObject({ updated: 1, unchanged: 1, skipped, refused: [] });
  expect(await products()).toContainEqual(
    expect.objectContaining({ description: 'Short.', priceCents: 900, storeInventoryQuantity: 7 }),
  );
  expect((await sync()).stdout).toMatch(/skipped: 2: description: its 3,000,0\d\d characters/);
});

it('A product with two texts of 3 MB and a broken image loses only these', async () => {
  const { store, report, products } = await connectedStore();
  const images = [{ src: 'https://cdn.example/a.jpg' }, { src: 'ftp://cdn.example/b.jpg' }];
  const texts = { name: 'n'.repeat(3 * MB), description: 'd'.repeat(4 * MB) };
  store.products.push(product(1, { images }));
  await report();
  Object.assign(store.products[0] ?? {}, { ...texts, regular_price: '9.00' });
  expect(await report()).toMatchObject({ updated: 1, refused: [] });
  expect(await products()).toMatchObject([
    { priceCents: 900, title: 'Griff 1', imageUrls: ['https://cdn.example/a.jpg'] },
  ]);
});
