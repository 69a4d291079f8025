import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { contentOf } from '../../src/stores/content.ts';
import type {
  StoreContent,
  StoreDiscount,
  StoreProduct,
  StoreVariant,
} from '../../src/stores/store-product.ts';
import { products } from '../../../src/resources/products.ts';
import { Failure } from '../../../common/failure.ts';
import { shopify } from '../../src/stores/shopify/store.ts';
import type { ReadOptions } from '../../src/stores/source.ts';
import type { ContentSaid } from './content-said.ts';
import { said } from './content-said.ts';
import type { Store } from '../../src/stores/store.ts';
import { woocommerce } from '../../src/stores/woocommerce/store.ts';

const variant: StoreVariant = {
  place: 'variant 2',
  id: '2',
  sku: 'S',
  options: [],
  price: '8.50',
  hasOtherPrice: false,
};

const product: StoreProduct = {
  place: 'product 1',
  id: '1',
  handle: 'mug',
  title: 'Mug',
  variants: [variant],
};

/** Makes items of one product of a store. */
/** How a store is read, and what else it has. */
interface Reading extends Partial<ReadOptions>, Pick<Partial<StoreContent>, 'matches'> {
  readonly store?: Store;
}

function itemsOf(members: Partial<StoreProduct>, options: Reading = {}): ContentSaid {
  return storeOf([{ ...product, ...members }], options);
}

function storeOf(
  all: readonly StoreProduct[],
  { store = shopify, ...options }: Reading = {},
): ContentSaid {
  const content = { discounts: [], doubts: [], notes: [], ...options, currency: undefined };
  return said(
    contentOf(
      { store, content: { ...content, products: all } },
      { collection: 'products', ...options },
    ),
  );
}

function variants(...all: readonly Partial<StoreVariant>[]): Pick<StoreProduct, 'variants'> {
  return {
    variants: all.map((one, index) => ({
      ...variant,
      place: `variant ${index + 2}`,
      id: String(index + 2),
      ...one,
    })),
  };
}

it('An item of a store has what the source has, and no field more', () => {
  const { items, ...rest } = itemsOf({});
  expect(items).toEqual([
    {
      title: 'Mug',
      handle: 'mug',
      sku: 'S',
      storeVariantId: '2',
      storeProductId: '1',
      currencyCode: 'USD',
      source: 'SHOPIFY',
      priceCents: 850,
    },
  ]);
  expect(rest).toEqual({
    format: 'shopify',
    isOfStore: true,
    places: ['variant 2'],
    skipped: [],
    stays: [],
    doubts: [],
    notes: [],
    match: 'storeVariantId',
    source: 'SHOPIFY',
  });
  for (const item of items) expect(z.safeParse(products.patchBody, item).error).toBeUndefined();
});

it.each([
  ['A &amp; <i>B</i>', 'A & B', 'a-b'],
  ['Fish &amp;amp; Chips', 'Fish &amp; Chips', 'fish-amp-chips'],
  ['&lt;b&gt; is bold', '<b> is bold', 'b-is-bold'],
  ['I <3 you, 5 < 6 > 2', 'I <3 you, 5 < 6 > 2', 'i-3-you-5-6-2'],
  ['3&times; M&M &copy', '3× M&M &copy', '3-m-m-copy'],
  ['Caf&eacute;\u0000 &#8211;\u0007 &#39;x&#039;', "Café – 'x'", 'cafe-x'],
  ['two\r\nlines\tand\u00a0more', 'two lines and\u00a0more', 'two-lines-and-more'],
  ['Cable <USB-C> to <b class="x">HDMI</b>', 'Cable <USB-C> to HDMI', 'cable-usb-c-to-hdmi'],
])(
  'An item of a store has a title without markup, if titles are HTML: %j',
  (written, title, handle) => {
    const { items } = itemsOf({ title: written, handle: '' }, { store: woocommerce, match: 'sku' });
    expect(items).toMatchObject([{ title, handle }]);
  },
);

