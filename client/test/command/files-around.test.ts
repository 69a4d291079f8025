import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../src/command/files/read-file.ts';
import type { Content, ReadOptions } from '../../src/stores/source.ts';
import type { ContentSaid } from './content-said.ts';
import { said } from './content-said.ts';

// What programs put around a table, and in place of its values, is not its content.

function readBytes(bytes: Uint8Array, options: Partial<ReadOptions> = {}): Content {
  return readFile(bytes, { collection: 'products', match: 'sku', ...options });
}

function read(text: string, options: Partial<ReadOptions> = {}): ContentSaid {
  return said(readBytes(new TextEncoder().encode(text), options));
}

/** What is read of a file, without what says where it was. */
function meaning({ items, skipped, doubts, places }: ContentSaid): unknown {
  return { items, skipped, doubts, places };
}

const OWN = 'sku,title,priceCents\n00123,Jar,1250\n00124,"Lid, small",250\n';
const LINES = '{"sku":"00123","title":"Jar"}\n{"sku":"00124","title":"Lid"}\n';
const WOOCOMMERCE =
  'ID;Type;SKU;Name;Published;Stock;Regular price\n1;simple;00123;Jar;1;4;12.50\n2;simple;00124;Lid;1;4;2.50\n';

describe.each([
  ['CSV of this API', OWN],
  ['NDJSON', LINES],
  ['JSON', `[${LINES.trim().replace('\n', ',')}]\n`],
  ['an export of WooCommerce', WOOCOMMERCE],
])('%s', (_, text) => {
  it.each([
    ['U+001A at its end', `${text}\u001a`],
    ['U+001A and blank lines at its end', `${text}\u001a\u001a\r\n\r\n`],
    ['a byte order mark', `\ufeff${text}`],
  ])('A file means the same with what programs put around it: %s', (_case, around) => {
    expect(meaning(read(around))).toEqual(meaning(read(text)));
  });
});

it('A file that ends within a row may be cut off, with U+001A at its end too', () => {
  expect(read(`${OWN}00125,Cap,1\u001a`).doubts).toEqual([
    expect.stringContaining('Row 4, the last one, has no line end'),
  ]);
});

it.each([
  ['sep=; as first line', `sep=;\n${WOOCOMMERCE}`, WOOCOMMERCE],
  ['sep=; with CRLF', `sep=;\r\n${WOOCOMMERCE.replaceAll('\n', '\r\n')}`, WOOCOMMERCE],
  ['sep=; in quotation marks', `"sep=;"\n${WOOCOMMERCE}`, WOOCOMMERCE],
  [
    'a delimiter that its first line names',
    `sep=|\n${WOOCOMMERCE.replaceAll(';', '|')}`,
    WOOCOMMERCE,
  ],
  ['sep=, as first line', `sep=,\n${OWN}`, OWN],
  ['CR CR LF', OWN.replaceAll('\n', '\r\r\n'), OWN],
  [
    'CR CR LF after quotation marks',
    '"sku","title"\r\r\n"A","Jar"\r\r\n"B","Lid"\r\r\n',
    'sku,title\nA,Jar\nB,Lid\n',
  ],
  ['CR CR LF, LF, and CRLF', 'sku,title\r\r\nA,Jar\nB,Lid\r\n', 'sku,title\nA,Jar\nB,Lid\n'],
  ['sep=, as first line with CR CR LF', `sep=,\n${OWN}`.replaceAll('\n', '\r\r\n'), OWN],
  ['="…" in quotation marks', OWN.replaceAll(/00\d+/g, '"=""$&"""'), OWN],
  ['="…" without them', OWN.replaceAll(/00\d+/g, '="$&"'), OWN],
  ['="…" and control characters', OWN.replaceAll(/00\d+/g, '"=""$&""\u0001"'), OWN],
  ['control characters in numbers', WOOCOMMERCE.replaceAll(/4|50/g, '$&\u0001'), WOOCOMMERCE],
  ['="…" in an export', WOOCOMMERCE.replaceAll(/00\d+/g, '="$&"'), WOOCOMMERCE],
  [
    '="…" in its last cell',
    'title,sku\nJar,="00123"\nLid,="00124"\n',
    'title,sku\nJar,00123\nLid,00124\n',
  ],
])('A table means the same with what spreadsheets put into it: %s', (_, around, text) => {
  expect(meaning(read(around))).toEqual(meaning(read(text)));
});

