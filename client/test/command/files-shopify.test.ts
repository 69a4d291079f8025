import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { products } from '../../../src/resources/products.ts';
import { expectedProducts } from './store-export.ts';
import { Failure } from '../../../common/failure.ts';
import type { ReadOptions } from '../../src/stores/source.ts';
import type { ContentSaid } from './content-said.ts';
import { readText as read } from './read-text.ts';

function uncounted(count: number): string {
  return `The store does not count the stock of ${count} products, so it was left out.`;
}

it('Rows with one handle in another case are one product, whose handle is in lower case', () => {
  const { items, notes } = read(
    'Handle,Title,Option1 Name,Option1 Value,Variant Price\nJar,Jar,Size,S,1\njar,,,M,1\n',
  );
  expect(items).toMatchObject([
    { handle: 'jar-s', title: 'Jar - S' },
    { handle: 'jar-m', title: 'Jar - M' },
  ]);
  expect(notes).toEqual(['1 handle was written in lower case.']);
});

it('The images of a product of Shopify are in the order of their positions', () => {
  const [first, second] = ['https://x.example/1.jpg', 'https://x.example/2.jpg'];
  const { items } = read(
    `Handle,Title,Variant Price,Image Src,Image Position\na,A,1,${second},2\na,,,${first},1\n`,
  );
  expect(items).toMatchObject([{ imageUrls: [first, second], imageUrl: first }]);
});

it.each([
  ['jewelery', 23, ['17 compare-at prices were left out.', uncounted(23)]],
  ['apparel', 22, [uncounted(22)]],
])('Every value of a sample is read, and the service takes it: %s.csv', (name, count, notes) => {
  const csv = readFileSync(`test/data/${name}.csv`, 'utf8');
  const { items, places, ...rest } = read(csv);
  expect(items).toHaveLength(count);
  expect(places).toHaveLength(count);
  expect(items).toMatchObject(expectedProducts(csv));
  expect(rest).toEqual({
    stays: [],
    isOfStore: true,
    format: 'shopify',
    skipped: [],
    doubts: [],
    notes,
    match: 'handle',
    source: 'SHOPIFY',
  });
  for (const item of items) expect(z.safeParse(products.patchBody, item).error).toBeUndefined();
});

const OPTIONS =
  'Handle,Title,Option1 Value,Option2 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Variant Image';

const shirt = [
  OPTIONS,
  'shirt,Shirt,,,,,,https://x.example/1.jpg,',
  'cap,Cap,Default Title,,CAP,1,5.00,,',
  'shirt,Shirt,M,Off White,S-M,3,9.00,,https://x.example/m.jpg',
  ',,,,,,,,',
  'shirt,SHIRT,L,Red,S-L,4,9.50,https://x.example/2.jpg,',
].join('\n');

it('The variants of a product are products, with the texts and images of the product', () => {
  const imageUrls = ['https://x.example/1.jpg', 'https://x.example/2.jpg'];
  const { items, skipped, notes } = read(shirt, { currency: 'EUR' });
  expect([skipped, notes]).toEqual([[], []]);
  expect(items).toEqual([
    {
      title: 'Shirt - M / Off White',
      handle: 'shirt-m-off-white',
      currencyCode: 'EUR',
      source: 'SHOPIFY',
      imageUrls,
      imageUrl: 'https://x.example/m.jpg',
      priceCents: 900,
      sku: 'S-M',
      storeInventoryQuantity: 3,
    },
    {
      title: 'Shirt - L / Red',
      handle: 'shirt-l-red',
      currencyCode: 'EUR',
      source: 'SHOPIFY',
      imageUrls,
      imageUrl: 'https://x.example/1.jpg',
      priceCents: 950,
      sku: 'S-L',
      storeInventoryQuantity: 4,
    },
    {
      title: 'Cap',
      handle: 'cap',
      currencyCode: 'EUR',
      source: 'SHOPIFY',
      imageUrls: [],
      imageUrl: null,
      priceCents: 500,
      sku: 'CAP',
      storeInventoryQuantity: 1,
    },
  ]);
});

