import { describe, expect, it } from 'vitest';
import { decodeExport, readTable } from '../../tools/import/export-table.ts';
import { read } from './importer.ts';

const OPTIONS =
  'Handle,Title,Option1 Value,Option2 Value,Variant SKU,Variant Inventory Qty,Variant Price,Image Src,Variant Image';

describe('The variants of a product', () => {
  const shirt = [
    OPTIONS,
    'shirt,Shirt,,,,,,https://x.example/1.jpg,',
    'cap,Cap,Default Title,,CAP,1,5.00,,',
    'shirt,Shirt,M,Off White,S-M,3,9.00,,https://x.example/m.jpg',
    ',,,,,,,,',
    'shirt,,L,Red,S-L,4,9.50,https://x.example/2.jpg,',
  ].join('\n');

  it('are products, with the texts and images of the product', () => {
    const imageUrls = ['https://x.example/1.jpg', 'https://x.example/2.jpg'];
    const { products, skipped, reduced } = read(shirt);
    expect([skipped, reduced]).toEqual([[], []]);
    expect(products).toMatchObject([
      {
        ...{ handle: 'shirt-m-off-white', title: 'Shirt - M / Off White', sku: 'S-M', imageUrls },
        ...{ priceCents: 900, storeInventoryQuantity: 3, imageUrl: 'https://x.example/m.jpg' },
      },
      {
        ...{ handle: 'shirt-l-red', title: 'Shirt - L / Red', sku: 'S-L', imageUrls },
        ...{ priceCents: 950, storeInventoryQuantity: 4, imageUrl: 'https://x.example/1.jpg' },
      },
      { handle: 'cap', title: 'Cap', sku: 'CAP' },
    ]);
  });

  it('are one product with --variants first', () => {
    const { products, reduced } = read(shirt, { variants: 'first' });
    expect(products).toMatchObject([
      { handle: 'shirt', title: 'Shirt', sku: 'S-M', priceCents: 900, storeInventoryQuantity: 7 },
      { handle: 'cap' },
    ]);
    expect(reduced).toEqual([
      { handle: 'shirt', reason: "1 more variant; only the first one's price and SKU" },
    ]);
  });

  it.each([
    ['two variants with one handle', ['a,A,M-1,,S1,1,1,,', 'a,,M 1,,S2,1,1,,'], ['a-m-1', 'a-m-1']],
    [
      'a variant and another product',
      ['a,A,M,,,,1,,', 'a,,L,,,,1,,', 'a-m,B,,,,,1,,'],
      ['a-m', 'a-m'],
    ],
    ['two titles', ['a,A,,,,,1,,', 'a,B,,,,,1,,'], ['a', 'a']],
  ])('with a handle in common are not imported: %s', (_, rows, handles) => {
    const { skipped, products, values } = read([OPTIONS, 'ok,Ok,,,,,1,,', ...rows].join('\n'));
    expect(skipped.map(({ handle }) => handle)).toEqual(handles);
    expect(products.map(({ handle }) => handle)).not.toContain(handles[0]);
    // What --prune keeps.
    expect([...values.handle]).toEqual(expect.arrayContaining(['ok', ...handles]));
  });

  it.each([
    ['סל', 'a-סל'],
    ['Größe 1/2', 'a-grosse-1-2'],
  ])('have a handle in any script: %s', (option, handle) => {
    const { products } = read([OPTIONS, `a,A,${option},,,,1,,`, 'a,,x,,,,1,,'].join('\n'));
    expect(products[0]?.handle).toBe(handle);
  });
});

describe('A file', () => {
  const rows = ['Handle,Title,Variant SKU,Variant Price', 'mug,Mug,M-1,9.50'].join('\n');

  it.each([
    ['the new template', rows.replace('Handle', 'URL handle').replaceAll('Variant ', '')],
    ['spaces and another case', rows.replace('Handle,Title', ' handle , TITLE')],
    ['semicolons', rows.replaceAll(',', ';')],
    ['tabs', rows.replaceAll(',', '\t')],
    ['a carriage return and a tab', rows.replace('mug,Mug', 'mug,"\tMug\r"')],
    ['the product in two templates', rows.replace(/$/gm, ',x').replace(',x', ',SKU')],
  ])('with %s is read', (_, csv) => {
    expect(read(csv).products).toMatchObject([
      { handle: 'mug', title: 'Mug', sku: 'M-1', priceCents: 950 },
    ]);
  });

  it('has a space in place of a carriage return or tab inside a one-line cell', () => {
    const { products } = read('Handle,Title,Body (HTML),Variant Price\na,"A\rb\tc","A\tb",1');
    expect(products).toMatchObject([{ title: 'A b c', description: 'A\tb' }]);
  });

  it.each([['utf-16le'], ['utf-16be']])('in %s with a byte order mark is read', (encoding) => {
    const bytes = Array.from(`\uFEFF${rows}`, (unit) => unit.charCodeAt(0)).flatMap((unit) =>
      encoding === 'utf-16le' ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff],
    );
    expect(read(decodeExport(Uint8Array.from(bytes))).products).toHaveLength(1);
  });

  it.each([
    ['', 'the file is empty'],
    [
      'Handle,Name',
      'it has no column Title and no column Variant Price or Price, only Handle, Name',
    ],
    ['Handle;Title', 'it has no column Variant Price or Price, only Handle, Title'],
    ['Handle,Title,Price, price', 'it has two columns Price'],
  ])('with the header %j is refused', (csv, reason) => {
    expect(() => readTable(csv)).toThrow(`This is not a Shopify product export: ${reason}.`);
  });
});

