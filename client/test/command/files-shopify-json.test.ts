import { expect, it } from 'vitest';
import { readItems as read } from './read-items.ts';

function lines(objects: readonly object[]): string {
  return objects.map((one) => `${JSON.stringify(one)}\n`).join('');
}

const TEE = 'gid://shopify/Product/1';
const SMALL = 'gid://shopify/ProductVariant/2';
const LARGE = 'gid://shopify/ProductVariant/3';
const MUG = 'gid://shopify/Product/4';

const BULK = [
  { id: TEE, title: 'Tee', handle: 'tee', status: 'ACTIVE', descriptionHtml: '<p>x</p>' },
  { id: SMALL, title: 'S', sku: 'T-S', price: '10.00', inventoryQuantity: 3, __parentId: TEE },
  { id: LARGE, title: 'L', sku: '', price: '11.00', compareAtPrice: '15.00', __parentId: TEE },
  { id: MUG, title: 'Mug & Saucer', handle: 'mug', status: 'UNLISTED' },
  {
    id: 'gid://shopify/ProductVariant/5',
    title: 'Default Title',
    price: '8.50',
    inventoryQuantity: 4,
    inventoryItem: { tracked: false },
    __parentId: MUG,
  },
  { id: 'gid://shopify/MediaImage/6', image: { url: 'https://x.example/1.jpg' }, __parentId: TEE },
  { image: { url: 'https://x.example/2.jpg' }, __parentId: LARGE },
  { namespace: 'custom', key: 'color', __parentId: TEE },
];

const OF_BULK = [
  {
    title: 'Tee - S',
    handle: 'tee-s',
    storeProductId: TEE,
    storeVariantId: SMALL,
    sku: 'T-S',
    priceCents: 1000,
    storeInventoryQuantity: 3,
    storeStatus: 'ACTIVE',
    description: '<p>x</p>',
    imageUrls: ['https://x.example/1.jpg'],
    imageUrl: 'https://x.example/1.jpg',
    source: 'SHOPIFY',
    currencyCode: 'EUR',
  },
  { title: 'Tee - L', sku: null, priceCents: 1100, imageUrl: 'https://x.example/2.jpg' },
  { title: 'Mug & Saucer', handle: 'mug', storeStatus: 'UNLISTED', imageUrls: [], imageUrl: null },
];

const [tee, small, large] = BULK;

// That they may come in any order, with their members in any order, is proved with random catalogues.
it('The lines of a bulk operation are read', async () => {
  const { items, stderr, code } = await read(lines(BULK), '--currency', 'EUR');
  expect(code).toBe(0);
  expect(stderr).not.toContain('error');
  expect(items).toMatchObject(OF_BULK);
  expect(items.find(({ handle }) => handle === 'mug')).not.toHaveProperty('storeInventoryQuantity');
});

it('The lines of a bulk operation leave out what nobody asked for', async () => {
  const { items } = await read(lines(BULK.slice(0, 2)));
  for (const field of ['imageUrls', 'imageUrl', 'sourceUpdatedAt']) {
    expect(items[0]).not.toHaveProperty(field);
  }
});

it.each([
  // Shopify could not read it, or has not yet.
  { __typename: 'MediaImage', image: null },
  ...['Video', 'ExternalVideo', 'Model3d'].map((type) => ({ id: `gid://shopify/${type}/7` })),
])('The lines of a bulk operation have only images that there are: %j', async (other) => {
  const counted = { ...tee, mediaCount: { count: 2 } };
  const [image] = BULK.filter((one) => 'image' in one);
  const media = [
    { ...other, __parentId: TEE },
    { ...image, __parentId: TEE },
  ];
  const { items, code } = await read(lines([counted, ...BULK.slice(1, 3), ...media]));
  expect(items).toMatchObject(
    Array.from({ length: 2 }, () => ({ imageUrls: ['https://x.example/1.jpg'] })),
  );
  expect(code).toBe(0);
});

it.each([
  { id: 'gid://shopify/ProductImage/6', originalSrc: 'https://x.example/1.jpg' },
  { id: 'gid://shopify/ImageSource/6', url: 'https://x.example/1.jpg' },
])('The lines of a bulk operation have images of the older kinds: %j', async (image) => {
  const { items } = await read(lines([...BULK.slice(0, 2), { ...image, __parentId: TEE }]));
  expect(items).toMatchObject([{ imageUrls: ['https://x.example/1.jpg'] }]);
});

it('The lines of a bulk operation leave the images of products alone if only those of variants are there', async () => {
  const image = { image: { url: 'https://x.example/2.jpg' }, __parentId: LARGE };
  const { items } = await read(lines([...BULK.slice(0, 3), image]));
  expect(items.map((one) => one['imageUrl'])).toEqual([undefined, 'https://x.example/2.jpg']);
  for (const one of items) expect(one).not.toHaveProperty('imageUrls');
});

