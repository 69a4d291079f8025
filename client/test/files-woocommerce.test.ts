import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { FileError } from '../src/command/file-error.ts';
import type { ReadOptions } from '../src/command/files/read-file.ts';
import { readFile } from '../src/command/files/read-file.ts';
import type { Content } from '../src/command/source.ts';
import { products } from '../../src/resources/products.ts';

/** Reads a file that is complete, though its last line may have no end. */
function read(text: string, options: Partial<ReadOptions> = {}): Content {
  return readFile(new TextEncoder().encode(text), {
    collection: 'products',
    whole: true,
    ...options,
  });
}

const HEADER =
  'ID,Type,SKU,Name,Published,Description,Stock,Sale price,Regular price,Images,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)';

/** Returns an export whose header has another case. */
function file(...rows: readonly string[]): string {
  return ['\uFEFF' + HEADER.replace('Regular price', 'regular PRICE'), ...rows].join('\r\n');
}

const SHIRT =
  '10,variable,SHIRT,Shirt,1,"Soft\\nShirt, \\\\n",7,,,"https://x.example/1\\,a.jpg, https://x.example/2.jpg",,Color,"Red, Blue",Size,"M, L"';

describe('An export of WooCommerce', () => {
  const rows = [
    '11,"variation, virtual",S-1,Shirt - Red,1,,3.0000,8,9.50,,id:10,Color,Light Blue,Size,M',
    '12,variation,S-2,Shirt,0,Own,parent,,9.75,https://x.example/own.jpg,SHIRT,Color,S20+,Size,',
    SHIRT,
    `20,"Simple, Downloadable",'=MUG,Mug,-1,,'-2,,"1,200.00",,,Size,"M, L",,`,
  ];

  it('has a product for each row that is sold, in any order', () => {
    const { items, ...rest } = read(file(...rows));
    expect(rest).toEqual({
      format: 'woocommerce',
      places: ['row 2', 'row 3', 'row 5'],
      skipped: [],
      doubts: [],
      notes: ['1 sale price was left out.'],
      match: 'storeVariantId',
      source: 'WOOCOMMERCE',
    });
    const withSuffix: unknown = expect.stringMatching(/^shirt-s20-\w{6}$/);
    expect(items).toEqual([
      {
        title: 'Shirt - Light Blue / M',
        handle: 'shirt-light-blue-m',
        currencyCode: 'USD',
        source: 'WOOCOMMERCE',
        priceCents: 950,
        sku: 'S-1',
        storeVariantId: '11',
        storeProductId: '10',
        description: 'Soft\nShirt, \\n',
        imageUrls: ['https://x.example/1,a.jpg', 'https://x.example/2.jpg'],
        imageUrl: 'https://x.example/1,a.jpg',
        storeInventoryQuantity: 3,
        storeStatus: 'ACTIVE',
      },
      {
        title: 'Shirt - S20+',
        handle: withSuffix,
        currencyCode: 'USD',
        source: 'WOOCOMMERCE',
        priceCents: 975,
        sku: 'S-2',
        storeVariantId: '12',
        storeProductId: '10',
        description: 'Own',
        imageUrls: ['https://x.example/own.jpg'],
        imageUrl: 'https://x.example/own.jpg',
        storeInventoryQuantity: 7,
        storeStatus: 'DRAFT',
      },
      {
        title: 'Mug',
        handle: 'mug',
        currencyCode: 'USD',
        source: 'WOOCOMMERCE',
        priceCents: 120_000,
        sku: '=MUG',
        storeVariantId: '20',
        storeProductId: '20',
        description: '',
        imageUrls: [],
        imageUrl: null,
        storeInventoryQuantity: -2,
        storeStatus: 'DRAFT',
      },
    ]);
    for (const item of items) expect(z.safeParse(products.patchBody, item).error).toBeUndefined();
  });

  it('has one product for all variations with --variants first', () => {
    const { items, notes } = read(file(...rows), { variants: 'first' });
    expect(items).toMatchObject([
      { title: 'Shirt', handle: 'shirt', storeVariantId: '11', storeInventoryQuantity: 10 },
      { title: 'Mug' },
    ]);
    expect(notes).toContain('Only the first variant of 1 product was read.');
  });

  it('without IDs matches by SKU, and its variations find their parents by SKU', () => {
    const csv = [
      'Type,SKU,Name,Regular price,Parent,Attribute 1 value(s)',
      'variation,V,,1,P,Red',
      'variable,P,Parent,,,',
      'simple,,No SKU,2,,',
    ].join('\n');
    const { items, match, skipped, doubts } = read(csv);
    expect(items).toEqual([
      {
        title: 'Parent - Red',
        handle: 'parent-red',
        currencyCode: 'USD',
        source: 'WOOCOMMERCE',
        priceCents: 100,
        sku: 'V',
      },
    ]);
    expect([match, skipped, doubts]).toEqual([
      'sku',
      [{ key: null, reason: 'row 4 has no sku', kind: 'problem' }],
      [
        '1 product has no sku that can be read, so nobody can tell which product of the service it is. Use --match handle, which all of them have.',
      ],
    ]);
  });

  it.each([
    ['1,grouped,S,A,1,,,,,,,,,,', 'its type is "grouped"', 'unsupported'],
    ['1,"external, virtual",S,A,1,,,,5,,,,,,', 'its type is "external, virtual"', 'unsupported'],
    ['1,variation,S,A,1,,,,5,,id:99,,,,', 'its parent is not in the file', 'problem'],
    ['1,variation,S,A,1,,,,5,,,,,,', 'its parent is not in the file', 'problem'],
    ['1,simple,S,A,1,,,,,,,,,,', 'it has no price', 'unsupported'],
    ['1,simple,S,A,1,,,,"5,5",,,,,,', 'its price is "5,5": use --decimal-comma', 'problem'],
    ['1,simple,S,,1,,,,5,,,,,,', 'it has no name', 'problem'],
    ['1,simple,S,A,1,,many,,5,,,,,,', 'its quantity is "many"', 'problem'],
    ['1,simple,S,A,1,,2.5,,5,,,,,,', 'its quantity is "2.5"', 'problem'],
    ['1,simple,S,A,yes,,,,5,,,,,,', 'its column Published has "yes"', 'problem'],
  ])('skips a row with its key: %s', (row, reason, kind) => {
    const { items, skipped, doubts } = read(file(row));
    expect({ items, skipped, doubts }).toEqual({
      items: [],
      skipped: [{ key: '1', reason, kind }],
      doubts: [],
    });
    expect(read(file(row), { match: 'sku' }).skipped).toEqual([{ key: 'S', reason, kind }]);
  });

  it.each([
    ['1', 'ACTIVE'],
    ['0', 'DRAFT'],
    ['-1', 'DRAFT'],
  ])('sells a variation only if its parent is published: %s is %s', (published, storeStatus) => {
    const parent = `1,variable,P,A,${published},,,,,,,,,,`;
    const { items } = read(file(parent, '2,variation,V,A - M,1,,,,5,,id:1,Size,M,,'));
    expect(items).toEqual([expect.objectContaining({ sku: 'V', storeStatus })]);
  });

  it('has an unclear row if one has no ID', () => {
    expect(read(file(',simple,S,A,1,,,,5,,,,,,'))).toMatchObject({
      items: [],
      skipped: [{ key: null, reason: 'row 2 has no storeVariantId', kind: 'problem' }],
      doubts: [
        '1 product has no storeVariantId that can be read, so nobody can tell which product of the service it is. Use --match sku, which all of them have.',
      ],
    });
  });

  it.each([[HEADER, { match: 'title' }, 'This export from WooCommerce has no title. Match by']])(
    'is refused: %j, %j',
    (csv, options, sentence) => {
      expect(() => read(csv, options)).toThrow(FileError);
      expect(() => read(csv, options)).toThrow(sentence);
    },
  );
});