it.each(['T-Shirt <Basic>', 'A &amp; <i>B</i>', 'Jeans <W32>'])(
  'An item of a store has the title of Shopify as it is: %j',
  (title) => {
    const { items } = itemsOf({ title, ...variants({ options: ['<S>'] }, { options: ['M'] }) });
    expect(items).toMatchObject([{ title: `${title} - <S>` }, { title: `${title} - M` }]);
  },
);

it('An item of a store keeps the HTML of descriptions, and counts the control characters that it removes', () => {
  const { items, notes } = itemsOf({
    title: 'M\u0000ug',
    description: ' <p>A &amp; B</p>\u0003\n',
    ...variants({ options: ['S'] }, { options: ['M'] }),
  });
  expect(items.map(({ description }) => description)).toEqual(Array(2).fill('<p>A &amp; B</p>'));
  // Those of the product count once, however many variants it has.
  expect(notes).toEqual(['2 control characters were removed.']);
});

it.each([
  ['ACTIVE', 'DRAFT', 'DRAFT'],
  ['ACTIVE', undefined, 'ACTIVE'],
  ['DRAFT', 'ACTIVE', 'DRAFT'],
  ['ARCHIVED', undefined, 'ARCHIVED'],
  ['UNLISTED', 'ACTIVE', 'UNLISTED'],
  [undefined, 'ACTIVE', undefined],
  [undefined, undefined, undefined],
] as const)(
  'An item of a store is at most as active as its product: a product that is %s, a variant that is %s',
  (status, own, expected) => {
    const { items } = itemsOf({ status, ...variants({ status: own }) });
    expect(items.map(({ storeStatus }) => storeStatus)).toEqual([expected]);
  },
);

it('An item of a store has the images of its variant, or that of its variant among those of its product', () => {
  const imageUrls = ['https://x.example/1.jpg', 'https://x.example/2.jpg'];
  const [second] = imageUrls.slice(1);
  const { items } = itemsOf({
    imageUrls,
    ...variants({}, { imageUrl: second }, { imageUrls: ['https://x.example/own.jpg'] }),
  });
  expect(items.map(({ imageUrl }) => imageUrl)).toEqual([
    imageUrls[0],
    second,
    'https://x.example/own.jpg',
  ]);
  expect(items.map((item) => item['imageUrls'])).toEqual([
    imageUrls,
    imageUrls,
    ['https://x.example/own.jpg'],
  ]);
});

it('An item of a store has a handle in lower case, with a note', () => {
  const { items, notes } = itemsOf({ handle: 'Größe-MUG' });
  expect(items).toMatchObject([{ handle: 'größe-mug' }]);
  expect(notes).toEqual(['1 handle was written in lower case.']);
});

it.each(['S\u200b', '\u2060S', '\u00a0S\u200e ', 'S\u00ad'])(
  'An item of a store has an SKU without what nobody sees at its ends, with a note: %j',
  (sku) => {
    const { items, notes } = itemsOf(variants({ sku }), { match: 'sku' });
    expect(items).toMatchObject([{ sku: 'S' }]);
    expect(notes).toEqual([
      '1 SKU or code had invisible characters at an end, which were removed.',
    ]);
  },
);

it('An item of a store has an SKU of several words and signs as it is', () => {
  const { items, notes } = itemsOf(variants({ sku: 'S\u200bM 🔥' }, { sku: '\u200b' }));
  expect(items).toMatchObject([{ sku: 'S\u200bM 🔥' }, { sku: null }]);
  expect(notes).toHaveLength(1);
});

// Which prices can be read, stores-prices.test.ts says. A number in another currency is another price.
it('An item of a store has neither a price nor a currency if its price cannot be read, which is named', () => {
  const { items, skipped } = itemsOf(variants({ price: '$1' }));
  expect(Object.keys(items[0] ?? {})).not.toContain('priceCents');
  expect(Object.keys(items[0] ?? {})).not.toContain('currencyCode');
  expect(skipped).toMatchObject([
    { reason: 'priceCents: its price is "$1", which is not a price such as 1299.00' },
  ]);
});

