import { expect, it } from 'vitest';
import { readFile } from '../../src/command/files/read-file.ts';
import { said } from './content-said.ts';
import { item, items } from '../items.ts';
import { shop, shopify } from './command-shop.ts';
import { product, variableProduct, variation } from './woocommerce-stand-in.ts';

// Each file lacks one product of the service, and may mean it.

const all = items(12);
const known = all.slice(1);
const csv = ['sku,title,priceCents', ...known.map((one) => Object.values(one).join(','))].join(
  '\n',
);
const keys = known.map(({ sku }) => sku);
const ndjson = known.map((one) => JSON.stringify(one)).join('\n');

it.each([
  [
    'JSON with an item of no key',
    JSON.stringify([...known, { ...item('x'), sku: null }]),
    '1 product has no sku that can be read',
  ],
  [
    'JSON with an item whose key is a number',
    JSON.stringify([...known, { ...item('x'), sku: 3791411052119579 }]),
    'its sku is a number',
  ],
  ['NDJSON with a line of an empty key', `${ndjson}\n{"sku":"","title":"a"}\n`, 'Line 12'],
  [
    'a page of changes',
    JSON.stringify({ products: known, since: '7', deletedProductIds: [] }),
    'Document 1 has "since" beside its list "products", so it may be one page of a longer list. If it is complete, give its list alone.',
  ],
  ['NDJSON whose last line has no end', ndjson, 'If it is complete, use --whole.'],
  ['CSV whose last row has no end', csv, 'Row 12, the last one, has no line end'],
  ['CSV with a row of no key', `${csv}\n,A,1\n`, 'Row 13 has no sku'],
  [
    'CSV of keys, two of which a CR divides',
    `sku\r\n${keys.join('\r\n').replace('\r\n', '\r')}\r\n`,
    'Row 2, sku: it has a line end',
  ],
  [
    'CSV with a row of a key alone that ends with CR',
    `${csv
      .replaceAll('\n', '\r\n')
      .replace('S-4,', 'S-4\rS-5,')
      .replace(/\nS-5,.*/, '')}\r\n`,
    'Row 5, sku: it has a line end',
  ],
  [
    'CSV with two keys in one pair of quotation marks',
    `${csv.replace(/S-4,.*\nS-5,/, '"S-4\nS-5",')}\n`,
    'Row 5, sku: it has a line end',
  ],
])(
  'A file that is doubtful deletes nothing, does all else, and says what to do: %s',
  async (_, content, sentence) => {
    const { sync, skus } = await shop(all);
    const { code, stdout } = await sync(content, ['--match', 'sku', '--delete']);
    expect(code).toBe(1);
    expect(stdout).toContain(sentence);
    expect(await skus()).toEqual(all.map(({ sku }) => sku));
  },
);

