import { expect, it } from 'vitest';
import { record, records } from '../../../test/node/processes.ts';
import { shopify } from '../../src/stores/shopify/store.ts';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import { readStore } from './read-store.ts';
import { connectedStore, containing } from './woocommerce-shop.ts';
import type { Row } from './woocommerce-stand-in.ts';
import {
  coupon,
  product,
  variableProduct,
  variation,
  woocommerce,
} from './woocommerce-stand-in.ts';
import type { OddKind, Oddity, OddStore } from './odd-values.ts';
import { expectOneOddValue, PHOTO, withValue } from './odd-values.ts';
import type { ShopProduct, ShopVariant } from './shopify/catalogue.ts';
import {
  code,
  image,
  onlyVariant,
  percentage,
  product as shopifyProduct,
  variant,
} from './shopify/catalogue.ts';
import type { ShopAndBrand } from './shopify/shop-and-brand.ts';
import { shopAndBrand } from './shopify/shop-and-brand.ts';
import { StandIn } from './shopify/stand-in.ts';

// One odd value in a store costs that value: the rest of its product is taken, and all others.

const CODES = { collection: 'coupon-codes' } as const;

/** The images of a product with these addresses. */
function images(...urls: readonly unknown[]): Row {
  return { images: urls.map((src, index) => ({ id: index + 1, src })) };
}

it.each([
  [
    'an address that is none',
    images('photo one.jpg', PHOTO),
    'imageUrls.0',
    { imageUrl: PHOTO, imageUrls: [PHOTO] },
  ],
  [
    'addresses that are none',
    images('a.jpg', 'b.jpg'),
    'imageUrls.1',
    { imageUrl: null, imageUrls: [] },
  ],
  [
    'too many images',
    images(...Array.from({ length: 251 }, (_, at) => `${PHOTO}?${at}`)),
    'imageUrls',
    { imageUrl: `${PHOTO}?0` },
  ],
  [
    'a description of 70,000 characters',
    { description: 'x'.repeat(70_000) },
    'description',
    { description: '' },
  ],
  ['a SKU of 300', { sku: 'S'.repeat(300) }, 'sku', { sku: null }],
  [
    'a stock that is too large',
    { stock_quantity: 2 ** 40 },
    'storeInventoryQuantity',
    { storeInventoryQuantity: 0 },
  ],
  [
    'a time that is none',
    { date_modified_gmt: 'yesterday' },
    'sourceUpdatedAt',
    { sourceUpdatedAt: null },
  ],
  ['a price that is too large', { regular_price: '99999999999.00' }, 'priceCents', undefined],
  ['too many marks', { name: `e${'\u0301'.repeat(40)}` }, 'title', undefined],
])(
  'A value that the service refuses is left out of a new product: %s',
  async (_, members, field, expected) => {
    const { store, report, products } = await connectedStore();
    store.products = [product(1, members), product(2)];
    const said = await report();
    const whole = expected === undefined;
    const begin: unknown = expect.stringMatching(`^${field}: `);
    expect(said).toMatchObject({ created: whole ? 1 : 2, refused: [] });
    const skipped = records(record(said)['skipped']);
    expect(skipped.map((one) => one['field'])).toContain(whole ? undefined : field);
    expect(skipped).toContainEqual(
      expect.objectContaining({
        key: '1',
        kind: 'problem',
        reason: begin,
      }),
    );
    const listed = await products();
    expect(listed).toHaveLength(whole ? 1 : 2);
    const odd = listed.find(({ storeVariantId }) => storeVariantId === '1');
    if (expected === undefined) expect(odd).toBeUndefined();
    else expect(odd).toMatchObject({ title: 'Griff 1', ...expected });
  },
);

it('A product without an id is named by what it is', async () => {
  const { store, report } = await connectedStore();
  const nameless = product(2, { name: 'Nameless', id: null });
  store.products = [nameless, product(1)];
  const said = record(await report());
  expect(said['skipped']).toMatchObject([
    { key: null, reason: 'a product without an id has no storeVariantId' },
  ]);
});

