import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFile } from '../../src/command/files/read-file.ts';
import { csvHeader, csvRow } from '../../src/command/files/field-csv.ts';
import { couponCodes } from '../../../src/resources/coupon-codes.ts';
import { products } from '../../../src/resources/products.ts';
import { Failure } from '../../../common/failure.ts';
import { random } from '../../../test/support/random.ts';
import { readText as read } from './read-text.ts';

it('A CSV with the names of the fields has a value in each cell', () => {
  const file = read(
    [
      'sku,description,priceCents,marginPercent,featured,imageUrls,createdAt',
      'A,"two\r\nlines",1299,-1.5,TRUE,"[""https://x.example/1,2.jpg""]",yesterday',
      '=B,,x1,,maybe,,',
      'C,\u0003d\u0099,007,1e3,false,https://x.example/1.jpg,',
    ].join('\n'),
    { match: 'sku' },
  );
  expect(file).toEqual({
    format: 'csv',
    items: [
      {
        sku: 'A',
        description: 'two\r\nlines',
        priceCents: 1299,
        marginPercent: -1.5,
        featured: true,
        imageUrls: ['https://x.example/1,2.jpg'],
      },
      {
        sku: '=B',
        description: '',
        priceCents: 'x1',
        marginPercent: null,
        featured: 'maybe',
        imageUrls: [],
      },
      {
        sku: 'C',
        description: 'd',
        priceCents: 7,
        marginPercent: '1e3',
        featured: false,
        imageUrls: 'https://x.example/1.jpg',
      },
    ],
    places: ['row 2', 'row 3', 'row 4'],
    skipped: [],
    stays: [],
    doubts: [],
    notes: ['2 control characters were removed.'],
    isOfStore: false,
    match: 'sku',
    source: undefined,
  });
});

it.each([
  ['29.00', '29.00'],
  ['29', 29],
])(
  'A CSV with the names of the fields has amounts in cents: %s is taken as %j',
  (cell, priceCents) => {
    const { items } = read(`sku,priceCents\nA,${cell}\n`, { match: 'sku' });
    expect(items).toEqual([{ sku: 'A', priceCents }]);
  },
);

it('A CSV with the names of the fields names a column that is no field', () => {
  expect(() => read('sku,titel,priceCents\nA,a,1\n')).toThrow('there is no field titel.');
});

it('A CSV with the names of the fields may have an id to match by, and rows without a value', () => {
  const file = read('id,title\n1,A\n,B\n,,\n', { match: 'id' });
  expect(file.items).toEqual([{ id: '1', title: 'A' }]);
  expect(file.places).toEqual(['row 2']);
  const reason = 'Row 3 has no id.';
  expect(file.skipped).toEqual([{ key: null, reason, kind: 'problem' }]);
  // Nobody can tell which product the row means.
  expect(file.doubts).toEqual([
    '1 product has no id that can be read, so nobody can tell which product of the service it is.',
  ]);
});

it.each([
  ['id,sku,sku\n1,2,3', 'The file has two columns sku.'],
  ['title\nA', 'The file has no column sku, by which its rows are to match.'],
  [
    'code,discountPercent\nA,1',
    'The columns of the file are fields of coupon-codes. Is --collection coupon-codes meant?',
  ],
])('A CSV with wrong columns is refused: %j', (text, sentence) => {
  expect(() => read(text, { match: 'sku' })).toThrow(new Failure(sentence));
});

it.each([
  ['two parts', 'A,te\nxt,1,2,3\n', 'Rows 3 and 4'],
  ['parts of equal lengths', 'A,te,\nx,1,2\n', 'Rows 3 and 4'],
  ['more parts, one of which is empty', 'A,te\n\nxt,1,2,3\n', 'Rows 3, 4 and 5'],
])('A table with a row that a line end has divided is doubtful: into %s', (_, rows, names) => {
  const text = `sku,description,priceCents,handle,source\nB,b,2,h,S\n${rows}C,c,2,i,S\n`;
  const { items, skipped, doubts } = read(text, { match: 'sku' });
  expect(items.map(({ sku }) => sku)).toEqual(['B', 'C']);
  const reason = `${names} have the values of one row together. A text with a line end needs quotation marks.`;
  expect(skipped).toEqual([{ key: null, reason, kind: 'problem' }]);
  expect(doubts).toEqual(['1 row cannot be read, so nobody can tell what it means.']);
});

it('A table has no header of more columns than any export, for which all that looks at columns would take long', () => {
  const text = `sku${',title'.repeat(10_000)}\n`;
  expect(() => read(text, { match: 'sku' })).toThrow(
    new Failure(
      'The first row of the file has 10001 values, so it is no header. Are its line ends lost?',
    ),
  );
});

