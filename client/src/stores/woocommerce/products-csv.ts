import type { CsvNumbers } from '../csv/csv-numbers.ts';
import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedRow, NamedTable } from '../csv/named-table.ts';
import { readNamedTable } from '../csv/named-table.ts';
import { Failure } from '../../../../common/failure.ts';
import type { JsonObject } from '../json-values.ts';
import type { Doubt } from '../source.ts';
import type { StoreContent, StoreProduct } from '../store-product.ts';
import { Values } from '../values.ts';
import type { Column } from './csv-header.ts';
import { readHeader } from './csv-header.ts';
import type { Entry } from './products.ts';
import { orphanOf, productOf } from './products.ts';

type Row = NamedRow<Column>;
type Table = NamedTable<Column>;

/**
 * Reads a product export of WooCommerce, in any language whose columns are known. Its rows become what the API would give.
 * @throws Failure if it lacks a column, or the products of its variations
 */
export function readWooCommerceCsv(csv: CsvTable, numbers: CsvNumbers): StoreContent | undefined {
  const header = readHeader(csv);
  if (header === undefined) return undefined;
  const table = readNamedTable<Column>(csv, header.columns);
  const families = familiesOf(table);
  const orphans = families.get(undefined) ?? [];
  return {
    collection: 'products',
    products: [
      ...table.rows
        .filter((row) => !isVariation(row))
        .map((row) =>
          productIn(row, families.get(row) ?? [], { attributes: header.attributes, numbers }),
        ),
      ...orphans.map((row) => orphanOf(entryOf(row, numbers), 'its parent is not in the file')),
    ],
    matches: matchesOf(table),
    hasWrittenNumbers: true,
    doubts: [...table.doubts, ...doubtsOf(table, families)],
    notes: [
      ...table.notes,
      ...(table.has('inStock') && !table.has('stock')
        ? ['The file has no column of the stock.']
        : []),
    ],
  };
}

function matchesOf(table: Table): string[] {
  return [
    ...(table.has('id') ? ['storeVariantId'] : []),
    ...(table.has('sku') ? ['sku'] : []),
    'handle',
    ...(table.has('id') ? ['storeProductId'] : []),
  ];
}

/** The words of a row's type: `simple, virtual`. */
function typesOf(row: Row): string[] {
  return row
    .get('type')
    .toLowerCase()
    .split(/[\s,]+/);
}

function hasType(row: Row, type: string): boolean {
  return typesOf(row).includes(type);
}

/** Whether a row is a variation, also of a product of another type, such as `subscription_variation`. */
function isVariation(row: Row): boolean {
  return typesOf(row).some((type) => /^(?:.*_)?variation$/.test(type));
}

/** The variations of each product, and under undefined those whose product is not there. */
type Families = ReadonlyMap<Row | undefined, readonly Row[]>;

/**
 * Finds the products of variations, which name them by `id:12` or by their SKU. Rows come in any order.
 * @throws Failure if no variation has one
 */
function familiesOf({ rows, has }: Table): Families {
  const variations = rows.filter(isVariation);
  if (variations.length > 0 && !has('parent')) {
    throw new Failure(
      'The export has variations, but no column "Parent", which names their products. Export all columns.',
    );
  }
  const products = new Map<string, Row>();
  for (const row of rows) {
    if (isVariation(row)) continue;
    for (const name of [`id:${row.get('id')}`, row.get('sku')]) {
      if (name !== '' && !products.has(name)) products.set(name, row);
    }
  }
  const families = new Map<Row | undefined, Row[]>();
  for (const row of variations) {
    const parent = products.get(row.get('parent').replace(/^id:\s*/i, 'id:'));
    const family = families.get(parent);
    if (family) family.push(row);
    else families.set(parent, [row]);
  }
  if (variations.length > 1 && families.get(undefined)?.length === variations.length) {
    throw new Failure(
      'The export has variations, but none of the products that they belong to. Export all types of products.',
    );
  }
  return families;
}

/** An export of products that can have variations, and of no variations, lacks most of the store. */
function doubtsOf({ rows }: Table, families: Families): Doubt[] {
  const hasVariations = rows.some((row) =>
    families.get(row)?.some((one) => hasType(one, 'variation')),
  );
  if (hasVariations || !rows.some((row) => hasType(row, 'variable'))) return [];
  const sentence =
    'The export has variable products, but no variations. Export all types of products.';
  return [{ sentence }];
}