it('A value that the service refuses keeps the field of a product that exists, and the rest goes on; a dry run says the same', async () => {
  const { store, sync, report, products } = await connectedStore();
  store.products = [product(1, { ...images(PHOTO), sku: 'OLD' })];
  await sync();
  store.products = [product(1, { ...images('a b'), sku: 'S'.repeat(300), stock_quantity: 9 })];
  const tried = record(await report(['--dry-run']));
  const done = record(await report());
  expect(done['skipped']).toEqual(tried['skipped']);
  // The main image is the first one, and is no other odd value.
  const fields = records(done['skipped']).map(({ field }) => field);
  expect(fields.sort()).toEqual(['imageUrls.0', 'sku']);
  expect(done).toMatchObject({ updated: 1, refused: [] });
  expect(tried).toMatchObject({
    updated: 1,
    changes: [{ fields: { storeInventoryQuantity: [4, 9], imageUrl: [PHOTO, null] } }],
  });
  expect(Object.keys(record(record(records(tried['changes'])[0])['fields']))).not.toContain('sku');
  expect(await products()).toMatchObject([
    { sku: 'OLD', storeInventoryQuantity: 9, imageUrls: [] },
  ]);
  const [before] = await products();
  expect(await report()).toMatchObject({ updated: 0, unchanged: 1, refused: [] });
  expect(await products()).toEqual([before]);
});

it('A value that the service refuses keeps a price with its currency: in another one, the number would be another price', async () => {
  const { store, client, report, products } = await connectedStore();
  store.products = [product(1)];
  await report();
  const [first] = await products();
  await client.products.update(first?.id ?? '', { currencyCode: 'USD' });
  store.products = [product(1, { regular_price: '99999999999.00', stock_quantity: 9 })];
  expect(await report(['--new-currency'])).toMatchObject({ updated: 1, refused: [] });
  expect(await products()).toMatchObject([
    { priceCents: 850, currencyCode: 'USD', storeInventoryQuantity: 9 },
  ]);
});

it('Of many products with several odd values, each loses these values alone, by their places in the store', async () => {
  const { store, sync, products } = await connectedStore();
  const odd = {
    ...images('a.jpg', PHOTO, 'b.jpg', 'c.jpg'),
    sku: 'S'.repeat(300),
    stock_quantity: 2 ** 40,
  };
  const lost = ['imageUrls.0', 'imageUrls.2', 'imageUrls.3', 'sku', 'storeInventoryQuantity'];
  const ids = Array.from({ length: 150 }, (_, at) => at + 1);
  // Of so many problems, the service lists one of most products, and counts the others.
  store.products = ids.map((id) => product(id, odd));
  const { count, fetch } = countingPosts();
  const { stdout } = await sync(['--json'], { fetch });
  const said = record(JSON.parse(stdout));
  expect(said).toMatchObject({ created: ids.length, refused: [] });
  const skipped = records(said['skipped']).map(({ key, field }) => [key, field].join(' '));
  const expected = ids.flatMap((id) => lost.map((field) => `${id} ${field}`));
  expect(skipped.sort()).toEqual(expected.sort());
  const listed = await products();
  expect(listed).toHaveLength(ids.length);
  for (const one of listed) expect(one).toMatchObject({ imageUrl: PHOTO, imageUrls: [PHOTO] });
  // All that are refused are pushed together, and each time each of them has one odd value less, or more.
  expect(count()).toBeLessThanOrEqual(lost.length + 1);
});

it('A sync without an odd value makes no request for one', async () => {
  const { store, sync } = await connectedStore();
  store.products = [product(1), product(2)];
  await sync();
  const { count, fetch } = countingPosts();
  store.products = [product(1, { stock_quantity: 8 }), product(2)];
  await sync([], { fetch });
  expect(count()).toBe(1);
});

/** Counts the requests that write. */
function countingPosts(): { readonly count: () => number; readonly fetch: typeof fetch } {
  let posts = 0;
  return {
    count: () => posts,
    fetch: (input, init) => {
      if (init?.method === 'POST') posts++;
      return fetch(input, init);
    },
  };
}

const OWN = 'https://hallenladen.example/own.jpg';
const parent = (members: Row = {}): Row =>
  variableProduct(10, [11, 12], { name: 'Schuh', ...images(PHOTO), ...members });