it('An item of a store may have a price that is rounded, with a note', () => {
  const { items, skipped, notes } = itemsOf(variants({ price: '8.265' }), { currency: 'EUR' });
  expect(items).toMatchObject([{ priceCents: 827 }]);
  expect(skipped).toEqual([]);
  expect(notes).toEqual(['1 price was rounded to the decimals of the currency.']);
});

it.each([
  [2.5, 2],
  [-0.5, -1],
])(
  'An item of a store has a quantity rounded down, with a note: %d',
  (stock, storeInventoryQuantity) => {
    const { items, notes } = itemsOf(variants({ stock }));
    expect(items).toMatchObject([{ storeInventoryQuantity }]);
    expect(notes).toEqual(['1 quantity was rounded down to a whole number.']);
  },
);

it.each([
  ['title', { title: ' ' }, 'title: it has none'],
  ['priceCents', variants({ price: '' }), 'priceCents: it has no price'],
  ['storeStatus', { leftOut: [{ field: 'storeStatus', reason: 'odd' }] }, 'storeStatus: odd'],
  ['sku', variants({ sku: undefined, leftOut: [{ field: 'sku', reason: 'odd' }] }), 'sku: odd'],
])(
  'An item of a store lacks what cannot be read, and has the rest: %s',
  (field, members, reason) => {
    const { items, skipped, doubts } = itemsOf(members);
    const [item = {}] = items;
    expect(Object.keys(item)).not.toContain(field);
    expect(item).toMatchObject({ storeVariantId: '2', storeProductId: '1', handle: 'mug' });
    const kind = field === 'priceCents' ? 'unsupported' : 'problem';
    expect(skipped).toEqual([{ key: '2', field, reason, kind }]);
    expect(doubts).toEqual([]);
  },
);

it('What cannot be read of a product is not named for a variant that has its own', () => {
  const leftOut = [{ field: 'description', reason: 'odd' }];
  const { skipped } = itemsOf({ leftOut, ...variants({ description: 'Own' }, { options: ['M'] }) });
  expect(skipped.map(({ key, field }) => [key, field])).toEqual([['3', 'description']]);
});

it('An item of a store has neither title nor handle if its options cannot be read', () => {
  const { items, skipped } = itemsOf(variants({ options: undefined }, { options: ['M'] }));
  expect(items[0]).toEqual({
    sku: 'S',
    storeVariantId: '2',
    storeProductId: '1',
    currencyCode: 'USD',
    priceCents: 850,
    source: 'SHOPIFY',
  });
  expect(skipped.map(({ field }) => field)).toEqual(['title', 'handle']);
  expect(itemsOf(variants({ options: undefined }), { match: 'handle' }).doubts).toHaveLength(1);
});

it('An item of a store has the currency that the store says', () => {
  const store: StoreContent = {
    products: [product],
    discounts: [],
    currency: 'JPY',
    doubts: [],
    notes: [],
  };
  const content = contentOf(
    {
      store: shopify,
      content: { ...store, products: [{ ...product, ...variants({ price: '5' }) }] },
    },
    {
      collection: 'products',
      currency: 'USD',
    },
  );
  expect(content.items).toMatchObject([{ currencyCode: 'JPY', priceCents: 5 }]);
});

it('The values that are left out are counted by the words of the platform', () => {
  const all = variants({ hasOtherPrice: true, stock: 'in stock' }, { hasOtherPrice: true });
  expect(itemsOf(all).notes).toEqual([
    '2 compare-at prices were left out.',
    'The store does not count the stock of 1 product, so it was left out.',
  ]);
  expect(itemsOf(all, { store: woocommerce, variants: 'first' }).notes).toEqual([
    '1 sale price was left out.',
    'The store does not count the stock of 1 product, so it was left out.',
    'Only the first variant of 1 product was read.',
  ]);
});

const odd = { leftOut: [{ field: 'storeInventoryQuantity', reason: 'it is "n/a"' }] };