it('The variants of a product keep their handles if others come, go or move', () => {
  const handlesOf = (...values: readonly string[]): unknown[] =>
    read([OPTIONS, ...values.map((value) => `case,Case,${value},,,,1,,`)].join('\n')).items.map(
      ({ handle }) => handle,
    );
  const [s20, plus] = handlesOf('S20', 'S20+');
  expect(handlesOf('S20')).toEqual([s20]);
  expect(handlesOf('S21', 'S20+', 'S20')).toEqual(['case-s21', plus, s20]);
  expect(s20).toBe('case-s20');
});

it.each([
  [
    'a variant and a product',
    ['a,A,M,,1,,1,,', 'a-m,B,,,2,,1,,'],
    'a-m',
    'row 4 has the handle of row 3',
  ],
  ['equal variants', ['a,A,M,,1,,1,,', 'a,,M,,2,,2,,'], 'a-m', 'row 4 has the handle of row 3'],
])('Variants with a handle in common are one if they match by it: %s', (_, rows, key, reason) => {
  const csv = [OPTIONS, 'ok,Ok,,,,,1,,', ...rows].join('\n');
  const { items, skipped, doubts } = read(csv);
  expect(items.filter(({ handle }) => handle === key).length).toBe(skipped.length === 1 ? 1 : 0);
  expect(skipped.at(-1)).toEqual({ key, reason, kind: 'problem' });
  expect(doubts).toEqual([]);
  const bySku = read(csv, { match: 'sku' });
  expect(bySku.items.map(({ sku }) => sku)).toContain('2');
  expect(bySku.skipped[0]).toEqual({ key: null, reason: 'row 2 has no sku', kind: 'problem' });
  expect(bySku.doubts).toEqual([expect.stringContaining('Use --match handle')]);
});

const header = 'Handle,Title,Variant SKU,Variant Inventory Qty,Variant Price,Status';

it('A product with two titles is skipped with its key', () => {
  const rows = 'two,A,S,1,1,\ntwo,B,,,,';
  const reason = 'products with different titles have this handle: "A", "B"';
  const file = read(`${header}\ngood,Good,,,1,\n${rows}\n`);
  expect(file.items).toMatchObject([{ handle: 'good' }]);
  expect(file.skipped).toEqual([{ key: 'two', reason, kind: 'problem' }]);
  expect(file.doubts).toEqual([]);
  expect(read(`${header}\n${rows}\n`, { match: 'sku' }).skipped).toEqual([
    { key: 'S', reason, kind: 'problem' },
  ]);
});

it.each([
  ['x, ,S,1,1,', 'title', 'it has none'],
  ['x,A,S,1,"33,61",', 'priceCents', 'its price is "33,61": use --decimal-comma'],
  ['x,A,S,many,1,', 'storeInventoryQuantity', 'it is "many", which is not a number'],
  ['x,A,S,1,1,hidden', 'storeStatus', 'it is "hidden", which is not one that is known'],
])('A value that cannot be read is left out, and the rest is taken: %s', (row, field, reason) => {
  const { items, skipped, doubts } = read(`${header}\ngood,Good,,,1,\n${row}\n`);
  expect(items).toMatchObject([{ handle: 'good' }, { handle: 'x', sku: 'S' }]);
  expect(Object.keys(items[1] ?? {})).not.toContain(field);
  const left = { key: 'x', field, reason: `${field}: ${reason}`, kind: 'problem' };
  expect(skipped).toEqual([left]);
  expect(doubts).toEqual([]);
});

it('A row without a handle is skipped without a key, because nobody can tell what it means', () => {
  const csv = `${header}\n,A,S,1,1,\n`;
  const reason = 'it has no handle';
  const skipped = [{ key: null, reason: `row 2: ${reason}`, kind: 'problem' }];
  expect(read(csv)).toMatchObject({
    items: [],
    skipped,
    doubts: [expect.stringContaining('no handle')],
  });
  const bySku = { items: [], skipped: [{ key: 'S', reason, kind: 'problem' }], doubts: [] };
  expect(read(csv, { match: 'sku' })).toMatchObject(bySku);
});