const first = (members: Row = {}): Row =>
  variation(11, 10, '38', {
    description: 'Own',
    image: { src: OWN },
    date_modified_gmt: '2026-11-01T00:00:00',
    ...members,
  });

// A sync leaves alone what an item does not name.
it.each([
  ['storeStatus', { status: 'wc-archived' }, {}],
  ['storeStatus', {}, { status: 'wc-archived' }],
  ['description', {}, { description: { raw: 'Own' } }],
  ['sourceUpdatedAt', {}, { date_modified_gmt: {} }],
  ['imageUrls', {}, { image: OWN }],
  ['imageUrls', {}, { image: { url: OWN } }],
  ['imageUrls', {}, { image: [{ src: OWN }] }],
  ['handle', { slug: '100%' }, {}],
  ['handle', { slug: {} }, {}],
])(
  'A value that cannot be read of a product with variations is named, and is not that of the other: %s, %j, %j',
  async (...one) => {
    const [field, odd, oddVariation] = one;
    const store = await woocommerce();
    store.products = [parent(odd)];
    store.variations = [first(oddVariation), variation(12, 10, '39')];
    const { items, skipped } = await readStore(platform, store);
    expect(skipped).toContainEqual(expect.objectContaining({ key: '11', field, kind: 'problem' }));
    const [item = {}] = items;
    expect(item).toMatchObject({ storeVariantId: '11', priceCents: 9990 });
    const same = [field, ...(field === 'imageUrls' ? ['imageUrl'] : [])];
    for (const name of same) expect(Object.keys(item)).not.toContain(name);
  },
);

it('A handle that cannot be read is no other key: with --match handle, nothing is created or deleted in its place', async () => {
  const { store, command, report, products } = await connectedStore();
  const shelf = (slug: string): Row[] => [
    product(1, { name: 'Schraube', slug }),
    product(2),
    product(3),
  ];
  store.products = shelf('griff-1');
  await report();
  const before = await products();
  store.products = shelf('100%');
  const file = await command(['read', '--from', 'woocommerce', '--match', 'handle'], store);
  const piped = ['sync', '-', '--match', 'handle', '--delete', '--only', 'source=WOOCOMMERCE'];
  const { stdout } = await command([...piped, '--json'], { stdin: file.stdout });
  expect(JSON.parse(stdout)).toMatchObject({ created: 0, deleted: 0 });
  expect(await report(['--match', 'handle', '--delete'])).toMatchObject({
    created: 0,
    deleted: 0,
  });
  expect(await products()).toEqual(before);
});

const UNTYPED = { reason: 'it has no type that can be read', kind: 'problem' };

it.each([undefined, null, '', ' ', {}, 5])(
  'A product whose type cannot be read is a problem, and nothing that the service cannot hold: %j',
  async (type) => {
    const store = await woocommerce();
    store.products = [product(1, { type }), variableProduct(10, [11, 12], { type })];
    store.variations = [variation(11, 10, '38'), variation(12, 10, '39')];
    const { items, skipped, stays, doubts } = await readStore(platform, store);
    expect([items, doubts]).toEqual([[], []]);
    const keys = ['1', '10', '11', '12'];
    expect(skipped).toEqual(keys.map((key) => ({ key, ...UNTYPED })));
    expect(stays).toEqual(keys.map((value) => ({ field: 'storeVariantId', value })));
  },
);

it.each([undefined, null, '', {}])(
  'A coupon whose type cannot be read is a problem, and nothing that the service cannot hold: %j',
  async (type) => {
    const store = await woocommerce();
    store.coupons = [coupon(1, 'a', { discount_type: type }), coupon(2, 'b')];
    expect(await readStore(platform, store, CODES)).toMatchObject({
      items: [{ code: 'b' }],
      skipped: [{ key: 'a', ...UNTYPED }],
    });
  },
);

it('A variation needs no type that can be read', async () => {
  const store = await woocommerce();
  store.products = [variableProduct(10, [11])];
  store.variations = [variation(11, 10, '38', { type: null })];
  expect(await readStore(platform, store)).toMatchObject({ items: { length: 1 }, skipped: [] });
});

