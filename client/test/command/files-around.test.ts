import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../src/command/files/read-file.ts';
import type { Content, ReadOptions } from '../../src/stores/source.ts';

// What programs put around a table, and in place of its values, is not its content.

function readBytes(bytes: Uint8Array, options: Partial<ReadOptions> = {}): Content {
  return readFile(bytes, { collection: 'products', match: 'sku', ...options });
}

function read(text: string, options: Partial<ReadOptions> = {}): Content {
  return readBytes(new TextEncoder().encode(text), options);
}

/** What is read of a file, without what says where it was. */
function meaning({ items, skipped, doubts, places }: Content): unknown {
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
])('A file of %s means the same', (_, text) => {
  it.each([
    ['U+001A at its end', `${text}\u001a`],
    ['U+001A and blank lines at its end', `${text}\u001a\u001a\r\n\r\n`],
    ['a byte order mark', `\ufeff${text}`],
  ])('with %s', (_case, around) => {
    expect(meaning(read(around))).toEqual(meaning(read(text)));
  });
});

it('A file that ends within a row may be cut off, with U+001A at its end too', () => {
  expect(read(`${OWN}00125,Cap,1\u001a`).doubts).toEqual([
    expect.stringContaining('Row 4, the last one, has no line end'),
  ]);
});

describe('A table means the same', () => {
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
    ['="…" in quotation marks', OWN.replaceAll(/00\d+/g, '"=""$&"""'), OWN],
    ['="…" without them', OWN.replaceAll(/00\d+/g, '="$&"'), OWN],
    ['="…" in an export', WOOCOMMERCE.replaceAll(/00\d+/g, '="$&"'), WOOCOMMERCE],
    [
      '="…" in its last cell',
      'title,sku\nJar,="00123"\nLid,="00124"\n',
      'title,sku\nJar,00123\nLid,00124\n',
    ],
  ])('with %s', (_, around, text) => {
    expect(meaning(read(around))).toEqual(meaning(read(text)));
  });

  it('but text that looks alike within a cell stays', () => {
    const description = '<a href="x">a,="b",c</a>\n="d"';
    const csv = `sku,description\nA,"${description.replaceAll('"', '""')}"\n`;
    expect(read(csv).items).toEqual([{ sku: 'A', description }]);
  });
});

describe('A file that is something else is named as what it is', () => {
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
  ])('%s', (text, sentence) => {
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
  ])('%s', (_, bytes, sentence) => {
    expect(() => readBytes(bytes)).toThrow(sentence);
  });
});
