import { expect, it } from 'vitest';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Row } from './woocommerce-stand-in.ts';
import { coupon, product, variableProduct, variation } from './woocommerce-stand-in.ts';

/** So many products from an id on, with ids in a row. */
function products(count: number, first = 1): Row[] {
  return Array.from({ length: count }, (_, index) => product(first + index));
}

/** A `fetch` that counts the requests to the service by their methods. */
function counted(): { readonly fetch: typeof fetch; readonly methods: string[] } {
  const methods: string[] = [];
  return {
    methods,
    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (url.includes('/api/brand/v1')) methods.push(init?.method ?? 'GET');
      return fetch(input, init);
    },
  };
}

it('`sync --from woocommerce` takes products and variations, with the ids of the store', async () => {
  const { store, sync, products } = await connectedStore();
  store.products = [
    product(10, {
      name: 'Karabiner &amp; <i>Seil</i>',
      images: [{ id: 1, src: 'https://hallenladen.example/a.jpg' }],
    }),
    product(11, { status: 'private', manage_stock: false, stock_quantity: null }),
    product(12, { manage_stock: false, stock_quantity: null, stock_status: 'outofstock' }),
    product(13, { stock_quantity: -3, sku: '', slug: '' }),
    product(14, { slug: 'gr%c3%b6%c3%9fe' }),
    variableProduct(25, [27, 28], { sku: 'HN-V' }),
  ];
  store.variations = [
    variation(27, 25, '38', { image: { id: 2, src: 'https://hallenladen.example/rot.jpg' } }),
    variation(28, 25, '39', {
      status: 'private',
      sku: 'HN-V',
      manage_stock: 'parent',
      stock_quantity: 9,
      attributes: [
        { id: 1, name: 'Farbe', slug: 'pa_farbe', option: 'Rot' },
        { id: 0, name: 'Größe', slug: 'grosse', option: '39' },
      ],
    }),
  ];

  expect(await sync()).toMatchObject({ code: 0 });

  const common = { currencyCode: 'EUR', source: 'WOOCOMMERCE', syncStatus: 'SYNCED' };
  expect(await products()).toMatchObject([
    {
      ...common,
      title: 'Karabiner & Seil',
      handle: 'griff-10',
      sku: 'HN-10',
      priceCents: 850,
      description: '<p>Aus Holz</p>',
      storeProductId: '10',
      storeVariantId: '10',
      storeStatus: 'ACTIVE',
      storeInventoryQuantity: 4,
      imageUrls: ['https://hallenladen.example/a.jpg'],
      sourceUpdatedAt: '2026-11-27T21:52:23.000Z',
    },
    { ...common, storeVariantId: '11', storeStatus: 'DRAFT', storeInventoryQuantity: 0 },
    { ...common, storeVariantId: '12', storeStatus: 'ACTIVE', storeInventoryQuantity: 0 },
    { ...common, storeVariantId: '13', sku: null, storeInventoryQuantity: -3 },
    { ...common, storeVariantId: '14', handle: 'größe' },
    {
      ...common,
      title: 'Kletterschuh 25 - 38',
      sku: 'HN-V-27',
      priceCents: 9990,
      storeProductId: '25',
      storeVariantId: '27',
      imageUrl: 'https://hallenladen.example/rot.jpg',
      storeInventoryQuantity: 2,
    },
    {
      ...common,
      title: 'Kletterschuh 25 - 39 / Rot',
      sku: null,
      storeProductId: '25',
      storeVariantId: '28',
      storeStatus: 'DRAFT',
      storeInventoryQuantity: 9,
    },
  ]);
});