const named = { skipped: [{ key: 'A', field: 'active', reason: containing('it is') }] };

it.each([
  ['startsAt', {}],
  ['endsAt', ['soon']],
  ['endsAt', 'soon'],
])(
  'Whether a code is active is left out, and named, if its discount has an odd time: %s, %j',
  async (member, value) => {
    const shop = await StandIn.start();
    shop.showings = 0;
    const over = { endsAt: '2026-02-01T00:00:00Z' };
    shop.catalogue.discounts.splice(0, Infinity, percentage(0.1, [code('A')], over));
    const odd = { part: 0, member: `discount.${member}`, value };
    shop.faults.file = (lines) =>
      lines.map((line) => ('discount' in line ? withValue(line, odd) : line));
    const read = await readStore(shopify, shop, CODES);
    expect(read).toMatchObject(named);
    expect(Object.keys(read.items[0] ?? {})).not.toContain('active');
  },
);

it('Whether a code is active is left out, and named, if the status of its coupon is no text', async () => {
  const store = await woocommerce();
  store.coupons = [coupon(1, 'A', { status: {} })];
  const read = await readStore(platform, store, CODES);
  expect(read).toMatchObject(named);
  expect(Object.keys(read.items[0] ?? {})).not.toContain('active');
});

const EDITED = 'https://edited.example/a.jpg';
const EDITED_PRODUCT = {
  title: 'Edited',
  handle: 'edited',
  description: 'Edited',
  sku: 'EDITED',
  priceCents: 1,
  imageUrl: EDITED,
  imageUrls: [EDITED],
  storeStatus: 'UNLISTED',
  storeInventoryQuantity: 77,
  sourceUpdatedAt: '2020-01-01T00:00:00.000Z',
};
const EDITED_CODE = {
  description: 'Edited',
  discountPercent: 77,
  maxUses: 777,
  currentUses: 77,
};

const COMMON = {
  name: ['title'],
  description: ['description'],
  status: ['storeStatus'],
  sku: ['sku'],
  regular_price: ['priceCents', 'currencyCode'],
  sale_price: [],
  manage_stock: ['storeInventoryQuantity'],
  stock_quantity: ['storeInventoryQuantity'],
  stock_status: ['storeInventoryQuantity'],
  attributes: ['title', 'handle'],
  date_modified_gmt: ['sourceUpdatedAt'],
};
const PRODUCT = { ...COMMON, slug: ['handle'], images: ['imageUrl', 'imageUrls'], type: undefined };
const PARENT = {
  name: PRODUCT.name,
  slug: PRODUCT.slug,
  description: PRODUCT.description,
  status: PRODUCT.status,
  images: PRODUCT.images,
  attributes: PRODUCT.attributes,
  sku: [],
  regular_price: [],
  stock_quantity: [],
  date_modified_gmt: [],
  type: undefined,
  variations: undefined,
};
const OTHER_VARIATION = {
  name: [],
  status: [],
  regular_price: [],
  manage_stock: COMMON.manage_stock,
  stock_quantity: COMMON.stock_quantity,
  stock_status: COMMON.stock_status,
  image: [],
  date_modified_gmt: [],
};
const VARIATION = { ...COMMON, name: [], type: undefined, image: ['imageUrl', 'imageUrls'] };

/** A shop of WooCommerce with a product, one with two variations, and another one. */
async function startedShop(): Promise<OddStore> {
  const { store, client, report, products } = await connectedStore({ hasAllVariations: true });
  // The list of all variations lacks some, so those of a product are asked for.
  store.onRequest = ({ path }) =>
    path === '/variations'
      ? { headers: { 'X-WP-Total': '1' }, body: JSON.stringify(store.variations.slice(0, 1)) }
      : undefined;
  return {
    report,
    resources: products,
    edit: (id, fields) => client.products.update(id, fields),
    fill: (stock, odd) => {
      const rows = [
        product(1, { ...images(PHOTO), stock_quantity: stock }),
        variableProduct(10, [11, 12], { name: 'Schuh' }),
        variation(11, 10, '38', { stock_quantity: stock }),
        variation(12, 10, '39', { stock_quantity: stock }),
        product(20, { stock_quantity: stock }),
      ].map((row, part) => (part === odd?.part ? withValue(row, odd) : row));
      const isOfParent = ({ parent_id: parent }: Row): boolean => parent === 10;
      store.variations = rows.filter(isOfParent);
      store.products = rows.filter((row) => !isOfParent(row));
    },
  };
}

