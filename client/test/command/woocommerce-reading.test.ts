import { expect, it } from 'vitest';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { readStore } from './read-store.ts';
import type { Row } from './woocommerce-stand-in.ts';
import { product, variableProduct, variation, woocommerce } from './woocommerce-stand-in.ts';

/** So many products, with ids in a row. */
function products(count: number): Row[] {
  return Array.from({ length: count }, (_, index) => product(index + 1));
}

it.each([
  ['with plain permalinks', { hasPlainPermalinks: true }],
  ['with the list of all variations', { hasAllVariations: true }],
  ['in a folder', { folder: '/shop' }],
  ['in a folder, with plain permalinks', { folder: '/shop', hasPlainPermalinks: true }],
])('A store of WooCommerce is read: one %s', async (_, options) => {
  const store = await woocommerce(options);
  store.products = [...products(101), variableProduct(200, [201]), variableProduct(300, [301])];
  store.variations = [variation(201, 200, '38'), variation(301, 300, '38')];

  expect(await readStore(platform, store)).toMatchObject({ items: { length: 103 }, skipped: [] });
  const lists = store.asked.filter(({ path }) => /^\/products\/\d+\/variations$/.test(path));
  expect(lists).toHaveLength('hasAllVariations' in options ? 0 : 2);
});

it('Variations are read product by product if the list of all counts remains of others', async () => {
  const store = await woocommerce({ hasAllVariations: true });
  store.products = [variableProduct(200, [201])];
  store.variations = [variation(199, 150, '38'), variation(201, 200, '38')];

  const { items, skipped } = await readStore(platform, store);
  expect([items, skipped]).toMatchObject([[{ storeVariantId: '201' }], []]);
});

it.each([[{ 0: 201, 2: 202 }], ['201,202']])(
  'All variations are read of a product that names them in an odd way: %j',
  async (variations) => {
    const store = await woocommerce({ hasAllVariations: true });
    store.products = [variableProduct(200, [], { variations })];
    store.variations = [201, 202].map((id) => variation(id, 200, `${id}`));
    const [first] = store.variations;
    store.onRequest = ({ path }) =>
      path === '/variations'
        ? { headers: { 'X-WP-Total': '1' }, body: JSON.stringify([first]) }
        : undefined;

    const { items, skipped } = await readStore(platform, store);
    expect(items.map((one) => one['storeVariantId'])).toEqual(['201', '202']);
    expect(skipped).toEqual([]);
  },
);

it('A variation that stands in the list of products too has its own image', async () => {
  const store = await woocommerce();
  const own = 'https://hallenladen.example/own.jpg';
  const images = [{ src: 'https://hallenladen.example/product.jpg' }];
  const { image: _, ...listedAsProduct } = variation(201, 200, '38', { images });
  store.products = [variableProduct(200, [201], { images }), listedAsProduct];
  store.variations = [variation(201, 200, '38', { image: { src: own } })];

  const { items, skipped } = await readStore(platform, store);
  expect([items, skipped]).toMatchObject([[{ imageUrl: own, imageUrls: [own] }], []]);
});

it.each(['/', '/wp-json', '/wp-json/wc/v3/'])(
  'The key of a store may have white space around it, and its address an end: %s',
  async (end) => {
    const store = await woocommerce();
    store.products = products(1);

    const env = {
      ...store.env,
      WOOCOMMERCE_URL: store.url + end,
      WOOCOMMERCE_KEY: ` ${store.env['WOOCOMMERCE_KEY'] ?? ''}\n`,
    };
    const { items } = await readStore(platform, { env, fetch: store.fetch });
    expect(items).toHaveLength(1);
  },
);

it('A list is read again if a product is deleted between two pages', async () => {
  const store = await woocommerce();
  store.products = products(250);
  let isFirst = true;
  store.onRequest = ({ query }) => {
    if (query.get('page') === '2' && isFirst) {
      isFirst = false;
      store.products.shift();
    }
    return undefined;
  };

  expect(await readStore(platform, store)).toMatchObject({ items: { length: 249 }, skipped: [] });
});