it('A row with more values than columns is skipped without a key', () => {
  const { items, doubts } = read(`${header}\na,A, B,S,1,1,active\nb,B,,,1,`);
  expect(items).toMatchObject([{ handle: 'b' }]);
  expect(doubts).toHaveLength(1);
});

const rows = ['Handle,Title,Variant SKU,Variant Price', 'mug,Mug,M-1,9.50'].join('\n');

it.each([
  ['the new template', rows.replace('Handle', 'URL handle').replaceAll('Variant ', '')],
  ['spaces and another case', rows.replace('Handle,Title', ' handle , TITLE')],
  ['no-break spaces in its header', rows.replaceAll('Variant ', 'Variant\u00a0 ')],
  ['a carriage return and a tab', rows.replace('mug,Mug', 'mug,"\tMug\r"')],
  ['the product in two templates', rows.replace(/$/gm, ',x').replace(',x', ',SKU')],
  ['control characters', rows.replace('mug,Mug', 'mug,\u0003M\u0099ug')],
])('A file with another spelling of its header or cells is read: %s', (_, csv) => {
  expect(read(csv).items).toMatchObject([
    { handle: 'mug', title: 'Mug', sku: 'M-1', priceCents: 950 },
  ]);
});

it('A file has a space in place of a line end or tab inside a one-line cell', () => {
  const { items, notes } = read('Handle,Title,Body (HTML),Price\na,"A\rb\tc","A\tb\u0000",1');
  expect(items).toMatchObject([{ title: 'A b c', description: 'A\tb' }]);
  expect(notes.at(0)).toBe('1 control character was removed.');
});

it.each([
  ['Handle,Title,Price, price\n', {}, 'The file has two columns Price.'],
  [
    'Handle,Title,Price\n',
    { match: 'sku' },
    'This export from Shopify has no sku. Match by handle.',
  ],
  [
    'Handle,Title,Price\n',
    { collection: 'coupon-codes' as const },
    'The file is an export of products from Shopify, not of coupon codes. Is --collection products meant?',
  ],
  [
    'Handle,Title,Price\n',
    { currency: 'EURO' },
    'The currency "EURO" has no code of ISO 4217, so the service cannot hold prices in it.',
  ],
])('A file with a wrong header is refused: %j with %j', (csv, options, sentence) => {
  expect(() => read(csv, options)).toThrow(new Failure(sentence));
});

// Shopify writes an apostrophe before what a spreadsheet would take for a number or a formula.
it.each([
  ["'0112", '0112'],
  ["'=A1", '=A1'],
  ["'-5", '-5'],
  ["'tis", "'tis"],
  ["It's", "It's"],
  ["''0112", "''0112"],
])('The SKU of an export loses the apostrophe that Shopify adds: %s is %s', (sent, sku) => {
  const { items } = read(`Handle,Title,Variant SKU,Variant Price\nmug,'+1 Mug,${sent},9.50`);
  expect(items).toMatchObject([{ title: '+1 Mug', sku }]);
});

// How prices are written for people, stores-prices.test.ts says.

const readPrice = (price: string, options: Partial<ReadOptions>): ContentSaid =>
  read(`Handle,Title,Variant Price\na,A,"${price}"\n`, options);

it.each([
  ['1,299.00', false],
  ['1.299,00', true],
])(
  'A price is read with either decimal sign: %s with --decimal-comma %s',
  (price, decimalComma) => {
    expect(readPrice(price, { decimalComma }).items).toMatchObject([{ priceCents: 129_900 }]);
  },
);

it('A price is not the compare-at price, which is counted', () => {
  const header = 'Handle,Title,Option1 Value,Price,Compare-at price';
  const { items, notes } = read(`${header}\na,A,M,1,2\na,,L,1,\nb,B,,1,3\nc,C,,x,3`);
  expect(items.map(({ priceCents }) => priceCents)).toEqual([100, 100, 100, undefined]);
  expect(notes).toEqual(['3 compare-at prices were left out.']);
});