it.each<[string, OddKind['words'], OddKind['parts']]>([
  [
    'a product',
    [],
    [
      { keys: ['1'], members: PRODUCT },
      { keys: ['10', '11', '12'], members: PARENT },
      { keys: ['11'], members: VARIATION },
    ],
  ],
  [
    'another variation, with --variants first,',
    ['--variants', 'first'],
    [
      { keys: [], members: {} },
      { keys: [], members: {} },
      { keys: [], members: {} },
      { keys: ['11'], members: OTHER_VARIATION },
    ],
  ],
])('An odd value in WooCommerce costs that value: %s', async (_, words, parts) => {
  await expectOneOddValue({
    words,
    key: 'storeVariantId',
    edited: EDITED_PRODUCT,
    parts,
    start: startedShop,
  });
});

it('An odd value in a coupon of WooCommerce costs that value', async () => {
  const members = {
    amount: ['discountPercent'],
    status: ['active'],
    date_expires_gmt: ['active'],
    date_expires: ['active'],
    date_created_gmt: [],
    description: ['description'],
    usage_count: ['currentUses'],
    usage_limit: ['maxUses'],
    free_shipping: [],
    code: undefined,
    discount_type: undefined,
  };
  await expectOneOddValue({
    words: ['--collection', 'coupon-codes'],
    key: 'code',
    edited: EDITED_CODE,
    parts: [{ keys: ['a'], members }],
    start: async () => {
      const { store, client, report, codes } = await connectedStore();
      return {
        report,
        resources: codes,
        edit: (id, fields) => client.couponCodes.update(id, fields),
        fill: (uses, odd) => {
          store.coupons = ['a', 'b', 'c'].map((code, part) => {
            const row = coupon(part + 1, code, { usage_count: uses });
            return part === odd?.part ? withValue(row, odd) : row;
          });
        },
      };
    },
  });
});

/** A shop with a mug and with a shirt whose first variant has an image of its own. */
async function shopWithImages(): Promise<{ shop: StandIn; mug: ShopProduct; red: ShopVariant }> {
  const shop = await StandIn.start();
  shop.showings = 0;
  const mug = shopifyProduct('Mug', [onlyVariant()], { media: [image('1.jpg'), image('2.jpg')] });
  const own = image('red.jpg');
  const red = variant(['Red'], { media: [own] });
  const shirt = shopifyProduct('Shirt', [red, variant(['Blue'])], {
    media: [image('shirt.jpg'), own],
  });
  shop.catalogue.products.splice(0, Infinity, mug, shirt);
  return { shop, mug, red };
}

/** Gives this as the image of what belongs to a parent. */
function oddImage(shop: StandIn, parent: string, value: unknown): void {
  shop.faults.file = (lines) =>
    lines.map((line) => (line['__parentId'] === parent ? { ...line, image: value } : line));
}

it('The images of Shopify are left out, and named, if the shop counts more of them than it gives', async () => {
  const { shop, mug } = await shopWithImages();
  shop.faults.hidden = new Set(mug.media.slice(1).map(({ id }) => id));
  const { items, skipped } = await readStore(shopify, shop);
  const reason =
    'the shop counts 2 images and videos, and gives 1: look at those of the product in its admin';
  expect(skipped).toEqual([
    { key: mug.variants[0]?.id, field: 'imageUrls', reason, kind: 'problem' },
  ]);
  expect(items[0]).not.toHaveProperty('imageUrls');
  expect(items[0]).not.toHaveProperty('imageUrl');
});

const NO_IMAGE = containing('which is not an image with an address');