it('`sync --from woocommerce` asks only with GET, and never for the addresses of people', async () => {
  const { store, sync } = await connectedStore();
  store.products = products(3);
  store.coupons = [coupon(300, 'herbst10')];

  expect(await sync(['--delete'])).toMatchObject({ code: 0 });
  expect(await sync(['--delete', '--collection', 'coupon-codes'])).toMatchObject({ code: 0 });

  expect(new Set(store.asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(store.sent.join()).not.toMatch(/@|used_by|email_restrictions/);
});

it('`sync --from woocommerce` writes nothing on the second run', async () => {
  const { store, sync, report } = await connectedStore();
  store.products = [...products(120), variableProduct(200, [201])];
  store.variations = [variation(201, 200, '38')];
  expect(await sync()).toMatchObject({ code: 0 });
  const { methods, fetch } = counted();

  expect(await report(['--delete'], { fetch })).toMatchObject({
    format: 'woocommerce',
    created: 0,
    updated: 0,
    unchanged: 121,
    deleted: 0,
  });
  // The profile, which names the brand's store, and the list.
  expect(methods).toEqual(['GET', 'GET']);
  const recorded = counted();
  await report(['--delete', '--record'], { fetch: recorded.fetch });
  expect(recorded.methods).toEqual(['GET', 'GET', 'PATCH']);
});

it('`sync --from woocommerce` is recorded although somebody else changes the profile during it', async () => {
  const { store, sync, client } = await connectedStore();
  store.products = products(1);
  let changes = 0;
  const { code } = await sync(['--record'], {
    fetch: async (url, init) => {
      if (init?.method === 'PATCH' && changes++ === 0) {
        await client.profile.update({ connection: { lastSyncError: 'coupon-codes: late' } });
      }
      return fetch(url, init);
    },
  });
  const { connection } = (await client.profile.get()).data;
  expect([code, changes, connection.status]).toEqual([0, 2, 'CONNECTED']);
});

it('`sync --from woocommerce` brings the changes of a day', async () => {
  const { store, sync, report, products: listed } = await connectedStore();
  store.products = [...products(30), variableProduct(200, [201, 202])];
  store.variations = [variation(201, 200, '38'), variation(202, 200, '39')];
  expect(await sync()).toMatchObject({ code: 0 });

  store.products = [
    product(1, { regular_price: '9' }),
    product(2, { name: 'Neuer Name' }),
    product(3, { status: 'trash' }),
    product(5, { manage_stock: false, stock_quantity: null }),
    product(6, { manage_stock: false, stock_quantity: null, stock_status: 'outofstock' }),
    ...products(24, 7),
    variableProduct(200, [202, 203]),
    product(300),
  ];
  store.variations = [variation(202, 200, '39', { stock_quantity: 0 }), variation(203, 200, '40')];

  expect(await report(['--delete'])).toMatchObject({
    created: 2,
    updated: 4,
    deleted: 3,
    withheld: 0,
    kept: [],
  });
  const after = await listed();
  expect(after.map(({ storeVariantId }) => Number(storeVariantId))).toEqual([
    1,
    2,
    ...products(26, 5).map(({ id }) => id),
    202,
    203,
    300,
  ]);
  // Only what the store counts has a number: product 5 keeps it, and product 6 is out of stock.
  expect(after).toMatchObject([
    { priceCents: 900 },
    { title: 'Neuer Name' },
    { storeInventoryQuantity: 4 },
    { storeInventoryQuantity: 0 },
    ...Array.from(products(24), () => ({})),
    { storeInventoryQuantity: 0 },
    { title: 'Kletterschuh 200 - 40' },
    {},
  ]);
});

it('`sync --from woocommerce` keeps what a product without a price has in the service, and says that as no problem', async () => {
  const { store, sync, report, products: listed } = await connectedStore();
  store.products = products(3);
  expect(await sync()).toMatchObject({ code: 0 });
  store.products = [
    product(1, { regular_price: '', price: '' }),
    product(2, { type: 'grouped' }),
    product(3, { type: 'bundle' }),
    product(4, { type: 'external' }),
    product(5, { regular_price: '0' }),
    variableProduct(6, []),
  ];

  const said = await report(['--delete']);

  expect(said).toMatchObject({ created: 1, deleted: 0, withheld: 0, kept: [] });
  expect(said).toMatchObject({
    skipped: [
      { key: '1', kind: 'unsupported' },
      { key: '2', kind: 'unsupported', reason: containing('grouped') },
      { key: '3', kind: 'unsupported', reason: containing('bundle') },
      { key: '4', kind: 'unsupported', reason: containing('external') },
      { kind: 'unsupported', reason: containing('no variations') },
    ],
  });
  expect(await listed()).toHaveLength(4);
});

it('`sync --from woocommerce` does not delete a product that its reading lacks and the store has', async () => {
  const { store, sync, report, products: listed } = await connectedStore();
  store.products = products(250);
  expect(await sync()).toMatchObject({ code: 0 });
  // Product 5 goes and a new one comes, so that the total stays. Product 101 moves to the page that was read already.
  store.onRequest = ({ query }) => {
    if (query.get('page') === '2') store.products = [...products(4), ...products(246, 6)];
    return undefined;
  };

  expect(await report(['--delete'])).toMatchObject({
    created: 1,
    deleted: 0,
    withheld: 0,
    kept: [{ key: '101', reason: containing('the store has product 101') }],
  });
  expect((await listed()).some(({ storeVariantId }) => storeVariantId === '101')).toBe(true);
});

it('`sync --from woocommerce` does not delete what was changed in the service after the store gave its list', async () => {
  const { store, client, sync, report, products: listed } = await connectedStore();
  store.products = products(3);
  expect(await sync()).toMatchObject({ code: 0 });
  const gone = (await listed()).find(({ storeVariantId }) => storeVariantId === '3');
  store.products = products(2);
  const changing: typeof fetch = async (input, init) => {
    const answer = await store.fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (url.includes('orderby=id')) await client.products.update(gone?.id ?? '', { title: 'New' });
    return answer;
  };

  expect(await report(['--delete'], { fetch: changing })).toMatchObject({
    deleted: 0,
    kept: [{ key: '3', reason: 'it was changed after the items were read' }],
  });
  expect(await report(['--delete'])).toMatchObject({ deleted: 1, kept: [] });
});

const words = ['--collection', 'coupon-codes', '--delete'];

it('A sync of the coupons of WooCommerce takes percentages, and keeps the spelling of the service', async () => {
  const { store, client, sync, report, codes } = await connectedStore();
  await client.couponCodes.push(
    [
      { code: 'HERBST10', discountPercent: 5 },
      { code: 'FÜNFER', discountPercent: 5 },
    ],
    { match: 'code' },
  );
  store.coupons = [
    coupon(1, 'herbst10', { usage_limit: 100, description: 'Herbstaktion' }),
    coupon(2, 'abgelaufen', { date_expires_gmt: '2025-12-30T23:00:00' }),
    coupon(3, 'bald', { date_expires_gmt: '2999-12-30T23:00:00' }),
    coupon(4, 'nur &amp; für', { amount: '12.50' }),
    coupon(5, 'entwurf', { status: 'draft', free_shipping: true, amount: '0.00' }),
    coupon(6, 'fünf', { discount_type: 'fixed_cart' }),
    coupon(7, 'versandfrei', {
      discount_type: 'fixed_cart',
      free_shipping: true,
      amount: '0.00',
    }),
    coupon(8, 'abo', { discount_type: 'recurring_percent' }),
  ];

  const said = await report(words);

  expect(said).toMatchObject({
    created: 4,
    updated: 1,
    skipped: [
      { key: 'fünf', kind: 'unsupported', reason: containing('fixed amount') },
      { key: 'versandfrei', kind: 'unsupported', reason: containing('shipping') },
      { key: 'abo', kind: 'unsupported', reason: containing('recurring_percent') },
    ],
    // A code without an id of the store is not the store's.
    kept: [{ key: 'FÜNFER' }],
  });
  expect(await codes()).toMatchObject([
    {
      code: 'HERBST10',
      discountPercent: 10,
      active: true,
      currentUses: 2,
      maxUses: 100,
      description: 'Herbstaktion',
      storeDiscountId: '1',
    },
    { code: 'FÜNFER', discountPercent: 5, storeDiscountId: null },
    { code: 'abgelaufen', active: false, maxUses: null },
    { code: 'bald', active: true },
    { code: 'nur & für', discountPercent: 12.5 },
    { code: 'entwurf', discountPercent: 0, active: false },
  ]);
  expect(await report(words)).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
  const asked: string[] = [];
  const counting: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    if (pathname === '/api/brand/v1/coupon-codes') asked.push(search);
    return fetch(input, init);
  };
  expect(await sync(words, { fetch: counting })).toMatchObject({ code: 0 });
  // The list is read once. The second request is for the code that is missing.
  expect(asked).toEqual(['', containing('updatedSince=')]);
});

it('A sync of the coupons of WooCommerce deletes a code that is gone, in the trash, or has another name by now', async () => {
  const { store, sync, report, codes } = await connectedStore();
  store.coupons = Array.from('abcdefgh', (code, index) => coupon(index + 1, code));
  expect(await sync(words)).toMatchObject({ code: 0 });
  const [, , , ...others] = store.coupons;
  store.coupons = [coupon(2, 'b', { status: 'trash' }), coupon(3, 'neu'), ...others];

  expect(await report(words)).toMatchObject({ created: 1, deleted: 3, withheld: 0, kept: [] });
  expect((await codes()).map(({ code }) => code).join()).toBe('d,e,f,g,h,neu');
});