it.each([
  ['active', 'false', 'ACTIVE'],
  ['Draft', 'true', 'DRAFT'],
  ['unlisted', '', 'UNLISTED'],
  ['', 'TRUE', 'ACTIVE'],
  ['', 'false', 'DRAFT'],
  ['', '', 'DRAFT'],
  // Spreadsheets translate `true`. That is no reason to hide the product, or to show it.
  ['', 'WAHR', undefined],
  ['', '1', undefined],
  ['hidden', 'true', undefined],
])(
  'The status of a product follows from its two columns: %j, published %j, is %s',
  (status, published, expected) => {
    const csv = `Handle,Title,Variant Price,Status,Published\na,A,1,${status},${published}\n`;
    expect(read(csv).items[0]?.['storeStatus']).toBe(expected);
  },
);

it.each([
  ['with a tracker', 'shopify,4', 4],
  ['with the tracker of an app', 'some-app,-2', -2],
  ['without a tracker', ',4', undefined],
  ['without a number', 'shopify,', undefined],
])('The stock of a product of Shopify is read if something counts it: %s', (_, cells, expected) => {
  const csv = `Handle,Title,Variant Price,Variant Inventory Tracker,Variant Inventory Qty\na,A,1,${cells}\n`;
  const { items, notes } = read(csv);
  expect(items.map((item) => item['storeInventoryQuantity'])).toEqual([expected]);
  expect(notes).toHaveLength(expected === undefined ? 1 : 0);
});

it('A product without a price is unsupported, and keeps what the service has', () => {
  const { items, skipped, doubts } = read('Handle,Title,Variant Price\nfree,Free,\n');
  expect(items).toEqual([{ title: 'Free', handle: 'free', source: 'SHOPIFY' }]);
  const reason = 'priceCents: it has no price';
  expect(skipped).toEqual([{ key: 'free', field: 'priceCents', reason, kind: 'unsupported' }]);
  expect(doubts).toEqual([]);
});

it.each([
  ['Handle,Title,Vendor,Variant SKU,Variant Inventory Qty', 'but has no column "Variant Price".'],
  ['Title,URL handle,Description,SKU', 'but has no column "Price".'],
  ['Title,Variant SKU,Variant Price,Status', 'but has no column "Handle".'],
  ['Handle,Title,Option1 Name,SKU,Location,Available', 'has inventory from Shopify.'],
  ['Name,Email,Financial Status,Lineitem name', 'has orders from Shopify.'],
  ['Email,First Name,Total Spent,Total Orders', 'has customers from Shopify.'],
  ['Product title,SKU,Items sold,Orders', 'has figures of WooCommerce Analytics.'],
  ['Name,Value,Value Type,Status', 'but has no column "Type".'],
])('A file of Shopify that is not quite one of products is named: %s', (header, sentence) => {
  expect(() => read(`${header}\n`)).toThrow(Failure);
  expect(() => read(`${header}\n`)).toThrow(sentence);
});

const columns =
  'Name,Value,Value Type,Type,Discount Class,Times Used In Total,Usage Limit Per Code,Status,Start,End';

function codes(...rows: readonly string[]): ContentSaid {
  return read([columns, ...rows].join('\n'), { collection: 'coupon-codes' });
}