it.each<[string, Partial<StoreVariant>[], string[]]>([
  ['odd', [{ stock: 3 }, odd], ['variant 3: it is "n/a"']],
  ['odd in the first one', [odd, { stock: 3 }], ['it is "n/a"']],
  ['none', [{ stock: 3 }, {}], ['variant 3 has none']],
  ['none in the first one', [{}, { stock: 3 }], ['variant 2 has none']],
  ['odd, of what is not counted besides', [{ stock: 'in stock' }, odd], ['variant 3: it is "n/a"']],
  ['in no variant', [{}, {}], []],
  ['a number', [{ stock: 3 }, { stock: 'out of stock' }], []],
])(
  'The inventory of all variants, with --variants first, is named if that of a variant cannot be read: %s',
  (_, all, reasons) => {
    const { items, skipped } = itemsOf(variants(...all), { variants: 'first' });
    expect(items).toHaveLength(1);
    expect(skipped).toEqual(
      reasons.map((reason) => ({
        key: '2',
        field: 'storeInventoryQuantity',
        reason: `storeInventoryQuantity: ${reason}`,
        kind: 'problem',
      })),
    );
  },
);

it('The images of a product are those of its first variant, with --variants first, which needs none', () => {
  const imageUrls = ['https://x.example/1.jpg'];
  const own = { imageUrls: ['https://x.example/own.jpg'], imageUrl: 'https://x.example/own.jpg' };
  const odd = { leftOut: ['imageUrl', 'imageUrls'].map((field) => ({ field, reason: 'odd' })) };
  for (const first of [own, odd]) {
    const { items, skipped } = itemsOf(
      { imageUrls, ...variants(first, {}) },
      { variants: 'first' },
    );
    expect(items).toMatchObject([{ imageUrls, imageUrl: imageUrls[0] }]);
    expect(skipped).toEqual([]);
  }
  const { items } = itemsOf({ imageUrls: [], ...variants(own, {}) }, { variants: 'first' });
  expect(items).toMatchObject([{ imageUrls: own.imageUrls }]);
});

const grouped = { reason: 'its type is "grouped"', kind: 'unsupported' } as const;
const unread = { reason: 'its quantity is "many"', kind: 'problem' } as const;

it.each([
  ['no variants', { variants: [] }, [[null, 'product 1: it has no variants', 'problem']]],
  ['an obstacle', { obstacle: grouped }, [['2', grouped.reason, 'unsupported']]],
  [
    'an obstacle and no variants',
    { obstacle: grouped, variants: [] },
    [[null, `product 1: ${grouped.reason}`, 'unsupported']],
  ],
  [
    'an obstacle in one variant',
    variants({ obstacle: unread }, { options: ['M'] }),
    [['2', unread.reason, 'problem']],
  ],
])('A product that becomes no item is skipped with its key: it has %s', (_, members, expected) => {
  const { skipped } = itemsOf(members);
  expect(skipped).toEqual(expected.map(([key, reason, kind]) => ({ key, reason, kind })));
});

it('A product with an obstacle in one variant is skipped with all of it, with --variants first', () => {
  const all = variants({}, { obstacle: unread });
  const { items, skipped } = itemsOf(all, { variants: 'first' });
  expect(items).toEqual([]);
  const { reason, kind } = unread;
  expect(skipped).toEqual(['2', '3'].map((key) => ({ key, reason, kind })));
  const byProduct = itemsOf(all, { variants: 'first', match: 'storeProductId' });
  expect(byProduct.skipped).toEqual([{ key: '1', reason, kind }]);
});

it.each([
  ['grouped', { obstacle: grouped, variants: [] }, 0],
  ['grouped, without an SKU', { obstacle: grouped, ...variants({ sku: null }) }, 0],
  ['without an SKU', variants({ sku: null }), 1],
  ['without an SKU and without a price', variants({ sku: '', price: '' }), 1],
  ['that cannot be read and has no SKU', { obstacle: unread, ...variants({ sku: null }) }, 1],
])(
  'A product that becomes no item is doubtful if it has no key, and the service may have it: %s',
  (_, members, count) => {
    expect(itemsOf(members, { match: 'sku' }).doubts).toHaveLength(count);
  },
);