it('The lines of a bulk operation have no options if the only variant is the default one, whatever its name', async () => {
  const mug = { id: MUG, title: 'Mug', handle: 'mug', hasOnlyDefaultVariant: true };
  const only = { id: SMALL, title: 'Standard', price: '1.00', __parentId: MUG };
  const { items } = await read(lines([mug, only]));
  expect(items).toMatchObject([{ title: 'Mug', handle: 'mug' }]);
});

it('The lines of a bulk operation keep the title and handle of a variant with an option that cannot be read', async () => {
  const odd = { ...small, selectedOptions: [{ value: 'S' }, 7] };
  const { items, stderr, code } = await read(lines([tee ?? {}, odd, large ?? {}]));
  expect(items).toMatchObject([{ sku: 'T-S' }, { title: 'Tee - L' }]);
  expect(items[0]).not.toHaveProperty('title');
  expect(items[0]).not.toHaveProperty('handle');
  expect(stderr).toContain('title: an option of the variant cannot be read');
  expect(code).toBe(1);
});

it('The lines of a bulk operation keep a variant whose product is not there', async () => {
  const { items, stderr, code } = await read(lines(BULK.slice(1, 2)));
  expect(items).toEqual([{ storeVariantId: SMALL }]);
  expect(stderr).toContain('its product is not in the source');
  expect(code).toBe(1);
});

it('The lines of a bulk operation are doubtful if a product has no variants, or fewer than Shopify counts', async () => {
  const { stderr } = await read(lines([{ ...tee, variantsCount: { count: 3 } }, small ?? {}]));
  expect(stderr).toContain('Only 1 of 3 variants of product 1 are in the source.');
  expect((await read(lines([tee ?? {}]))).stderr).toContain('no storeVariantId');
});

it('The lines of a bulk operation may be discounts, with their codes', async () => {
  const id = 'gid://shopify/DiscountCodeNode/7';
  const value = { percentage: 0.07 };
  const discount = { title: 'Seven', status: 'ACTIVE', customerGets: { value } };
  const bxgy = { __typename: 'DiscountCodeBxgy', title: 'One free' };
  const content = lines([
    { code: 'SEVEN-B', asyncUsageCount: 2, __parentId: id },
    { id, codeDiscount: { ...discount, usageLimit: null } },
    { code: 'SEVEN-A', asyncUsageCount: 1, __parentId: id },
    { id: 'gid://shopify/DiscountCodeNode/8', codeDiscount: bxgy },
    { code: 'FREE', __parentId: 'gid://shopify/DiscountCodeNode/8' },
    { id: 'gid://shopify/DiscountAutomaticNode/9', discount: { title: 'No code' } },
  ]);
  const { items, stderr, code } = await read(content, '--collection', 'coupon-codes');
  const common = { discountPercent: 7, active: true, maxUses: null, storeDiscountId: id };
  expect(items).toEqual([
    { ...common, code: 'SEVEN-B', currentUses: 2, description: 'Seven' },
    { ...common, code: 'SEVEN-A', currentUses: 1, description: 'Seven' },
    { code: 'FREE' },
  ]);
  expect(stderr).toContain('it is Buy X Get Y');
  expect(code).toBe(0);
});

const REST = [
  {
    id: 8139883446580,
    title: 'Mug',
    body_html: null,
    handle: 'mug',
    status: 'active',
    variants: [
      {
        id: 44520729444660,
        title: 'Default Title',
        option1: 'Default Title',
        price: '8.50',
        sku: 'MUG',
        compare_at_price: null,
        inventory_quantity: 4,
        inventory_management: 'shopify',
      },
    ],
    images: [
      { src: 'https://x.example/2.jpg', position: 2, id: 2 },
      { src: 'https://x.example/1.jpg', position: 1, id: 1 },
    ],
  },
  {
    id: 2,
    title: 'Shirt',
    published_at: null,
    variants: [
      {
        id: 21,
        option1: 'S',
        option2: 'Red',
        price: '1.00',
        inventory_management: null,
        inventory_quantity: 0,
      },
      { id: 22, option1: 'S', option2: 'Blue', price: 2, image_id: 9, inventory_quantity: -1 },
    ],
    images: [
      { src: 'https://x.example/s.jpg', id: 8 },
      { src: 'https://x.example/b.jpg', id: 9 },
    ],
  },
];