it.each([[5], [{}], [[]], [undefined], [{ url: 5 }]])(
  'The images of Shopify are left out, and named, if one of a product is odd: %j',
  async (value) => {
    const { shop, mug } = await shopWithImages();
    oddImage(shop, mug.id, value);
    const { items, skipped } = await readStore(shopify, shop);
    expect(skipped).toEqual([
      { key: mug.variants[0]?.id, field: 'imageUrls', reason: NO_IMAGE, kind: 'problem' },
    ]);
    expect(items[0]).not.toHaveProperty('imageUrls');
    expect(items[0]).not.toHaveProperty('imageUrl');
  },
);

it.each([[5], [{}], [[]], [undefined], [{ url: 5 }]])(
  'The images of Shopify are left out, and named, if that of a variant is odd: %j',
  async (value) => {
    const { shop, red } = await shopWithImages();
    oddImage(shop, red.id, value);
    const { items, skipped } = await readStore(shopify, shop);
    expect(skipped).toEqual([
      { key: red.id, field: 'imageUrl', reason: NO_IMAGE, kind: 'problem' },
    ]);
    expect(items[1]).toMatchObject({ storeVariantId: red.id });
    expect(items[1]).not.toHaveProperty('imageUrl');
    // One product has the images of the product.
    const first = { variants: 'first', match: 'storeProductId' } as const;
    expect(await readStore(shopify, shop, first)).toMatchObject({ skipped: [] });
  },
);

it('A medium of Shopify of a kind that is not known yet is no image, and changes nothing', async () => {
  const { shop, mug } = await shopWithImages();
  const hologram = { id: 'gid://shopify/Hologram/1' };
  shop.faults.file = (lines) => {
    shop.faults.end = { objectCount: String(lines.length + 1) };
    return lines
      .map((line) => (line['id'] === mug.id ? { ...line, mediaCount: { count: 3 } } : line))
      .concat({ ...hologram, __parentId: mug.id });
  };
  const nodes = [...mug.media, hologram];
  const media = { nodes, pageInfo: { hasNextPage: false, endCursor: null } };
  shop.faults.answer = ({ name }) =>
    name === 'Media' ? { status: 200, body: { data: { node: { media } } } } : undefined;
  const { items, skipped } = await readStore(shopify, shop);
  expect([items[0]?.['imageUrls'], skipped]).toEqual([
    ['https://cdn.example/1.jpg', 'https://cdn.example/2.jpg'],
    [],
  ]);
});

it('An image of Shopify that it still works on is none yet', async () => {
  const { shop, red } = await shopWithImages();
  oddImage(shop, red.id, null);
  const { items, skipped } = await readStore(shopify, shop);
  expect([items[1]?.['imageUrl'], skipped]).toEqual(['https://cdn.example/shirt.jpg', []]);
});

/** Fills a shop of Shopify, whose answers have the odd value: its own schema allows none. @param ids those of the parts */
function filledShop({ shop }: ShopAndBrand, ids: readonly string[], odd: Oddity | undefined): void {
  shop.showings = 0;
  shop.faults.file = (lines) =>
    lines.map((line) =>
      odd !== undefined && line['id'] === ids[odd.part] ? withValue(line, odd) : line,
    );
}

