import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedRow, NamedTable } from '../csv/named-table.ts';
import { readNamedTable } from '../csv/named-table.ts';
import type { Texts } from '../csv/texts.ts';
import { isShortened, skuIn } from '../csv/texts.ts';
import { Values } from '../values.ts';
import type {
  Obstacle,
  Stock,
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from '../store-product.ts';
import type { Column } from './csv-columns.ts';
import { isAlmostWooCommerce, readHeader } from './csv-columns.ts';
import { Failure } from '../failure.ts';

type Row = NamedRow<Column>;

interface Table extends NamedTable<Column> {
  readonly attributes: readonly string[];
}

/**
 * Reads a product export of WooCommerce, in any language whose columns are known.
 * @returns undefined if the table is no such export
 * @throws Failure if it lacks a column, or the products of its variations
 */
export function readWooCommerceCsv(csv: CsvTable, texts: Texts): StoreContent | undefined {
  const header = readHeader(csv.header);
  if (header.missing.length > 0) {
    if (!isAlmostWooCommerce(header) && !hasTypes(csv)) return undefined;
    throw new Failure(missingSentence(header.missing));
  }
  const named = readNamedTable<Column>(csv, header.columns, texts);
  const table: Table = { ...named, attributes: header.attributes };
  const parentOf = parentsOf(table);
  const variations = variationsOf(table, parentOf);
  const products: StoreProduct[] = [];
  for (const row of table.rows) {
    if (!hasType(row, 'variation')) products.push(productOf(row, variations.get(row) ?? [], table));
    else if (!parentOf(row)) products.push(orphanOf(row));
  }
  return {
    collection: 'products',
    products,
    discounts: [],
    matches: matchesOf(table),
    hasWrittenPrices: true,
    doubts: doubtsOf(table, variations),
    notes: [],
  };
}

const TYPE = /^(?:simple|variable|variation)(?:, ?(?:virtual|downloadable)){0,2}$/;

/** Whether one of the first rows has a type of WooCommerce, which is never translated. */
function hasTypes({ rows }: CsvTable): boolean {
  return rows.slice(0, 20).some(({ cells }) => cells.some((cell) => TYPE.test(cell)));
}

function missingSentence(missing: readonly string[]): string {
  const names = missing.map((name) => `"${name}"`).join(' and ');
  return `The file looks like an export of products from WooCommerce, but has no column ${names}. Export all columns; if the names of its columns are in a language that is not known, export in English.`;
}

function matchesOf(table: Table): string[] {
  return [
    ...(table.has('id') ? ['storeVariantId'] : []),
    ...(table.has('sku') ? ['sku'] : []),
    'handle',
    ...(table.has('id') ? ['storeProductId'] : []),
  ];
}

/** Whether a word is among those of a row's type: `simple, virtual`. */
function hasType(row: Row, type: string): boolean {
  return typesOf(row).includes(type);
}

function typesOf(row: Row): string[] {
  return row
    .get('type')
    .toLowerCase()
    .split(/[\s,]+/);
}

/**
 * Returns a function that finds the parent of a variation: by `id:12`, or by its SKU.
 * @throws Failure if no variation has one
 */
function parentsOf(table: Table): (variation: Row) => Row | undefined {
  const found = new Map<string, Row>();
  const orphans = table.rows.filter((row) => hasType(row, 'variation'));
  for (const row of table.rows) {
    if (hasType(row, 'variation')) continue;
    for (const name of [`id:${row.get('id')}`, row.get('sku')]) {
      if (!found.has(name) && !isShortened(name)) found.set(name, row);
    }
  }
  const parentOf = (variation: Row): Row | undefined => {
    const parent = variation.get('parent');
    return parent === '' ? undefined : found.get(parent.replace(/^id:\s*/i, 'id:'));
  };
  if (orphans.length > 0 && !table.has('parent')) {
    throw new Failure(
      'The export has variations, but no column "Parent", which names their products. Export all columns.',
    );
  }
  if (orphans.length > 1 && !orphans.some(parentOf)) {
    throw new Failure(
      'The export has variations, but none of the products that they belong to. Export all types of products.',
    );
  }
  return parentOf;
}

/** The variations of each product. Rows come in any order. */
function variationsOf(
  { rows }: Table,
  parentOf: (variation: Row) => Row | undefined,
): ReadonlyMap<Row, readonly Row[]> {
  const variations = new Map<Row, Row[]>();
  for (const row of rows) {
    const parent = hasType(row, 'variation') ? parentOf(row) : undefined;
    const siblings = parent && variations.get(parent);
    if (siblings) siblings.push(row);
    else if (parent) variations.set(parent, [row]);
  }
  return variations;
}

/** An export of products that can have variations, and of no variations, lacks most of the store. */
function doubtsOf({ rows }: Table, variations: ReadonlyMap<Row, readonly Row[]>): string[] {
  if (variations.size > 0 || !rows.some((row) => hasType(row, 'variable'))) return [];
  return ['The export has variable products, but no variations. Export all types of products.'];
}

function productOf(row: Row, variations: readonly Row[], table: Table): StoreProduct {
  const sold = variations.length > 0 || hasType(row, 'variable') ? variations : [row];
  const values = new Values();
  return {
    place: placeOf(row),
    id: row.get('id') || undefined,
    // The export has none.
    handle: '',
    title: row.get('name') || (variations[0]?.get('name') ?? ''),
    description: row.has('description') ? unescaped(row.get('description')) : undefined,
    status: statusIn(row, values),
    imageUrls: row.has('images') ? imagesIn(row) : undefined,
    variants: sold.map((one) => variantOf(one, row, table)),
    leftOut: values.leftOut,
    obstacle: variations.length > 0 ? undefined : obstacleOf(row),
  };
}

/** A variation whose product is not in the file. */
function orphanOf(row: Row): StoreProduct {
  const reason = 'its parent is not in the file';
  return {
    place: placeOf(row),
    // Without that of its product, nobody knows its handle.
    title: '',
    variants: [{ ...bareVariantOf(row), sku: skuIn(row.get('sku'), new Values()), options: [] }],
    obstacle: { reason, kind: 'problem' },
  };
}

/** The types of other plugins, and of products that are sold elsewhere, have no place in the service. */
function obstacleOf(row: Row): Obstacle | undefined {
  if (hasType(row, 'simple')) return undefined;
  if (hasType(row, 'variable'))
    return { reason: 'it has no variations in the file', kind: 'problem' };
  const type = row.get('type');
  return type === ''
    ? { reason: 'it has no type', kind: 'problem' }
    : { reason: `its type is "${type}"`, kind: 'unsupported' };
}

function placeOf({ number }: Row): string {
  return `row ${number}`;
}

function bareVariantOf(row: Row): Omit<StoreVariant, 'options'> {
  return {
    place: placeOf(row),
    id: row.get('id') || undefined,
    price: row.get('price'),
    hasOtherPrice: row.get('salePrice') !== '',
  };
}

/** A product without variations is the variant of itself. */
function variantOf(row: Row, product: Row, table: Table): StoreVariant {
  const isVariation = row !== product;
  const images = imagesIn(row);
  const values = new Values();
  const stock = stockOf(row, product, values);
  return {
    ...bareVariantOf(row),
    sku: row.has('sku') ? skuIn(row.get('sku'), values) : undefined,
    options: isVariation ? optionsOf(row, table) : [],
    stock: stock.value,
    sharesStock: stock.isShared,
    description: isVariation ? unescaped(row.get('description')) || undefined : undefined,
    imageUrls: isVariation && images.length > 0 ? images : undefined,
    status: statusIn(row, values),
    leftOut: values.leftOut,
  };
}

/** The values of a variation: one for each of its attributes. An empty one means any. A comma within a value is escaped. */
function optionsOf(row: Row, { attributes }: Table): string[] {
  return attributes
    .filter((number) =>
      (['attributeName', 'attributeValue'] as const).some(
        (column) => row.get(`${column} ${number}`) !== '',
      ),
    )
    .map((number) => row.get(`attributeValue ${number}`).replaceAll('\\,', ','));
}

/** The addresses of images. A comma within one is escaped. */
function imagesIn(row: Row): string[] {
  const images = row.get('images').split(/(?<!\\),/);
  const urls = images.map((url) => url.replaceAll('\\,', ',').trim());
  return [...new Set(urls.filter((url) => url !== ''))];
}

/** The export has line ends as the two characters `\n`, and has one more `\` before those that are in the text. */
function unescaped(text: string): string {
  return text.replace(/\\\\n|\\n/g, (written) => (written === '\\n' ? '\n' : '\\n')).trim();
}

interface RowStock {
  readonly value: Stock | undefined;
  readonly isShared: boolean;
}

/**
 * The inventory. A variation whose cell is empty, or `parent`, has that of its product, if that is counted. Of what is not
 * counted, a column states whether it is in stock.
 */
function stockOf(row: Row, product: Row, values: Values): RowStock {
  const own = row.get('stock');
  const isOwn = own !== '' && own.toLowerCase() !== 'parent';
  const shared = row === product ? '' : product.get('stock');
  const written = isOwn ? own : shared;
  if (written !== '') {
    return { value: values.quantity('storeInventoryQuantity', written), isShared: !isOwn };
  }
  const isOut = row.get('inStock') === '0';
  const isKnown = row.has('stock') || row.has('inStock');
  const value = isOut ? 'out of stock' : 'in stock';
  return { value: isKnown ? value : undefined, isShared: false };
}

const STATUSES: ReadonlyMap<string, StoreStatus> = new Map([
  ['1', 'ACTIVE'],
  ['0', 'DRAFT'],
  ['-1', 'DRAFT'],
]);

function statusIn(row: Row, values: Values): StoreStatus | undefined {
  return values.word('storeStatus', row.get('published') || undefined, STATUSES);
}