it('A table may leave out empty cells at the end of its rows, which say nothing of their fields', () => {
  const rows = ['A,a,1', 'B,b,2', 'C,c,3', 'D,d,4,,'];
  const { items, skipped, doubts } = read(
    ['sku,title,priceCents,description,imageUrl', ...rows, ''].join('\n'),
    { match: 'sku' },
  );
  expect([skipped, doubts]).toEqual([[], []]);
  expect(items[0]).toEqual({ sku: 'A', title: 'a', priceCents: 1 });
  expect(items[3]).toMatchObject({ sku: 'D', description: '', imageUrl: null });
});

it.each([
  ['CRLF and LF', 'sku,title\r\nA,a\nB,b\r\n'],
  ['CRLF after quotation marks', 'sku,title\r\nA,"a"\r\nB,"b"\r\n'],
  ['LF and CRLF', 'sku,title\nA,a\r\nB,b'],
  ['only CR', 'sku,title\rA,a\rB,b\r'],
  ['empty lines and rows', '\r\n\nsku,title\n\nA,a\n\nB,b\n , \n,,,\n\n'],
  ['semicolons', 'sku;title\nA;a\nB;b\n'],
  ['tabs', 'sku\ttitle\nA\ta\nB\tb\n'],
  ['a column without a name', 'sku,title,\nA,a,x\nB,b,,,\n'],
  ['a byte order mark in its middle', '\uFEFFsku,title\n\uFEFFA,a\nB,b\n'],
])('A table with odd line ends, quotation marks or delimiters is read: %s', (_, text) => {
  expect(read(text, { match: 'sku' })).toMatchObject({
    items: [
      { sku: 'A', title: 'a' },
      { sku: 'B', title: 'b' },
    ],
    skipped: [],
    doubts: [],
  });
});

it('A table may have another delimiter in the quotation marks of its header', () => {
  const header = 'ID,Τύπος,Όνομα,"Σε απόθεμα;",Κανονική τιμή';
  expect(read(`${header}\n1,simple,A,0,5\n`).items).toMatchObject([
    { title: 'A', storeInventoryQuantity: 0 },
  ]);
});

it('A table with only CR may have LF in its texts', () => {
  const { items } = read('sku,description\rA,"two\nlines"\rB,b\r', { match: 'sku' });
  expect(items).toEqual([
    { sku: 'A', description: 'two\nlines' },
    { sku: 'B', description: 'b' },
  ]);
});

it.each(['utf-16le', 'utf-16be'])(
  'A table in UTF-16 with a byte order mark is read: %s',
  (encoding) => {
    expect(readFile(utf16('\uFEFFsku\nÄ\n', encoding), { collection: 'products' }).items).toEqual([
      { sku: 'Ä' },
    ]);
  },
);

it('A table with more values than columns in a row has an unclear row', () => {
  const file = read('sku,title\nA,a, b\nB,b\n', { match: 'sku' });
  expect(file.items).toEqual([{ sku: 'B', title: 'b' }]);
  expect(file.skipped).toMatchObject([{ key: null, reason: /^Row 2 has more values/ }]);
  expect(file.doubts).toEqual(['1 row cannot be read, so nobody can tell what it means.']);
});

const sentence =
  'Row 3, the last one, has no line end, so the file may have been cut off. If it is complete, use --whole.';

it.each([
  ['is taken, if it is complete', 'B,b,15', { sku: 'B', title: 'b', priceCents: 15 }],
  ['is skipped, if it lacks values', 'B,b', undefined],
])(
  'A last row without a line end is doubtful, and is taken only if it is complete: it %s',
  (_, last, item) => {
    const csv = `sku,title,priceCents\nA,a,1590\n${last}`;
    const file = read(csv, { match: 'sku', whole: false });
    const first = { sku: 'A', title: 'a', priceCents: 1590 };
    expect(file.items).toEqual(item === undefined ? [first] : [first, item]);
    expect(file.skipped.map(({ reason }) => reason)).toEqual(
      item === undefined ? ['The file ends within row 3.'] : [],
    );
    expect(file.doubts).toEqual([sentence]);
  },
);

it('A last row without a line end is not doubtful if somebody says that the file is whole', () => {
  // A spreadsheet leaves out empty cells at the end of a row.
  const { items, doubts } = read('sku,title,marginPercent\nA,a,1\nB,b', { match: 'sku' });
  expect(items.at(1)).toEqual({ sku: 'B', title: 'b' });
  expect(doubts).toEqual([]);
});

it('A line end in quotation marks does not end the last row', () => {
  const { doubts } = read('sku,title\nA,"a\n"', { match: 'sku', whole: false });
  expect(doubts).toHaveLength(1);
});