it.each([
  ['NDJSON', ndjson],
  ['CSV', csv],
])('A file that is doubtful deletes if somebody says that it is whole: %s', async (_, content) => {
  const { sync, skus } = await shop(all);
  const { code, stdout } = await sync(content, ['--match', 'sku', '--delete', '--whole']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 deleted')]);
  expect(await skus()).toEqual(known.map(({ sku }) => sku));
});

it('An export by SKU that is doubtful names the match that avoids it', async () => {
  const { sync, skus } = await shop();
  const rows = all.map(({ sku, title }) => `h-${sku.toLowerCase()},${title},${sku},0.01`);
  await sync(shopify(...rows), ['--match', 'sku']);
  const doubtful = shopify(...rows.slice(1), 'h,None,,1');
  const { code, stdout } = await sync(doubtful, ['--match', 'sku', '--delete']);
  expect(code).toBe(1);
  expect(stdout).toContain('Use --match handle, which all of them have.');
  expect(await skus()).toEqual(all.map(({ sku }) => sku));
  const byHandle = await sync(doubtful, ['--delete']);
  expect([byHandle.code, byHandle.stdout]).toEqual([0, expect.stringContaining('1 deleted')]);
});

it('A sync takes the last row of a file that has no line end', async () => {
  const { sync, products } = await shop(all);
  const { code, stdout } = await sync('sku,title,priceCents\nS-1,New,7', ['--match', 'sku']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 updated')]);
  expect((await products())[1]).toMatchObject({ title: 'New', priceCents: 7 });
});

// Each is whole products with variants, and the same with a part that is missing, beside another product that is whole.

const shoe = variableProduct(25, [27, 28]);
const variations = [variation(27, 25, '38'), variation(28, 25, '39')];
const { variations: _, ...silent } = shoe;
const { id: _id, ...nameless } = product(2);
const { regular_price: _price, ...unknown } = nameless;
const woocommerce = (...parts: readonly object[]): string => JSON.stringify([product(1), ...parts]);
const bulk = (count: number): string =>
  [
    { id: 'gid://shopify/Product/1', title: 'Mug', handle: 'mug' },
    { id: 'gid://shopify/ProductVariant/1', price: '1', __parentId: 'gid://shopify/Product/1' },
    { id: 'gid://shopify/Product/2', title: 'Tee', handle: 'tee' },
    ...['S', 'M'].map((value, index) => ({
      id: `gid://shopify/ProductVariant/${index + 2}`,
      price: '1',
      selectedOptions: [{ value }],
      __parentId: 'gid://shopify/Product/2',
    })),
  ]
    .slice(0, count)
    .map((one) => `${JSON.stringify(one)}\n`)
    .join('');
const mug = { id: 1, title: 'Mug', handle: 'mug', variants: [{ id: 1, price: '1' }] };
const rest = (variants: readonly object[]): string =>
  JSON.stringify({ products: [mug, { id: 2, title: 'Tee', handle: 'tee', variants }] });
const tee = [{ id: 2, price: '1', option1: 'S' }];
const counted = (count: number, make: (id: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));
const shopifyList = (count: number): string =>
  JSON.stringify({
    products: counted(count, (id) => ({
      id,
      title: `T ${id}`,
      handle: `t-${id}`,
      variants: [{ id, price: '1' }],
    })),
  });
/** The pages of so many products. */
const pages = (count: number, size: number): object[][] => {
  const all = counted(count, product);
  return Array.from({ length: Math.ceil(count / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
};
const listsOf = (count: number, size: number): string =>
  pages(count, size)
    .map((page) => `${JSON.stringify(page)}\n`)
    .join('');
const pagesOf = (count: number, size: number): string =>
  pages(count, size)
    .map((products) => `${JSON.stringify({ products })}\n`)
    .join('');
const slurped = (count: number, size: number): string => JSON.stringify(pages(count, size));
const printed = (count: number): string =>
  counted(count, product)
    .map((one) => `${JSON.stringify(one, null, 2)}\n`)
    .join('');
const shirts = (description: string): string =>
  [
    'Handle,Title,Body (HTML),Vendor,Option1 Name,Option1 Value,Variant SKU,Variant Price,Status',
    'mug,Mug,,V,,,M,5.00,active',
    `shirt,Shirt,${description},V,Size,S,A-S,5.00,active`,
    '',
  ].join('\n');
const table = (...rows: readonly string[]): string =>
  [
    'ID,Type,SKU,Name,Published,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,P,Shoe,1,,,Size,"38, 39"',
    '2,variation,A,Shoe - 38,1,1,id:1,Size,38',
    ...rows,
    '',
  ].join('\n');
const sock = '3,variable,Q,"Sock ""C#""",1,,,Size,"38+, 39"';
const pair = '4,variation,B,"Sock ""C#"" - 38+",1,1,id:3,Size,38+';

it.each([
  ['a variation that its product names', woocommerce(shoe, ...variations), woocommerce(shoe)],
  [
    'the first of the variations that its product names',
    woocommerce(shoe, ...variations),
    woocommerce(shoe, ...variations.slice(1)),
  ],
  ['the product', woocommerce(shoe, ...variations), woocommerce(...variations)],
  ['variations that nothing names', woocommerce(shoe, ...variations), woocommerce(silent)],
  ['the id of a product', woocommerce(product(2)), woocommerce(nameless)],
  ['all variants in JSON lines', bulk(5), bulk(3)],
  ['all variants in a list of REST', rest(tee), rest([])],
  [
    'the id and the price of a product',
    woocommerce(product(2)),
    woocommerce({ ...unknown, variations: [] }),
  ],
  [
    'a page in which there is an error',
    rest(tee),
    `${JSON.stringify({ products: [mug] })}\n{"products":[],"error":"timeout on page 2"}\n`,
  ],
  [
    'a page beside which there is an error',
    rest(tee),
    JSON.stringify({ products: [mug], error: 'timeout on page 2' }),
  ],
  ['the second page of Shopify', shopifyList(51), shopifyList(50)],
  [
    'the second page of WooCommerce',
    JSON.stringify(counted(11, product)),
    JSON.stringify(counted(10, product)),
  ],
  ['the third of three pages, each with a line end', pagesOf(150, 70), pagesOf(140, 70)],
  ['the third of three pages in lists', listsOf(150, 70), listsOf(140, 70)],
  ['the third of three pages in one list of lists', slurped(150, 70), slurped(140, 70)],
  [
    'the third of three pages that were added up',
    JSON.stringify(counted(301, product)),
    JSON.stringify(counted(300, product)),
  ],
  ['the third of three pages of Shopify that were added up', shopifyList(501), shopifyList(500)],
  ['the third of products that are printed one behind the other', printed(3), printed(2).trimEnd()],
  ['a row that a line end divides', shirts('"Nice\nshirts"'), shirts('Nice\nshirts')],
  ['all variations in CSV', table(sock, pair), table(sock)],
  ['the product in CSV', table(sock, pair), table(pair)],
])(
  'A file that lacks a part of a product deletes nothing of it: %s',
  async (__, whole, partial) => {
    for (const match of [
      [],
      ['--match', 'handle'],
      ['--variants', 'first'],
      ['--variants', 'first', '--match', 'handle'],
    ]) {
      const { sync, products } = await shop();
      expect(await sync(whole, match)).toMatchObject({ code: 0 });
      const before = await products();
      const words = [...match, '--delete', '--max-delete', '100%'];
      expect(await sync(partial, words)).toMatchObject({ code: 1 });
      expect((await products()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    }
  },
);

const longer = ' If it is complete, use --whole.';
const tees = (count: number): string =>
  rest(counted(count, (id) => ({ id: id + 1, price: '1', option1: `${id}` })));
/** A resource, with what only the service writes. */
const shown = (id: number): object => ({ id: `${id}`, createdAt: '' });
const lines = (all: readonly object[]): string =>
  all.map((one) => `${JSON.stringify(one)}\n`).join('');

it.each([
  ['shopify', shopifyList(250), `The list has exactly 250 products, as many as a page.${longer}`],
  [
    'woocommerce',
    JSON.stringify([...counted(100, product), ...variations]),
    `The list has exactly 100 products, as many as a page.${longer}`,
  ],
  [
    'woocommerce',
    JSON.stringify(
      counted(10, (id) => ({ id, code: `C${id}`, discount_type: 'percent', amount: '5.00' })),
    ),
    `The list has exactly 10 coupon codes, as many as a page.${longer}`,
  ],
  [
    'shopify',
    tees(100),
    'Tee has exactly 100 variants, as many as the REST API gives. Use the JSON lines of a bulk operation, or --from shopify. If it is complete, use --whole.',
  ],
  [
    'woocommerce',
    JSON.stringify(counted(300, product)),
    `The list has exactly 300 products, which is a number of whole pages of 100.${longer}`,
  ],
  [
    'woocommerce',
    `${listsOf(6, 3)}${JSON.stringify(variations)}`,
    `The last of 2 lists has 3 products, as many as the one before, so a page may be missing.${longer}`,
  ],
  [
    'json',
    `${JSON.stringify(items(2))}\n${JSON.stringify(items(2))}`,
    `The last of 2 lists has 2 products, as many as the one before, so a page may be missing.${longer}`,
  ],
  [
    'json',
    JSON.stringify({ products: counted(250, shown) }),
    `The list has exactly 250 products, as many as a page.${longer}`,
  ],
  // As jq makes them of an answer of the service.
  [
    'json',
    JSON.stringify(counted(250, shown)),
    `The list has exactly 250 products, as many as a page.${longer}`,
  ],
  [
    'ndjson',
    lines(counted(500, shown)),
    `The list has exactly 500 products, which is a number of whole pages of 250.${longer}`,
  ],
])('A list that is as long as a page may be one: %s', (_, text, sentence) => {
  const collection = text.includes('discount_type') ? 'coupon-codes' : 'products';
  const read = (whole: boolean): readonly string[] =>
    said(readFile(new TextEncoder().encode(text), { collection, whole })).doubts;
  expect(read(false)).toContainEqual(sentence);
  expect(read(true)).not.toContainEqual(sentence);
});

it.each([
  ['two pages, the last of which is shorter', listsOf(150, 100)],
  ['lists of products and of variations', `${listsOf(4, 3)}${JSON.stringify(variations)}`],
  ['99 products', JSON.stringify(counted(99, product))],
  ['objects that end with a line', printed(3)],
  ['items of this API, as many as a page', JSON.stringify(items(100))],
])('A file that is whole is not doubtful: %s', (_, text) => {
  const { doubts } = readFile(new TextEncoder().encode(text), {
    collection: 'products',
    match: text.includes('S-0') ? 'sku' : undefined,
  });
  expect(doubts).toEqual([]);
});

it('Objects that may be cut off are not printed by read, and of other doubts {} is', async () => {
  const { command } = await shop();
  const cut = await command(['read', '-'], { stdin: printed(2).trimEnd() });
  expect([cut.code, cut.stdout]).toEqual([1, '']);
  expect(cut.stderr).toContain('the last one, has no line end');
  const page = await command(['read', '-'], { stdin: listsOf(4, 2) });
  expect([page.code, page.stdout.split('\n')[0]]).toEqual([1, '{}']);
});

// A spreadsheet has made one text of several long numbers.
it.each([
  ['CSV', 'sku,handle,title\n4.00638E+12,a,A\n4.00638E+12,b,B\n', 'sku', 'handle'],
  [
    'CSV with control characters',
    'sku,handle,title\n4.00638E+12\u0001,a,A\n\u00024.00638E+12,b,B\n',
    'sku',
    'handle',
  ],
  ['CSV in which it is a handle', 'sku,handle\na,4E+12\nb,4E+12\n', 'handle', 'sku'],
  ['the CSV of Shopify', shopify('a,A,"4,00638E+12",1', 'b,B,"4,00638E+12",1'), 'sku', 'handle'],
  ['its handles', shopify('4E+12,A,a,1', '4E+12,A,b,1'), 'handle', 'sku'],
  [
    'the CSV of WooCommerce',
    'ID,Type,SKU,Name,Published,Regular price\n1,simple,4E+12,A,1,1\n2,simple,4E+12,B,1,1\n',
    'sku',
    'storeVariantId',
  ],
  [
    'the CSV of codes of Shopify',
    'Name,Value,Value Type,Type\n4E+12,-5.0,percentage,Amount Off\n4E+12,-5.0,percentage,Amount Off\n',
    'code',
    undefined,
  ],
])('A number that a spreadsheet has shortened is no key: %s', (_, text, key, other) => {
  const collection = key === 'code' ? 'coupon-codes' : 'products';
  const read = (match: string): ReturnType<typeof said> =>
    said(readFile(new TextEncoder().encode(text), { collection, match }));
  const { items, skipped, doubts } = read(key);
  expect([items, skipped.length]).toEqual([[], 2]);
  expect(doubts).toEqual([expect.stringContaining(`have no ${key} that can be read`)]);
  if (other === undefined) return;
  const kept = read(other);
  expect(kept.doubts).toEqual([]);
  expect(JSON.stringify(kept.items)).not.toContain('E+12');
  expect(kept.skipped).toHaveLength(2);
  for (const { reason } of kept.skipped) expect(reason).toContain('a spreadsheet has shortened');
});

it.each([
  ['CSV', 'sku,handle,title\n"A\nB",b,B\nC,c,C\n', 'sku', 'handle'],
  ['CSV in which it is a handle', 'sku,handle\nA,"a\nB"\nC,c\n', 'handle', 'sku'],
  ['the CSV of Shopify', shopify('a,A,"A\nB",1', 'c,C,C,1'), 'sku', 'handle'],
  ['its handles', shopify('"a\nb",A,A,1', 'c,C,C,1'), 'handle', 'sku'],
  [
    'the CSV of WooCommerce',
    'ID,Type,SKU,Name,Published,Regular price\n1,simple,"A\nB",A,1,1\n2,simple,C,C,1,1\n',
    'sku',
    'storeVariantId',
  ],
  [
    'its ids',
    'ID,Type,SKU,Name,Published,Regular price\n"1\n2",simple,A,A,1,1\n3,simple,C,C,1,1\n',
    'storeVariantId',
    'sku',
  ],
  [
    'the CSV of codes of Shopify',
    'Name,Value,Value Type,Type\n"A\nB",-5.0,percentage,Amount Off\nC,-5.0,percentage,Amount Off\n',
    'code',
    undefined,
  ],
])('A cell with a line end is no key, and may be two rows: %s', (_, text, key, other) => {
  const collection = key === 'code' ? 'coupon-codes' : 'products';
  const read = (match: string): ReturnType<typeof said> =>
    said(readFile(new TextEncoder().encode(text), { collection, match }));
  const joined =
    'Quotation marks or line ends are out of place, so rows may have been read as one.';
  const { items, doubts } = read(key);
  expect(items).toHaveLength(1);
  expect(doubts).toContainEqual(joined);
  if (other === undefined) return;
  const kept = read(other);
  expect(kept.doubts).toEqual([joined]);
  expect(JSON.stringify(kept.items)).not.toMatch(/[a1] [b2]/i);
});

it('Of two products with one such SKU, neither has the variation that names it', () => {
  const text =
    'ID,Type,SKU,Name,Published,Regular price,Parent\n1,variable,4E+12,A,1,,\n2,variable,4E+12,B,1,,\n3,variation,V,A - M,1,1,4E+12\n';
  const { items } = readFile(new TextEncoder().encode(text), { collection: 'products' });
  expect(items).toEqual([]);
});

// A row of a spreadsheet may end before its last columns, and says nothing of them.
it.each([
  ['Shopify', 'Handle,Title,Variant Price,Body (HTML),Image Src,Variant SKU,Status', 'a,A,1'],
  [
    'WooCommerce',
    'ID,Type,Name,Published,Regular price,Description,Images,SKU,Stock',
    '1,simple,A,1,1',
  ],
])('A cell that a row does not have leaves its field as it is: %s', (_, header, row) => {
  const { items, skipped, doubts } = readFile(new TextEncoder().encode(`${header}\n${row}\n`), {
    collection: 'products',
  });
  expect(items).toMatchObject([{ title: 'A', priceCents: 100 }]);
  const absent = ['description', 'imageUrl', 'imageUrls', 'sku', 'storeInventoryQuantity'];
  expect(Object.keys(items[0] ?? {}).filter((name) => absent.includes(name))).toEqual([]);
  expect([skipped, doubts]).toEqual([[], []]);
});

it('A limit that a row of codes does not have stays as it is', () => {
  const text =
    'Name,Value,Value Type,Type,Usage Limit Per Code,Status\nA,-5.0,percentage,Amount Off\n';
  const { items } = readFile(new TextEncoder().encode(text), { collection: 'coupon-codes' });
  expect(items).toEqual([{ code: 'A', discountPercent: 5 }]);
});