it.each([
  ['own fields', 'sku,title\nA,J\u0001ar\n', 'sku'],
  ['Shopify', 'Handle,Title,Variant SKU,Variant Price\na,J\u0001ar,A,1\n', 'sku'],
  ['WooCommerce', 'ID,Type,SKU,Name,Regular price\n1,simple,A,J\u0001ar,1\n', 'sku'],
  [
    'codes of Shopify',
    'Name,Value,Value Type,Type\nJ\u0001ar,-5.0,percentage,Amount Off\n',
    'code',
  ],
])('A control character that is removed from a table is counted once: %s', (_, text, match) => {
  const collection = match === 'code' ? 'coupon-codes' : 'products';
  const { items, notes } = read(text, { match, collection });
  expect(items).toMatchObject([match === 'code' ? { code: 'Jar' } : { title: 'Jar' }]);
  expect(notes).toEqual(['1 control character was removed.']);
});

it('A text in a cell that looks like what spreadsheets put there stays', () => {
  const description = '<a href="x">a,="b",c</a>\n="d"';
  const csv = `sku,description\nA,"${description.replaceAll('"', '""')}"\n`;
  expect(read(csv).items).toEqual([{ sku: 'A', description }]);
});

it.each([
  [
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><tr><th>Handle</th></tr></table></html>',
    /^The file is a table in HTML, whatever its name says\. Open it/,
  ],
  [
    '\n<!doctype html><html><title>Log in</title></html>',
    /^The file begins with HTML, as a page to log in/,
  ],
  [
    '<br />\n<b>Deprecated</b>: x<br />\nsku,title\nA,B\n',
    /^The file begins with HTML, as .* an error/,
  ],
  [
    '<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><item/></rss>',
    /^The file is XML, a Google or Meta catalogue, which.*"Another platform"/,
  ],
  ['<?xml version="1.0"?><products/>', /^The file is XML, which .*"Another platform"/],
  [
    '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>',
    /^The file is a workbook/,
  ],
])('A text file that is something else is named as what it is: %s', (text, sentence) => {
  expect(() => read(text)).toThrow(sentence);
});

it.each([
  [
    'gzip',
    gzipSync(OWN),
    'The file is compressed with gzip. Unpack it, and use the file that is in it.',
  ],
  ['zstd', Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'The file is compressed with zstd.'],
  ['xz', Uint8Array.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), 'The file is compressed with xz.'],
  ['7z', Uint8Array.from([0x37, 0x7a, 0xbc, 0xaf, 0x27]), 'The file is a 7-Zip archive.'],
])('A binary file that is something else is named as what it is: %s', (_, bytes, sentence) => {
  expect(() => readBytes(bytes)).toThrow(sentence);
});

const cut = 'x'.repeat(32_767);
const placeholder = (text: string): string =>
  `it is "${text}", which a program writes where there is no value`;

it.each([
  ['#N/A', placeholder('#N/A')],
  ['#REF!', placeholder('#REF!')],
  ['#NV', placeholder('#NV')],
  ['#WERT!', placeholder('#WERT!')],
  ['NULL', placeholder('NULL')],
  ['\\N', placeholder('\\N')],
  ['#N/A\u0001', placeholder('#N/A')],
  ['\u0002NULL', placeholder('NULL')],
])(
  'A placeholder that a program has put in place of a value is left out, with a reason: %s',
  (text, reason) => {
    const own = read(`sku,title,description\nA,${text},${text}\n`);
    expect(own.items).toEqual([{ sku: 'A' }]);
    expect(own.skipped).toEqual(
      ['title', 'description'].map((field) => ({
        key: 'A',
        field,
        reason: `${field}: ${reason}`,
        kind: 'problem',
      })),
    );

    const shopify = read(
      `Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price\na,${text},${text},Size,S,${text},1\na,,,,M,A-M,1\nb,B,,Size,${text},B-S,1\n`,
      { match: 'handle' },
    );
    expect(shopify.items).toMatchObject([{ handle: 'a-s' }, { handle: 'a-m', sku: 'A-M' }]);
    for (const item of shopify.items) {
      expect(Object.keys(item)).not.toContain('title');
      expect(Object.keys(item)).not.toContain('description');
    }
    expect(Object.keys(shopify.items[0] ?? {})).not.toContain('sku');
    expect(shopify.skipped.map((one) => one.reason)).toEqual([
      `title: ${reason}`,
      `description: ${reason}`,
      `sku: ${reason}`,
      `title: ${reason}`,
      `description: ${reason}`,
      'row 4 has no handle',
    ]);
    expect(shopify.doubts).toHaveLength(1);

    const woocommerce = read(
      `ID,Type,SKU,Name,Description,Regular price,Parent,Attribute 1 name,Attribute 1 value(s)\n1,simple,${text},${text},${text},1,,,\n2,variable,P,${text},,,,Size,"S, M"\n3,variation,V,,${text},1,id:2,Size,${text}\n`,
      { match: 'storeVariantId' },
    );
    expect(woocommerce.items.map((item) => Object.keys(item).sort())).toEqual([
      expect.not.arrayContaining(['title']),
      expect.not.arrayContaining(['title']),
    ]);
    expect(woocommerce.items).toMatchObject([
      { storeVariantId: '1' },
      { storeVariantId: '3', sku: 'V' },
    ]);
    expect(woocommerce.skipped.map((one) => [one.key, one.reason])).toEqual([
      ['1', `sku: ${reason}`],
      ['1', `description: ${reason}`],
      ['1', `title: ${reason}`],
      ['3', 'title: an option of the variant cannot be read'],
      ['3', 'handle: an option of the variant cannot be read'],
      ['3', `description: ${reason}`],
      ['3', `title: ${reason}`],
    ]);
  },
);

