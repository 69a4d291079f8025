import { expect, it } from 'vitest';
import { readItems as read } from './read-items.ts';
import { coupon, product, variableProduct, variation } from './woocommerce-stand-in.ts';

const SHOE = variableProduct(25, [27, 28]);
const VARIATIONS = [variation(27, 25, '38'), variation(28, 25, '39')];
const WITHOUT_PARENT = VARIATIONS.map(({ parent_id: _, ...rest }) => rest);

const FORMS: readonly (readonly [name: string, content: string])[] = [
  ['in the list of the products', JSON.stringify([product(1), SHOE, ...VARIATIONS])],
  ['before their products', JSON.stringify([...VARIATIONS, product(1), SHOE])],
  ['in a second list', JSON.stringify([product(1), SHOE]) + JSON.stringify(VARIATIONS)],
  [
    'in a second list, on lines of their own',
    `${JSON.stringify([product(1), SHOE], null, 2)}\n${JSON.stringify(VARIATIONS, null, 2)}\n`,
  ],
  [
    'in a second list of a document',
    JSON.stringify({ products: [product(1), SHOE], variations: VARIATIONS }),
  ],
  ['in place of their ids', JSON.stringify([product(1), { ...SHOE, variations: WITHOUT_PARENT }])],
  [
    'without their product, which names them',
    JSON.stringify([product(1), SHOE, ...WITHOUT_PARENT]),
  ],
  ['on lines', [product(1), SHOE, ...VARIATIONS].map((one) => `${JSON.stringify(one)}\n`).join('')],
];

it.each(FORMS)(
  'A JSON file of WooCommerce may have variations in each form: %s',
  async (_, content) => {
    const { items, stderr, code } = await read(content);

    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(items).toMatchObject([
      { title: 'Griff 1', storeProductId: '1', storeVariantId: '1', priceCents: 850 },
      { title: 'Kletterschuh 25 - 38', storeProductId: '25', storeVariantId: '27', sku: 'HN-V-27' },
      { title: 'Kletterschuh 25 - 39', storeProductId: '25', storeVariantId: '28', sku: 'HN-V-28' },
    ]);
  },
);

it.each([[[27, 28]], [{ 0: 27, 2: 28 }]])(
  'A JSON file of WooCommerce keeps variations that are missing, and says how to get them: %j',
  async (variations) => {
    const shoe = { ...SHOE, variations };
    const { items, stderr, code } = await read(JSON.stringify([shoe, variation(27, 25, '38')]));

    expect(items).toMatchObject([{ title: 'Kletterschuh 25 - 38' }, { storeVariantId: '28' }]);
    expect(Object.keys(items[1] ?? {})).toEqual(['storeVariantId']);
    expect(stderr).toMatch(
      /skipped: 28: .*\/products\/25\/variations\?per_page=100.*wp wc product_variation list 25/,
    );
    expect(code).toBe(1);
  },
);

it('A JSON file of WooCommerce says that a variation has no product', async () => {
  const { stderr, code } = await read(JSON.stringify([product(1), variation(27, 25, '38')]));

  expect(stderr).toMatch(/27: its product 25 is not in the list/);
  expect(code).toBe(1);
});

it('A JSON file of WooCommerce keeps the variations of a product of another type', async () => {
  const shoe = { ...SHOE, type: 'variable-subscription' };
  const { items, stderr, code } = await read(JSON.stringify([shoe, product(1)]));

  const keys = ['25', '27', '28'];
  expect(items.slice(1)).toEqual(keys.map((storeVariantId) => ({ storeVariantId })));
  expect(stderr).toContain('unsupported: 27: its type is "variable-subscription"');
  expect(code).toBe(0);
});

it('A JSON file of WooCommerce has the currency of --currency', async () => {
  const { items } = await read(
    JSON.stringify([product(1, { regular_price: '1234.5' })]),
    '--currency',
    'EUR',
  );

  expect(items).toMatchObject([{ priceCents: 123_450, currencyCode: 'EUR' }]);
});

it('A JSON file of WooCommerce may have coupons', async () => {
  const { items } = await read(
    JSON.stringify([
      coupon(1, 'herbst10', { amount: '7.50', usage_limit: 3 }),
      coupon(2, 'alt', { date_expires_gmt: '2025-01-01T00:00:00' }),
    ]),
    '--collection',
    'coupon-codes',
  );

  expect(items).toEqual([
    {
      code: 'herbst10',
      discountPercent: 7.5,
      active: true,
      maxUses: 3,
      currentUses: 2,
      storeDiscountId: '1',
      description: '',
    },
    {
      code: 'alt',
      discountPercent: 10,
      active: false,
      maxUses: null,
      currentUses: 2,
      storeDiscountId: '2',
      description: '',
    },
  ]);
});

const newer = { amount: '15.00', date_created_gmt: '2026-01-02T10:00:00' };