it.each<[string, string]>([
  ['bare', JSON.stringify(REST)],
  ['in an object', JSON.stringify({ products: REST })],
  ['in two pages', lines(REST.map((one) => ({ products: [one] })))],
  ['on lines', lines(REST)],
])(
  'A list of the REST API is read in each form, and its numbers become ids of Shopify: %s',
  async (_, content) => {
    // Two pages of one length may have a third one.
    const { items, code } = await read(content, '--whole');
    expect(code).toBe(0);
    expect(items).toMatchObject([
      {
        title: 'Mug',
        handle: 'mug',
        description: '',
        sku: 'MUG',
        priceCents: 850,
        storeProductId: 'gid://shopify/Product/8139883446580',
        storeVariantId: 'gid://shopify/ProductVariant/44520729444660',
        storeInventoryQuantity: 4,
        storeStatus: 'ACTIVE',
        imageUrls: ['https://x.example/1.jpg', 'https://x.example/2.jpg'],
      },
      { title: 'Shirt - S / Red', storeStatus: 'DRAFT', imageUrl: 'https://x.example/s.jpg' },
      {
        title: 'Shirt - S / Blue',
        priceCents: 200,
        storeInventoryQuantity: -1,
        imageUrl: 'https://x.example/b.jpg',
      },
    ]);
    // The store does not count it.
    expect(items[1]).not.toHaveProperty('storeInventoryQuantity');
  },
);

it.each([{}, { handle: ' ' }])(
  'A list of the REST API has the handle of a product, or none: %j',
  async (handle) => {
    const { items } = await read(JSON.stringify([{ ...REST[1], ...handle }]));
    expect(items).toHaveLength(2);
    for (const item of items) expect(item).not.toHaveProperty('handle');
  },
);

it('A list of the REST API keeps images of which one cannot be read', async () => {
  const [, shirt] = REST;
  const odd = { ...shirt, images: [...(shirt?.images ?? []).slice(0, 1), { id: 9, src: {} }] };
  const { items, stderr, code } = await read(JSON.stringify([odd]));
  for (const item of items) expect(item).not.toHaveProperty('imageUrls');
  expect(items[1]).not.toHaveProperty('imageUrl');
  for (const field of ['imageUrls', 'imageUrl']) {
    expect(stderr).toContain(`${field}: it is {"id":9,"src":{}}`);
  }
  expect(code).toBe(1);
});

it('A list of the REST API keeps the image of a variant that names none of its product', async () => {
  const [, shirt] = REST;
  const images = shirt?.images.slice(0, 1);
  const { items, stderr, code } = await read(JSON.stringify([{ ...shirt, images }]));
  expect(items).toMatchObject([{ imageUrl: 'https://x.example/s.jpg' }, { priceCents: 200 }]);
  expect(items[1]).not.toHaveProperty('imageUrl');
  expect(stderr).toContain('imageUrl: it is {"image_id":9}, which is not an image with an address');
  expect(code).toBe(1);
});

it('A list of the REST API names images by numbers or by texts', async () => {
  const content = JSON.stringify(REST).replace('"image_id":9', '"image_id":"9"');
  expect((await read(content)).items[2]).toMatchObject({ imageUrl: 'https://x.example/b.jpg' });
});

it('A list of the REST API keeps nothing of an id that is no exact number', async () => {
  const content = JSON.stringify(REST).replace('8139883446580', '81398834465801234567');
  const { items, stderr, code } = await read(content);
  expect(items).toContainEqual({
    storeVariantId: 'gid://shopify/ProductVariant/44520729444660',
  });
  expect(stderr).toContain('its id is a number that is not exact');
  expect(code).toBe(1);
});

it.each<[string, object, RegExp]>([
  [
    'an answer of GraphQL',
    { data: { products: { nodes: [] } }, extensions: { cost: {} } },
    /one answer of Shopify's GraphQL API.* Use the JSON lines of a bulk operation/,
  ],
  [
    'price rules',
    { price_rules: [{ id: 1, value_type: 'percentage', value: '-10.0' }] },
    /price rules of Shopify's REST API\. Use --from shopify --collection coupon-codes/,
  ],
  [
    'codes',
    { discount_codes: [{ id: 1, price_rule_id: 2, code: 'A' }] },
    /codes of Shopify's REST/,
  ],
  ['orders', { orders: [{ id: 1 }] }, /orders of Shopify/],
  [
    'a bulk operation of something else',
    { id: 'gid://shopify/Order/1', name: '#1001' },
    /objects of Shopify of the type Order\. Use the JSON lines of a bulk operation/,
  ],
])('A file of Shopify that is read by mistake is named: %s', async (_, file, sentence) => {
  const { items, stderr, code } = await read(JSON.stringify(file));
  expect([items, code]).toEqual([[], 1]);
  expect(stderr).toMatch(sentence);
});

it('A bulk operation of discounts that did not ask for their codes says so', async () => {
  const customerGets = { value: { __typename: 'DiscountPercentage', percentage: 0.1 } };
  const codeDiscount = { __typename: 'DiscountCodeBasic', title: 'Ten', customerGets };
  const file = lines([{ id: 'gid://shopify/DiscountCodeNode/1', codeDiscount }]);
  const { items, stderr, code } = await read(file, '--collection', 'coupon-codes');
  expect([items, code]).toEqual([[{}], 1]);
  expect(stderr).toContain('The codes of discount 1 are not in the source.');
});