it('An odd value in a product or a variant of Shopify costs that value', async () => {
  const gid = (type: string, number: number): string => `gid://shopify/${type}/${number}`;
  const variantOf = (
    number: number,
    values: readonly string[],
    stock: number,
    special: object = {},
  ): ShopVariant =>
    variant(values, {
      id: gid('ProductVariant', number),
      sku: `S-${number}`,
      inventoryQuantity: stock,
      ...special,
    });
  const mediaOf = (number: number): Row[] => [
    { __typename: 'MediaImage', id: gid('MediaImage', number), image: { url: PHOTO } },
  ];
  const PRODUCT_NODE = {
    title: ['title'],
    handle: ['handle'],
    descriptionHtml: ['description'],
    status: ['storeStatus'],
    updatedAt: ['sourceUpdatedAt'],
    hasOnlyDefaultVariant: ['title', 'handle'],
    variantsCount: [],
    mediaCount: ['imageUrl', 'imageUrls'],
    featuredMedia: ['imageUrl', 'imageUrls'],
  };
  const VARIANT_NODE = {
    position: [],
    sku: ['sku'],
    price: ['priceCents', 'currencyCode'],
    compareAtPrice: [],
    inventoryQuantity: ['storeInventoryQuantity'],
    inventoryItem: ['storeInventoryQuantity'],
    selectedOptions: ['title', 'handle'],
  };
  const mug = gid('ProductVariant', 11);
  const [small, large] = [gid('ProductVariant', 21), gid('ProductVariant', 22)];
  const parts = [
    [gid('Product', 1), { keys: [mug], members: PRODUCT_NODE }],
    [gid('Product', 2), { keys: [small, large], members: PRODUCT_NODE }],
    [mug, { keys: [mug], members: VARIANT_NODE }],
    [small, { keys: [small], members: VARIANT_NODE }],
    [gid('MediaImage', 1), { keys: [mug], members: { image: ['imageUrl', 'imageUrls'] } }],
    [gid('MediaImage', 2), { keys: [small], members: { image: ['imageUrl'] } }],
  ] as const;
  await expectOneOddValue({
    words: [],
    key: 'storeVariantId',
    edited: EDITED_PRODUCT,
    parts: parts.map(([, part]) => part),
    start: async () => {
      const started = await shopAndBrand();
      const { products } = started.shop.catalogue;
      return {
        report: started.report,
        resources: started.products,
        edit: (id, fields) => started.client.products.update(id, fields),
        fill: (stock, odd) => {
          const own = { media: mediaOf(2) };
          const all = [
            shopifyProduct('Mug', [variantOf(11, ['Default Title'], stock)], {
              id: gid('Product', 1),
              media: mediaOf(1),
            }),
            shopifyProduct('Tee', [variantOf(21, ['S'], stock, own), variantOf(22, ['L'], stock)], {
              id: gid('Product', 2),
            }),
            shopifyProduct('Cap', [variantOf(31, ['Default Title'], stock)], {
              id: gid('Product', 3),
            }),
          ];
          products.splice(0, Infinity, ...all);
          filledShop(
            started,
            parts.map(([id]) => id),
            odd,
          );
        },
      };
    },
  });
});

it('An odd value in a discount of Shopify costs that value', async () => {
  const gid = (type: string, number: number): string => `gid://shopify/${type}/${number}`;
  const parts = [
    [
      gid('DiscountNode', 1),
      {
        keys: ['TEAM-A', 'TEAM-B'],
        members: {
          'discount.title': ['description'],
          'discount.status': ['active'],
          'discount.startsAt': ['active'],
          'discount.endsAt': ['active'],
          'discount.usageLimit': ['maxUses'],
          'discount.customerGets': ['discountPercent'],
          'discount.customerGets.value': ['discountPercent'],
          'discount.customerGets.value.percentage': ['discountPercent'],
          'discount.codesCount': [],
          'discount.__typename': undefined,
        },
      },
    ],
    [
      gid('DiscountRedeemCode', 1),
      { keys: ['TEAM-A'], members: { asyncUsageCount: ['currentUses'], code: undefined } },
    ],
  ] as const;
  await expectOneOddValue({
    words: ['--collection', 'coupon-codes'],
    key: 'code',
    edited: EDITED_CODE,
    parts: parts.map(([, part]) => part),
    start: async () => {
      const started = await shopAndBrand();
      const { discounts } = started.shop.catalogue;
      return {
        report: started.report,
        resources: started.codes,
        edit: (id, fields) => started.client.couponCodes.update(id, fields),
        fill: (uses, odd) => {
          const codes = ['TEAM-A', 'TEAM-B', 'SOLO'].map((text, index) => ({
            ...code(text, uses),
            id: gid('DiscountRedeemCode', index + 1),
          }));
          const all = [percentage(0.1, codes.slice(0, 2)), percentage(0.2, codes.slice(2))];
          discounts.splice(
            0,
            Infinity,
            ...all.map((one, index) => ({ ...one, id: gid('DiscountNode', index + 1) })),
          );
          filledShop(
            started,
            parts.map(([id]) => id),
            odd,
          );
        },
      };
    },
  });
});