it('A product that becomes no item is doubtful with the match that avoids it', () => {
  const all = variants({ sku: null }, { options: ['M'], sku: ' ' }, { options: ['L'] });
  expect(itemsOf(all, { match: 'sku' }).doubts).toEqual([
    '2 products have no sku that can be read, so nobody can tell which products of the service they are. Use --match storeVariantId, which all of them have.',
  ]);
  expect(itemsOf(all, { match: 'storeVariantId' }).doubts).toEqual([]);
  expect(itemsOf(variants({ sku: null }), { match: 'sku', matches: ['sku'] }).doubts).toEqual([
    '1 product has no sku that can be read, so nobody can tell which product of the service it is.',
  ]);
});

it('The second product with a handle becomes no item, if they match by it', () => {
  const all = [product, { ...product, ...variants({ id: '3', sku: 'T', place: 'variant 3' }) }];
  const { items, skipped, doubts } = storeOf(all, { match: 'handle' });
  expect(items).toHaveLength(1);
  expect(skipped).toEqual([
    { key: 'mug', reason: 'variant 3 has the handle of variant 2', kind: 'problem' },
  ]);
  expect(doubts).toEqual([]);
  expect(storeOf(all).items.map(({ handle }) => handle)).toEqual(['mug', 'mug']);
});

const code: StoreDiscount = { place: 'coupon 7', id: '7', code: 'SAVE', percent: 10 };

function codes(...discounts: readonly StoreDiscount[]): ContentSaid {
  const store: StoreContent = {
    products: [],
    discounts,
    doubts: [{ sentence: 'It moved.' }],
    notes: ['Three pages.'],
  };
  const content = { store: woocommerce, content: store };
  return said(contentOf(content, { collection: 'coupon-codes' }));
}

it('The coupon codes of a store have what the source has', () => {
  const { items, ...rest } = codes(
    code,
    { ...code, code: 'nur &amp; f&uuml;r', percent: 0.07 * 100, title: 'A &amp; <b>B</b>' },
    { ...code, code: 'all', isActive: false, maxUses: null, currentUses: 3 },
  );
  expect(items).toEqual([
    { code: 'SAVE', discountPercent: 10, storeDiscountId: '7' },
    { code: 'nur & für', discountPercent: 7, storeDiscountId: '7', description: 'A & B' },
    {
      code: 'all',
      discountPercent: 10,
      storeDiscountId: '7',
      active: false,
      maxUses: null,
      currentUses: 3,
    },
  ]);
  expect(rest).toMatchObject({
    match: 'code',
    source: undefined,
    doubts: ['It moved.'],
    notes: ['Three pages.'],
  });
});

it('A coupon code of a store keeps its resource if the service cannot hold it, and is doubtful without a code', () => {
  const reason = 'it is a fixed amount';
  const { skipped, doubts } = codes(
    { ...code, obstacle: { reason, kind: 'unsupported' } },
    { ...code, code: ' ' },
  );
  expect(skipped).toEqual([
    { key: 'SAVE', reason, kind: 'unsupported' },
    { key: null, reason: 'coupon 7: it has no code', kind: 'problem' },
  ]);
  expect(doubts).toEqual([
    'It moved.',
    '1 coupon code has no code that can be read, so nobody can tell which coupon code of the service it is. Use --match storeDiscountId, which all of them have.',
  ]);
});

it('The coupon codes of a store are no products', () => {
  const call = (): unknown =>
    contentOf(
      {
        store: shopify,
        content: { products: [], discounts: [code], doubts: [], notes: [] },
      },
      { collection: 'products' },
    );
  expect(call).toThrow(Failure);
  expect(call).toThrow('Is --collection coupon-codes meant?');
});