it('A table may lack values in a row', () => {
  const csv = 'sku,title,priceCents\nB,b\n';
  expect(read(csv, { match: 'sku', whole: false }).doubts).toEqual([]);
});

it.each([
  ['in a text', 'sku,title\nA,5" pipe\nB,b\n', ['5" pipe', 'b']],
  ['that close too late', 'sku,title\nA,"a\nB,b"\nC,c\n', ['a B,b', 'c']],
  ['that swallow rows', 'sku,title\nA,"a\nB,"b"\nC,c\n', ['"a B,"b"', 'c']],
])('A table with quotation marks in wrong places is unclear: %s', (_, text, titles) => {
  const file = read(text, { match: 'sku' });
  expect(file.items.map(({ title }) => title)).toEqual(titles);
  expect(file.doubts).toEqual([
    'Quotation marks or line ends are out of place, so rows may have been read as one.',
  ]);
});

it.each([
  [
    'an open quotation mark',
    bytes('sku,title\nA,"a\nB,b\n'),
    /^The file is not valid CSV: .*Quote/,
  ],
  ['Latin-1', Uint8Array.from([115, 107, 117, 10, 0xe4]), /not in UTF-8/],
  ['UTF-16 without a mark', utf16('sku', 'utf-16le'), /UTF-16 without a byte order mark/],
  ['half a UTF-16', utf16('\uFEFFs', 'utf-16le').subarray(0, 3), /not in UTF-16\./],
  ['a workbook', bytes('PK\u0003\u0004…xl/workbook.xml…'), /^The file is a workbook.*CSV UTF-8/],
  ['another ZIP archive', bytes('PK\u0003\u0004…products.csv…'), /^The file is a ZIP archive/],
  ['an old workbook', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /^The file is a workbook/],
  ['a web page', bytes('<!doctype html>\n<title>Log in</title>'), /^The file begins with HTML/],
  ['a sentence', bytes('Good morning'), /Its columns are: Good morning\./],
])('A table that cannot be read is refused: it is %s', (_, file, sentence) => {
  expect(() => readFile(file, { collection: 'products' })).toThrow(Failure);
  expect(() => readFile(file, { collection: 'products' })).toThrow(sentence);
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '"', ',', ';', '\n', '\r', 'a') }),
);
const line = text.map((one) => one.replace(/\s|\p{Cc}/gu, '').normalize('NFC'));
const lines = text.map((one) => one.replace(/[^\P{Cc}\t\n\r]/gu, '').trim());

it('The line ends in a text stay as they are', () => {
  const { items } = read('sku,description\r\r\nA,"a\r\r\nb\rc\nd"\r\r\n', { match: 'sku' });
  expect(items).toEqual([{ sku: 'A', description: 'a\r\r\nb\rc\nd' }]);
});

it('A resource that is written as CSV is read back as it was', () => {
  const product = fc.record({
    id: fc.uuid(),
    title: line,
    description: lines,
    sku: fc.option(line.filter((one) => one !== '')),
    priceCents: fc.nat(),
    marginPercent: fc.option(fc.integer({ min: -1000, max: 100 })),
    featured: fc.boolean(),
    imageUrl: fc.option(fc.webUrl()),
    imageUrls: fc.array(fc.oneof(fc.webUrl(), line)),
    createdAt: fc.constant('2026-01-01T00:00:00.000Z'),
  });
  fc.assert(
    fc.property(fc.array(product, { minLength: 1, maxLength: 4 }), (all) => {
      const rows = [csvHeader('products'), ...all.map((one) => csvRow('products', one))];
      const csv = `${rows.join('\n')}\n`;
      const { items, doubts } = read(csv, { match: 'id' });
      expect(doubts).toEqual([]);
      const sent = all.map(({ createdAt: _, ...fields }) => fields);
      expect(items.map((item, index) => pick(item, Object.keys(sent[index] ?? {})))).toEqual(sent);
    }),
    random(100),
  );
});

it.each([
  ['products', products],
  ['coupon-codes', couponCodes],
] as const)('A resource that is written as CSV has all columns: %s', (path, { visible }) => {
  expect(csvHeader(path)).toBe(`\uFEFF${Object.keys(visible).join(',')}`);
});

it('A resource that is written as CSV has an apostrophe before a formula', () => {
  const row = csvRow('coupon-codes', { code: '=1', description: "'=2", currentUses: -3 });
  const cells = row.split(',');
  expect(cells.filter((cell) => cell !== '')).toEqual(["'=1", '-3', "''=2"]);
});

function pick(item: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function utf16(text: string, encoding: string): Uint8Array {
  return Uint8Array.from(
    Array.from(text, (unit) => unit.charCodeAt(0)).flatMap((unit) =>
      encoding === 'utf-16le' ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff],
    ),
  );
}
