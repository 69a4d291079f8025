import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { COLUMN_NAMES, WOOCOMMERCE_COLUMNS } from '../../src/stores/woocommerce/column-names.ts';
import { products } from '../../../src/resources/products.ts';
import { Failure } from '../../../common/failure.ts';
import { readText as read } from './read-text.ts';

const HEADER =
  'ID,Type,SKU,Name,Published,Description,Stock,Sale price,Regular price,Images,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)';

/** Returns an export whose header has another case. */
function file(...rows: readonly string[]): string {
  return ['\uFEFF' + HEADER.replace('Regular price', 'regular PRICE'), ...rows].join('\r\n');
}

const SHIRT =
  '10,variable,SHIRT,Shirt,1,"Soft\\nShirt, \\\\n",7,,,"https://x.example/1\\,a.jpg, https://x.example/2.jpg",,Color,"Red, Blue",Size,"M, L"';

const rows = [
  '11,"variation, virtual",S-1,Shirt - Red,1,,3.0000,8,9.50,,id:10,Color,Light Blue,Size,M',
  '12,variation,S-2,Shirt,0,Own,parent,,9.75,"https://x.example/own.jpg, https://x.example/3.jpg",SHIRT,Color,S20+,Size,',
  SHIRT,
  `20,"Simple, Downloadable",'=MUG,Mug,-1,,'-2,,"1,200.00",,,Size,"M, L",,`,
];