it('A placeholder in an SKU or a code that identifies deletes nothing', () => {
  for (const csv of [
    'sku,title\n#N/A,A\nB,B\n',
    'Handle,Title,Variant SKU,Variant Price\na,A,#N/A,1\nb,B,B,1\n',
    'ID,Type,SKU,Name,Regular price\n1,simple,#N/A,A,1\n2,simple,B,B,1\n',
  ]) {
    const { items, skipped, doubts } = read(csv);
    expect(items).toMatchObject([{ sku: 'B' }]);
    expect(skipped).toMatchObject([{ key: null, kind: 'problem' }]);
    expect(doubts).toHaveLength(1);
  }
  const codes = read('Name,Value,Value Type,Type\n#N/A,-5.0,percentage,Amount Off\n', {
    collection: 'coupon-codes',
    match: 'code',
  });
  expect(codes).toMatchObject({
    items: [],
    skipped: [{ key: null, reason: `row 2: code: ${placeholder('#N/A')}` }],
  });
  expect(codes.doubts).toHaveLength(1);
});

it.each([
  ['own fields', `sku,description\nA,${cut}\n`],
  ['Shopify', `Handle,Title,Body (HTML),Variant SKU,Variant Price\na,A,${cut},A,1\n`],
  ['WooCommerce', `ID,Type,SKU,Name,Description,Regular price\n1,simple,A,A,${cut},1\n`],
])('A description that a program has cut is left out, with a reason: %s', (_, csv) => {
  const { items, skipped } = read(csv);
  expect(Object.keys(items[0] ?? {})).not.toContain('description');
  expect(skipped).toEqual([
    {
      key: 'A',
      field: 'description',
      reason: 'description: it has exactly 32,767 characters, at which a spreadsheet cuts a text',
      kind: 'problem',
    },
  ]);
  expect(read(csv.replace(cut, `${cut}y`)).skipped).toEqual([]);
});

it('A value that looks like a placeholder stays', () => {
  const { items, skipped } = read('sku,title\n#A1,null\nNULL-1,#1!\n#SALE,Null\n#B,#YOLO!\n');
  expect(items).toHaveLength(4);
  expect(skipped).toEqual([]);
});

it('A file without a column of the stock does not say that the store counts none', () => {
  const shopify = read(
    'Handle,Title,Variant SKU,Variant Price,Variant Inventory Tracker\na,A,A,1,shopify\nb,B,B,1,\n',
  );
  expect(shopify.notes).toEqual([
    'The file has no inventory, which Shopify exports apart for a shop with several locations, so it was left out.',
    'The store does not count the stock of 1 product, so it was left out.',
  ]);
  const woocommerce = read(
    'ID,Type,SKU,Name,Regular price,In stock?\n1,simple,A,A,1,1\n2,simple,B,B,1,0\n',
  );
  expect(woocommerce.notes).toEqual(['The file has no column of the stock.']);
  expect(woocommerce.items[1]).toMatchObject({ storeInventoryQuantity: 0 });
  expect(Object.keys(woocommerce.items[0] ?? {})).not.toContain('storeInventoryQuantity');
});
