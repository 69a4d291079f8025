import { expect, it } from 'vitest';
import { onlyVariant, product, variant } from './shopify/catalogue.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';

// The stand-in of a shop refuses every query that Shopify's own schema does not allow.

const DELETE = ['--delete', '--max-delete', '100%'];

it('`sync --from shopify` creates each variant as the shop has it, and reports what it does not take over', async () => {
  const { sync, products, shop } = await shopAndBrand();
  const { code: exit, stdout, stderr } = await sync();
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toContain('6 compare-at prices were left out.');
  expect(stdout).toContain('The store does not count the stock of 2 products');
  const list = await products();
  expect(list).toHaveLength(48);
  const [mug] = shop.catalogue.products;
  expect(list[0]).toMatchObject({
    title: 'Mug & Saucer',
    handle: 'mug-saucer',
    description: '<p>Mug & Saucer</p>',
    sku: 'MUG',
    priceCents: 850,
    currencyCode: 'EUR',
    storeInventoryQuantity: -2,
    storeStatus: 'ACTIVE',
    storeProductId: mug?.id,
    storeVariantId: mug?.variants[0]?.id,
    source: 'SHOPIFY',
    syncStatus: 'SYNCED',
    // The video is none, and the last image is not ready.
    imageUrls: ['https://cdn.example/mug.jpg', 'https://cdn.example/mug-2.jpg'],
    sourceUpdatedAt: '2026-11-01T08:00:00.000Z',
  });
  const red = 'https://cdn.example/shirt-red.jpg';
  expect(list.slice(1, 3)).toMatchObject([
    { title: 'Shirt - S / Red', handle: 'shirt-s-red', imageUrl: red, priceCents: 1990 },
    { title: 'Shirt - S / Off White', imageUrl: 'https://cdn.example/shirt.jpg' },
  ]);
  expect(list.find(({ sku }) => sku === 'POSTER')).toMatchObject({ storeInventoryQuantity: 0 });
  const statusOf = new Map(list.map(({ title, storeStatus }) => [title, storeStatus]));
  expect(['Sketch', 'Calendar 2019', 'Only for friends'].map((one) => statusOf.get(one))).toEqual([
    'DRAFT',
    'ARCHIVED',
    'UNLISTED',
  ]);
  expect(list.find(({ title }) => title === 'Sample')).toMatchObject({
    priceCents: 0,
    sku: null,
  });
  expect(list.find(({ handle }) => handle === 'nhẫn-bạc')).toMatchObject({ sku: 'NHẪN-1' });
});

it('`sync --from shopify` writes nothing if nothing has changed', async () => {
  const { sync, report, shop } = await shopAndBrand();
  await sync();
  shop.faults.file = (lines) => lines.toReversed();
  const methods: string[] = [];
  const second = await report(DELETE, {
    fetch: (input, init) => {
      const { method, url } = new Request(input, init);
      if (url.includes('/api/brand/')) methods.push(method);
      return fetch(input, init);
    },
  });
  expect(second).toMatchObject({ format: 'shopify', unchanged: 48, created: 0, updated: 0 });
  // The profile, which names the brand's store, and the list.
  expect(methods).toEqual(['GET', 'GET']);
});

it('`sync --from shopify` takes over what changed in a day', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  await sync();
  const { catalogue } = shop;
  const [mug, shirt] = catalogue.products;
  if (!mug || !shirt) throw new Error('The catalogue has changed.');
  mug.title = 'Mug';
  shirt.variants.splice(0, 1, variant(['XL', 'Red']));
  catalogue.products.splice(2, 1);
  catalogue.products.push(product('New', [onlyVariant({ sku: 'NEW' })]));
  // The variant and the product that are gone.
  expect(await report(DELETE)).toMatchObject({ created: 2, updated: 1, deleted: 2, kept: [] });
  const titles = (await products()).map(({ title }) => title);
  expect(titles).toContain('Shirt - XL / Red');
  expect(titles).not.toContain('Shirt - S / Red');
  expect(titles).not.toContain('Poster');
});

it('`sync --from shopify` takes away the last images of a shop', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  await sync();
  for (const { media, variants } of shop.catalogue.products) {
    media.length = 0;
    for (const one of variants) one['media'] = [];
  }
  expect(await report()).toMatchObject({ updated: 7 });
  expect((await products())[0]).toMatchObject({ imageUrls: [], imageUrl: null });
});

it('`sync --from shopify` knows the first variant by its position, whatever the order of the file', async () => {
  const { command, shop } = await shopAndBrand();
  shop.faults.file = (lines) => lines.toReversed();
  const words = ['read', '--from', 'shopify', '--variants', 'first'];
  const { stdout } = await command(words, { env: shop.env });
  expect(stdout).toContain('"sku":"SHIRT-0"');
  expect(stdout).not.toContain('"sku":"SHIRT-5"');
});

it('`sync --from shopify` keeps the resource of a product whose first variant is another one, matched by the product', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  const words = ['--variants', 'first', '--match', 'storeProductId'];
  await sync(words);
  const [, shirt] = shop.catalogue.products;
  shirt?.variants.reverse();
  expect(await report([...words, ...DELETE])).toMatchObject({ created: 0, updated: 1, kept: [] });
  expect((await products())[1]).toMatchObject({
    title: 'Shirt',
    sku: 'SHIRT-5',
    storeVariantId: shirt?.variants[0]?.id,
  });
});

it('`sync --from shopify` reads lists to their end that Shopify has cut off', async () => {
  const { sync, report, shop, products } = await shopAndBrand();
  shop.listLimit = 1;
  await sync();
  expect(await products()).toHaveLength(48);
  shop.listLimit = Infinity;
  expect(await report(DELETE)).toMatchObject({ unchanged: 48, updated: 0, deleted: 0 });
});

it('`read --from shopify` prints the items without a key of the service', async () => {
  const { command, shop } = await shopAndBrand();
  const env = { ...shop.env, BRAND_API_KEY: undefined, BRAND_API_URL: undefined };
  const { code: exit, stdout } = await command(['read', '--from', 'shopify'], { env });
  expect([exit, stdout.trim().split('\n')]).toMatchObject([0, { length: 48 }]);
});