it('An export of WooCommerce has a product for each row that is sold, in any order', () => {
  const { items, ...rest } = read(file(...rows));
  expect(rest).toEqual({
    isOfStore: true,
    format: 'woocommerce',
    places: ['row 2', 'row 3', 'row 5'],
    skipped: [],
    stays: [],
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
      imageUrls: ['https://x.example/own.jpg', 'https://x.example/3.jpg'],
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

it('An export of WooCommerce without IDs matches by SKU, and its variations find their parents by SKU', () => {
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
])('An export of WooCommerce skips a row with its key: %s', (row, reason, kind) => {
  const { items, skipped, doubts } = read(file(row));
  expect({ items, skipped, doubts }).toEqual({
    items: [],
    skipped: [{ key: '1', reason, kind }],
    doubts: [],
  });
  expect(read(file(row), { match: 'sku' }).skipped).toEqual([{ key: 'S', reason, kind }]);
});

it.each([
  ['1,simple,S,A,1,,,,"5,5",,,,,,', 'priceCents', 'its price is "5,5": use --decimal-comma'],
  ['1,simple,S,,1,,,,5,,,,,,', 'title', 'it has none'],
  ['1,simple,S,A,yes,,,,5,,,,,,', 'storeStatus', 'it is "yes", which is not one that is known'],
])(
  'An export of WooCommerce leaves out a value that cannot be read, and takes the rest: %s',
  (row, field, reason) => {
    const { items, skipped, doubts } = read(file(row));
    expect(items).toMatchObject([{ storeVariantId: '1', sku: 'S', source: 'WOOCOMMERCE' }]);
    expect(Object.keys(items[0] ?? {})).not.toContain(field);
    expect(skipped).toMatchObject([{ key: '1', field, reason: `${field}: ${reason}` }]);
    expect(doubts).toEqual([]);
  },
);

it('An export of WooCommerce sells a variation only if its parent is published', () => {
  const parent = '1,variable,P,A,0,,,,,,,,,,';
  const { items } = read(file(parent, '2,variation,V,A - M,1,,,,5,,id:1,Size,M,,'));
  expect(items).toEqual([expect.objectContaining({ sku: 'V', storeStatus: 'DRAFT' })]);
});

it('An export of WooCommerce has an unclear row if one has no ID', () => {
  expect(read(file(',simple,S,A,1,,,,5,,,,,,'))).toMatchObject({
    items: [],
    skipped: [{ key: null, reason: 'row 2 has no storeVariantId', kind: 'problem' }],
    doubts: [
      '1 product has no storeVariantId that can be read, so nobody can tell which product of the service it is. Use --match sku, which all of them have.',
    ],
  });
});

it('An export of WooCommerce has no title to match by', () => {
  const sentence = 'This export from WooCommerce has no title. Match by';
  expect(() => read(HEADER, { match: 'title' })).toThrow(Failure);
  expect(() => read(HEADER, { match: 'title' })).toThrow(sentence);
});

it.each([
  [
    'French, with no-break spaces and a curly apostrophe',
    'ID,Type,UGS,Nom,Publié,Description,En stock\u00a0?,Stock,Tarif promo,Tarif\u00a0régulier,Images,Parent,Nom de l’attribut 1,"Valeur(s) de l’attribut 1 "',
  ],
  [
    'Russian, in another case',
    'ID,ТИП,Артикул,Имя,Опубликован,Описание,В наличии?,Запасы,Акционная цена,базовая цена,Изображения,Родительский,Имя атрибута 1,Значение(-я) аттрибута(-ов) 1',
  ],
  [
    'two languages',
    'ID,Typ,SKU,Nombre,Publicado,Descripción,En stock ?,Bestand,Sale price,Preço normal,Bilder,Genitore,Nome do atributo 1,Attribuut 1 waarde(n)',
  ],
])('An export of WooCommerce in another language is read: %s', (_, header) => {
  const rows = ['1,variable,P,Pole,1,Long,1,,,,,,,', '2,variation,V,,1,,1,4,8,9.5,,id:1,Size,M'];
  const { items, skipped, doubts } = read([header, ...rows].join('\n'));
  expect([skipped, doubts]).toEqual([[], []]);
  expect(items).toEqual([
    {
      title: 'Pole - M',
      handle: 'pole-m',
      currencyCode: 'USD',
      source: 'WOOCOMMERCE',
      priceCents: 950,
      sku: 'V',
      storeVariantId: '2',
      storeProductId: '1',
      description: 'Long',
      imageUrls: [],
      imageUrl: null,
      storeInventoryQuantity: 4,
      storeStatus: 'ACTIVE',
    },
  ]);
});

it('An export of WooCommerce in another language has a name for each column, and none for two', () => {
  const found = new Map<string, string>();
  for (const [language, names] of Object.entries(COLUMN_NAMES)) {
    const written = Object.values(names).filter((all) => all.length > 0 && all.every(Boolean));
    expect([language, written.length]).toEqual([language, WOOCOMMERCE_COLUMNS.length]);
    for (const [column, all] of Object.entries(names)) {
      if (column.startsWith('attribute')) for (const name of all) expect(name).toContain('%d');
      for (const name of all) {
        expect(found.get(name.toLowerCase()) ?? column).toBe(column);
        found.set(name.toLowerCase(), column);
      }
    }
  }
  expect(Object.keys(COLUMN_NAMES)).toHaveLength(18);
});

it.each([
  ['ID,SKU,Name,Regular price\n', 'but has no column "Type".'],
  ['ID,Name,Description,Regular price,Categories,Images\n1,a,b,2,c,\n', 'no column "Type".'],
  ['ID,Typ,Artikelnummer,Name,Bestand\n', 'but has no column "Regulärer Preis".'],
  ['ID,Тип,Артикул,Опубликован\n', 'but has no column "Имя" and "Базовая цена".'],
  // The type of a product is not translated.
  ['Kód,Druh,Název,Cena\n1,simple,Hrnek,5\n', 'no column "Type" and "Name".'],
])('An export of WooCommerce names the columns that it lacks: %j', (csv, sentence) => {
  expect(() => read(csv)).toThrow(Failure);
  expect(() => read(csv)).toThrow(sentence);
});

it.each([
  [
    'without the column Parent',
    'ID,Type,Name,Regular price\n2,variation,A,1\n3,simple,B,1\n',
    /^The export has variations, but no column "Parent"/,
  ],
  [
    'of variations only',
    'ID,Type,Name,Regular price,Parent\n2,variation,A,1,id:1\n3,variation,B,1,id:1\n',
    /^The export has variations, but none of the products/,
  ],
])('An export of WooCommerce that lacks something says so once: one %s', (_, csv, sentence) => {
  expect(() => read(csv)).toThrow(sentence);
});

it.each([
  ['all of them', []],
  [
    'others have some of a type of their own',
    [
      '3,variable-subscription,U,C,1,,,,,,,,,,',
      '4,subscription_variation,V,C,1,,,,1,,id:3,Size,M,,',
    ],
  ],
])('An export of WooCommerce of products without their variations is doubtful: %s', (_, others) => {
  const { skipped, doubts } = read(
    file('1,variable,S,A,1,,,,,,,,,,', '2,simple,T,B,1,,1,,1,,,,,,', ...others),
  );
  expect(skipped[0]).toEqual({
    key: null,
    reason: 'row 2: it has no variations in the file',
    kind: 'problem',
  });
  expect(skipped.slice(1).every(({ kind }) => kind === 'unsupported')).toBe(true);
  expect(doubts[0]).toBe(
    'The export has variable products, but no variations. Export all types of products.',
  );
});

const header = 'ID,Type,SKU,Name,In stock?,Stock,Regular price,Parent\n';

it.each([
  ['not counted and on backorder', '1,simple,S,A,backorder,,1,', undefined],
  ['of a parent that counts', '1,variable,P,A,1,7,,\n2,variation,S,A,1,,1,P', 7],
  ['of a parent, by name', '1,variable,P,A,1,7,,\n2,variation,S,A,1,Parent,1,P', 7],
  ['its own', '1,variable,P,A,1,7,,\n2,variation,S,A,1,3,1,P', 3],
  ['of a parent that does not count', '1,variable,P,A,1,,,\n2,variation,S,A,1,,1,P', undefined],
  ['of no parent that counts, sold out', '1,variable,P,A,1,,,\n2,variation,S,A,0,,1,P', 0],
])('The stock of a product of WooCommerce is read if it is counted: %s', (_, rows, expected) => {
  const { items, notes } = read(header + rows);
  expect(items).toHaveLength(1);
  expect(items[0]?.['storeInventoryQuantity']).toBe(expected);
  expect(items[0] !== undefined && 'storeInventoryQuantity' in items[0]).toBe(
    expected !== undefined,
  );
  expect(notes).toEqual(
    expected === undefined
      ? ['The store does not count the stock of 1 product, so it was left out.']
      : [],
  );
});

it('The stock of a product of WooCommerce is that of all variants with --variants first, and what they share counts once', () => {
  const rows = (own: string): string =>
    `${header}1,variable,P,A,1,7,,\n2,variation,S,A,1,,1,P\n3,variation,T,A,1,,1,P\n4,variation,U,A,1,${own},1,P\n`;
  const stockOf = (csv: string): unknown =>
    read(csv, { variants: 'first' }).items[0]?.['storeInventoryQuantity'];
  expect(stockOf(rows('3'))).toBe(10);
  expect(stockOf(rows('').replace(',1,7,', ',1,,'))).toBe(undefined);
});

it('The stock of a product of WooCommerce is absent without its columns', () => {
  const { items, notes } = read('ID,Type,Name,Regular price\n1,simple,A,1');
  expect([items[0]?.['storeInventoryQuantity'], notes]).toEqual([undefined, []]);
});