function productIn(
  row: Row,
  variations: readonly Row[],
  { attributes, numbers }: { readonly attributes: readonly string[]; readonly numbers: CsvNumbers },
): StoreProduct {
  const isVariable =
    hasType(row, 'variable') || variations.some((one) => hasType(one, 'variation'));
  const type = hasType(row, 'simple') ? 'simple' : row.get('type');
  const title = row.spoilt('name');
  const { leftOut: ofRow = [], ...entry } = entryOf(row, numbers, {
    type: isVariable ? 'variable' : type,
    name: row.get('name') || (title ? undefined : variations[0]?.get('name')),
    // The export has none.
    slug: '',
    // In the answers of the API, a variation without an SKU has that of its product.
    ...(isVariable && { sku: '' }),
    images: row.has('images') ? imagesIn(row) : undefined,
  });
  const leftOut = title ? [...ofRow, title] : ofRow;
  const common = leftOut.filter(({ field }) => field === 'title');
  const stock = leftOut.filter(({ field }) => field === 'storeInventoryQuantity');
  return productOf(
    { ...entry, leftOut },
    variations.map((one) => {
      // One whose cell is empty, or `parent`, has the stock of its product, if that is counted.
      const sharesStock = !isCounted(one) && isCounted(row);
      const { leftOut: own = [], ...variation } = entryOf(one, numbers, {
        attributes: attributesIn(one, attributes),
        ...(sharesStock && { manage_stock: 'parent' }),
      });
      return {
        ...variation,
        leftOut: [...own, ...common, ...(sharesStock ? stock : [])],
        images: imagesIn(one),
      };
    }),
    () => 'it has no variations in the file',
  );
}

/** The statuses of the API by the numbers in an export. */
const STATUSES: ReadonlyMap<string, string> = new Map([
  ['1', 'publish'],
  ['0', 'draft'],
  ['-1', 'draft'],
]);

/** Returns a row as the API would give it. @param members what it has besides, as a product or as a variation */
function entryOf(row: Row, numbers: CsvNumbers, members: JsonObject = {}): Entry {
  const values = new Values();
  values.leaveOut(row.spoilt('sku'), row.spoilt('description'));
  const published = row.get('published') || undefined;
  // Without the column of the stock, nobody knows whether it is counted.
  const inStock = row.has('stock') ? 'instock' : undefined;
  return {
    place: `row ${row.number}`,
    leftOut: values.leftOut,
    object: {
      id: row.get('id'),
      ...(row.has('sku') && { sku: row.get('sku') || null }),
      status: STATUSES.get(published ?? '') ?? published,
      description: row.has('description') ? unescaped(row.get('description')) : undefined,
      regular_price: row.get('price'),
      sale_price: row.get('salePrice'),
      manage_stock: isCounted(row),
      stock_quantity: isCounted(row)
        ? numbers.quantity('storeInventoryQuantity', row.get('stock'), values)
        : undefined,
      stock_status: row.get('inStock') === '0' ? 'outofstock' : inStock,
      ...members,
    },
  };
}

function isCounted(row: Row): boolean {
  return !['', 'parent'].includes(row.get('stock').toLowerCase());
}

/** Returns the attributes of a variation. An empty value means any. A comma within a value is escaped. */
function attributesIn(row: Row, numbers: readonly string[]): JsonObject[] {
  return numbers
    .map((number) => ({
      id: number,
      name: row.get(`attributeName ${number}`),
      option: row.spoilt(`attributeValue ${number}`)
        ? null
        : row.get(`attributeValue ${number}`).replaceAll('\\,', ','),
    }))
    .filter(({ name, option }) => name !== '' || option !== '');
}

/** Returns images by their addresses. A comma within one is escaped. */
function imagesIn(row: Row): JsonObject[] {
  const addresses = row.get('images').split(/(?<!\\),/);
  return addresses
    .map((src) => ({ src: src.replaceAll('\\,', ',').trim() }))
    .filter(({ src }) => src !== '');
}

/** The export has line ends as the two characters `\n`, and has one more `\` before those that are in the text. */
function unescaped(text: string): string {
  return text.replace(/\\\\n|\\n/g, (written) => (written === '\\n' ? '\n' : '\\n')).trim();
}