it('An export of discount codes of Shopify has coupon codes', () => {
  const { items, ...rest } = codes(
    'GLÜCK 40,-40.0,percentage,Amount Off,order,3,,Active,2026-01-01 00:00:00 +0100,',
    'welcome,-7.5,percentage,Amount Off,product,0,1,Active,2026-01-01 00:00:00 UTC,2026-01-02 00:00:00 UTC',
    'FREE,0,percentage,Amount Off,order,0,5,Scheduled,2999-01-01 00:00:00 -0500,',
  );
  expect(rest).toEqual({
    stays: [],
    isOfStore: true,
    format: 'shopify',
    places: ['row 2', 'row 3', 'row 4'],
    skipped: [],
    doubts: [],
    notes: [],
    match: 'code',
    source: undefined,
  });
  expect(items).toEqual([
    { code: 'GLÜCK 40', discountPercent: 40, active: true, currentUses: 3, maxUses: null },
    { code: 'welcome', discountPercent: 7.5, active: false, currentUses: 0, maxUses: 1 },
    { code: 'FREE', discountPercent: 0, active: false, currentUses: 0, maxUses: 5 },
  ]);
});

it.each([
  ['Active', '2026-01-01 00:00:00 UTC', '', true],
  ['Active', '2999-01-01 00:00:00 UTC', '', false],
  ['Scheduled', '2026-01-01 00:00:00 UTC', '', true],
  ['Scheduled', '', '', false],
  ['Expired', '2026-01-01 00:00:00 UTC', '', false],
  ['Active', '2026-01-01 00:00:00 UTC', '2026-01-02 00:00:00 UTC', false],
])(
  'A discount code of Shopify is active by its status and its times: %s, %s, %s',
  (status, start, end, active) => {
    const row = `A,-5,percentage,Amount Off,order,0,,${status},${start},${end}`;
    expect(codes(row).items).toMatchObject([{ code: 'A', active }]);
  },
);

it('An export of discount codes of Shopify may have fewer columns', () => {
  const csv = 'Name,Value,Value Type,Type,Discount Class\nA,-40,percentage,Amount Off,order\n';
  expect(read(csv, { collection: 'coupon-codes' }).items).toEqual([
    { code: 'A', discountPercent: 40 },
  ]);
});

it.each([
  ['-5.0,fixed_amount,Amount Off,order', 'it is a fixed amount', 'unsupported'],
  ['-100.0,percentage,Buy X Get Y,product', 'it is Buy X Get Y', 'unsupported'],
  [',,Free shipping,shipping', 'it is free shipping', 'unsupported'],
  ['-5,percentage,Amount On,order', 'its type is "Amount On"', 'problem'],
])(
  'An export of discount codes of Shopify skips what is no percentage: %s',
  (cells, reason, kind) => {
    expect(codes(`A,${cells}`)).toMatchObject({
      items: [],
      skipped: [{ key: 'A', reason, kind }],
      doubts: [],
    });
  },
);

it.each([
  [
    'much,percentage,Amount Off,order,,,Active',
    'discountPercent',
    '"much", which is not a percentage',
  ],
  ['-5,percentage,Amount Off,order,x,,Active', 'currentUses', '"x", which is not a number'],
  ['-5,percentage,Amount Off,order,,x,Active', 'maxUses', '"x", which is not a number'],
  ['-5,percentage,Amount Off,order,,,Aktiv', 'active', '"Aktiv", which is not one that is known'],
  ['-5,percentage,Amount Off,order,,,Active,soon', 'active', '"soon", which is not a time'],
  [
    '-5,percentage,Amount Off,order,,,Active,2026-01-01T00:00:00',
    'active',
    '"2026-01-01T00:00:00", which is not a time',
  ],
])(
  'An export of discount codes of Shopify leaves out a value that cannot be read: %s',
  (cells, field, reason) => {
    const { items, skipped, doubts } = codes(`A,${cells}`);
    expect(items).toMatchObject([{ code: 'A' }]);
    expect(Object.keys(items[0] ?? {})).not.toContain(field);
    const left = { key: 'A', field, reason: `${field}: it is ${reason}`, kind: 'problem' };
    expect(skipped).toEqual([left]);
    expect(doubts).toEqual([]);
  },
);

it('An export of discount codes of Shopify is no export of products', () => {
  expect(() => read(`${columns}\n`)).toThrow(
    new Failure(
      'The file is an export of coupon codes from Shopify, not of products. Is --collection coupon-codes meant?',
    ),
  );
});