it.each([
  ['the newer one', [coupon(20, 'Welcome', newer), coupon(10, 'welcome')], 20, 10],
  ['the one with the higher id', [coupon(10, 'welcome'), coupon(9, 'welcome')], 10, 9],
  [
    'the one that is published',
    [coupon(10, 'welcome'), coupon(20, 'welcome', { ...newer, status: 'draft' })],
    10,
    20,
  ],
])(
  'A JSON file of WooCommerce may have coupons with one code, of which customers get one: %s',
  async (_, list, used, other) => {
    const words = ['--collection', 'coupon-codes'];
    const { items, stderr, code } = await read(JSON.stringify(list), ...words);
    expect(items).toMatchObject([{ storeDiscountId: String(used) }]);
    expect(stderr).toMatch(
      new RegExp(`^unsupported: [Ww]elcome: coupon ${String(used)} has the same code`),
    );
    expect(stderr).not.toContain(`coupon ${String(other)}`);
    expect(code).toBe(0);
  },
);

it('A JSON file of WooCommerce names a variation once that also stands among the products', async () => {
  const list = [variableProduct(100, [101]), variation(101, 100, 'S'), variation(101, 100, 'S')];
  const { items, code } = await read(JSON.stringify(list));
  expect(items).toMatchObject([{ storeVariantId: '101' }]);
  expect(code).toBe(0);
});

it.each([
  ['text', { stock_quantity: '7' }, 7],
  ['text of a plugin', { manage_stock: 'yes', stock_quantity: '3.0000' }, 3],
  ['parts', { stock_quantity: 2.5 }, 2],
  ['parts below zero', { stock_quantity: '-0.5' }, -1],
  ['no number', { stock_quantity: '' }, undefined],
  ['nothing, and in stock', { manage_stock: 'no', stock_status: 'instock' }, undefined],
  ['nothing, and out of stock', { manage_stock: false, stock_status: 'outofstock' }, 0],
])(
  'A JSON file of WooCommerce may have a stock in each form: %s',
  async (what, members, quantity) => {
    const one = product(1, { name: 'Mug', manage_stock: true, ...members });
    const { items, stderr } = await read(JSON.stringify([one]));
    expect(items).toMatchObject([{ title: 'Mug' }]);
    expect(items[0]?.['storeInventoryQuantity']).toBe(quantity);
    if (what === 'no number') {
      expect(stderr).toBe('skipped: 1: storeInventoryQuantity: it is "", which is not a number\n');
    }
  },
);

it.each([
  ['name', { x: 1 }, 'title'],
  ['slug', '%E0%A4%A', 'handle'],
  ['description', 5.5, undefined],
  ['description', ['a'], 'description'],
  ['status', 'hidden', 'storeStatus'],
  ['sku', { x: 1 }, 'sku'],
  ['regular_price', [1], 'priceCents'],
  ['regular_price', '-1', 'priceCents'],
  ['stock_quantity', 'many', 'storeInventoryQuantity'],
  ['images', 'photo', 'imageUrls'],
  ['images', [{ src: 7 }, 'x'], 'imageUrls'],
  ['date_modified_gmt', false, 'sourceUpdatedAt'],
  ['date_modified_gmt', '-0001-11-30T00:00:00', 'sourceUpdatedAt'],
])(
  'A JSON file of WooCommerce may have an odd value, which costs that value: %s, %j',
  async (member, value, field) => {
    const usual = product(1, { name: 'Mug', manage_stock: true, stock_quantity: 3 });
    const expected = await read(JSON.stringify([usual]));
    const { items, stderr } = await read(JSON.stringify([{ ...usual, [member]: value }]));
    const together: Readonly<Record<string, readonly string[]>> = {
      priceCents: ['priceCents', 'currencyCode'],
      imageUrls: ['imageUrls', 'imageUrl'],
      undefined: ['description'],
    };
    const without = (item: Readonly<Record<string, unknown>> = {}): unknown =>
      Object.entries(item).filter(([name]) => {
        const odd = together[String(field)] ?? [field];
        return !odd.includes(name);
      });
    expect(without(items[0])).toEqual(without(expected.items[0]));
    expect(stderr).toMatch(field === undefined ? /^$/ : new RegExp(`^skipped: 1: ${field}: `));
  },
);

it('A JSON file of WooCommerce shows a date that is none', async () => {
  const { stderr } = await read(
    JSON.stringify([product(1, { date_modified_gmt: '-0001-11-30T00:00:00' })]),
  );
  expect(stderr).toContain(
    'skipped: 1: sourceUpdatedAt: it is "-0001-11-30T00:00:00", which is not a time',
  );
});

it.each([
  [
    'an error',
    { code: 'woocommerce_rest_cannot_view', message: 'Nein', data: { status: 401 } },
    /answer of a WordPress with an error/,
  ],
  [
    'the Store API',
    [{ id: 1, name: 'A', prices: { regular_price: '850' }, is_purchasable: true }],
    /Store API.*\/wp-json\/wc\/v3\/products/,
  ],
  [
    'posts',
    [{ id: 1, title: { rendered: 'A' }, guid: {}, type: 'product', link: '' }],
    /posts of WordPress/,
  ],
  [
    'products without prices',
    [{ id: 1, name: 'A', slug: 'a', stock_status: 'instock' }],
    /without regular_price/,
  ],
])('A JSON file of WooCommerce that is something else is named: %s', async (_, value, says) => {
  const { items, stderr, code } = await read(JSON.stringify(value));

  expect(stderr).toMatch(says);
  expect(code).toBe(1);
  expect(items).toEqual([]);
});