// Shopify writes an apostrophe before what a spreadsheet would take for a number or a formula.
it.each([
  ["'0112", '0112'],
  ["'=A1", '=A1'],
  ["'-5", '-5'],
  ["'tis", "'tis"],
  ["It's", "It's"],
  ["''0112", "''0112"],
])('The SKU %s of an export is %s', (sent, sku) => {
  const csv = `Handle,Title,Variant SKU,Variant Price\nmug,'+1 Mug,${sent},9.50`;
  const { products, values } = read(csv);
  expect(products).toMatchObject([{ title: '+1 Mug', sku }]);
  expect([...values.sku]).toEqual([sku]);
});

it.each([
  ['Caf\u0099e', 'x', 'title', 'U+0099', 'Caf'],
  ['A', 'one\r\ntwo\u0000', 'description', 'U+0000', 'one\r\ntwo'],
])('A control character is named with its place: %j, %j', (title, text, field, code, before) => {
  const { skipped } = read(`Handle,Title,Body (HTML),Price\na,${title},"${text}",1`);
  const reason = `its ${field} has the control character ${code} after "${before}"`;
  expect(skipped).toEqual([{ handle: 'a', reason }]);
});

describe('A price in the minor unit of its currency', () => {
  it.each([
    ['42.9', 'USD', 4290],
    ['1200', 'JPY', 1200],
    ['1200.00', 'JPY', 1200],
    ['1200.50', 'JPY', undefined],
    ['1.234', 'KWD', 1234],
    ['1.2340', 'KWD', 1234],
    ['1200', 'HUF', 120_000],
    ['1.999', 'USD', undefined],
    ['1,299.00', 'USD', 129_900],
    ['1 299.00', 'USD', 129_900],
    ['1\u00a0234\u202f567', 'EUR', 123_456_700],
    ['$1,299', 'USD', 129_900],
    ['1299 €', 'EUR', 129_900],
    ['CA$ 5', 'CAD', 500],
    ['5.00 kr', 'SEK', 500],
    ['EUR5', 'EUR', 500],
    ['1,29.00', 'USD', undefined],
    ['1,2345', 'USD', undefined],
    ['1e3', 'USD', undefined],
    ['-5', 'USD', undefined],
    ['$', 'USD', undefined],
  ])('%s %s is %s', (price, currencyCode, expected) => {
    expect(readPrice(price, { currencyCode }).products[0]?.priceCents).toBe(expected);
  });

  it.each([
    ['33,61', 3361],
    ['1.299,00', 129_900],
    ['€ 1 299,5', 129_950],
    ['1299', 129_900],
  ])('%s needs --decimal-comma, or has no comma', (price, expected) => {
    const decimalComma = true;
    const { products } = readPrice(price, { currencyCode: 'EUR', decimalComma });
    expect(products[0]?.priceCents).toBe(expected);
  });

  it.each([
    ['33,61', false, ': use --decimal-comma'],
    ['1.299,00', false, ': use --decimal-comma'],
    ['33.61', true, ': leave out --decimal-comma'],
    ['€5', false, ', and --currency is USD'],
    ['1e3', false, ''],
  ])('%s is refused in words', (price, decimalComma, reason) => {
    const { skipped } = readPrice(price, { decimalComma });
    expect(skipped).toEqual([{ handle: 'a', reason: `its price is "${price}"${reason}` }]);
  });

  function readPrice(price: string, options: Parameters<typeof read>[1]): ReturnType<typeof read> {
    return read(`Handle,Title,Variant Price\na,A,"${price}"\n`, options);
  }

  it('is not the compare-at price, which is counted', () => {
    const header = 'Handle,Title,Option1 Value,Price,Compare-at price';
    const { products, comparePrices } = read(`${header}\na,A,M,1,2\na,,L,1,\nb,B,,1,3\nc,C,,x,3`);
    expect(products.map(({ priceCents }) => priceCents)).toEqual([100, 100, 100]);
    expect(comparePrices).toBe(2);
  });
});

describe('The status of a product', () => {
  it.each([
    ['active', 'false', 'ACTIVE'],
    ['Draft', 'true', 'DRAFT'],
    ['unlisted', '', 'UNLISTED'],
    ['', 'TRUE', 'ACTIVE'],
    ['', 'false', 'DRAFT'],
    ['', '', 'DRAFT'],
  ])('%j, published %j, is %s', (status, published, expected) => {
    expect(readStatus(status, published).products[0]?.storeStatus).toBe(expected);
  });

  // Spreadsheets translate `true`.
  it.each([
    ['', 'WAHR', 'WAHR'],
    ['', '1', '1'],
    ['hidden', 'true', 'hidden'],
  ])('%j, published %j, is no reason to hide or to show it', (status, published, word) => {
    expect(readStatus(status, published)).toMatchObject({
      products: [],
      skipped: [{ handle: 'a', reason: `its status is "${word}"` }],
    });
  });

  function readStatus(status: string, published: string): ReturnType<typeof read> {
    const csv = `Handle,Title,Variant Price,Status,Published\na,A,1,${status},${published}\n`;
    return read(csv);
  }
});
