import type { CsvNumbers } from '../csv/csv-numbers.ts';
import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn, NamedRow, NamedTable } from '../csv/named-table.ts';
import { hasColumn, readNamedTable } from '../csv/named-table.ts';
import type { LeftOutField, Omission } from '../source.ts';
import type {
  Stock,
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from '../store-product.ts';
import { Values } from '../values.ts';
import { DEFAULT_TITLE, STATUSES } from './products.ts';
import { Failure } from '../../../../common/failure.ts';

/** The names of a column: in Shopify's old template, then in the new one. */
const COLUMNS = {
  handle: { names: ['Handle', 'URL handle'], field: 'handle', isKey: true },
  title: { names: ['Title'], field: 'title' },
  description: { names: ['Body (HTML)', 'Description'], isText: true, field: 'description' },
  published: { names: ['Published', 'Published on online store'] },
  status: { names: ['Status'] },
  name1: { names: ['Option1 Name'] },
  name2: { names: ['Option2 Name'] },
  name3: { names: ['Option3 Name'] },
  option1: { names: ['Option1 Value'], field: 'handle' },
  option2: { names: ['Option2 Value'], field: 'handle' },
  option3: { names: ['Option3 Value'], field: 'handle' },
  sku: { names: ['Variant SKU', 'SKU'], field: 'sku', isKey: true },
  price: { names: ['Variant Price', 'Price'] },
  comparePrice: { names: ['Variant Compare At Price', 'Compare-at price'] },
  tracker: { names: ['Variant Inventory Tracker', 'Inventory tracker'] },
  quantity: { names: ['Variant Inventory Qty', 'Inventory quantity'] },
  image: { names: ['Image Src', 'Product image URL'] },
  imagePosition: { names: ['Image Position'] },
  variantImage: { names: ['Variant Image', 'Variant image URL'] },
} as const satisfies Readonly<Record<string, NamedColumn>>;

type Column = keyof typeof COLUMNS;
type Row = NamedRow<Column>;

/** The columns without which nothing can be read. */
const REQUIRED = ['handle', 'title', 'price'] as const;

/** So many known columns make an export of a header that lacks one. */
const FEWEST = 3;

/** Names that hardly any other file has. */
const DISTINCTIVE = ['Handle', 'URL handle', 'Option1 Value', 'Variant SKU', 'Variant Price'];

/** The columns of each option: its values, and its name. */
const OPTIONS = [
  ['option1', 'name1'],
  ['option2', 'name2'],
  ['option3', 'name3'],
] as const;

/** Reads a product export of Shopify, old or new template. The rows with one handle are a product of the store. */
export function readShopifyCsv(csv: CsvTable, numbers: CsvNumbers): StoreContent | undefined {
  const { header } = csv;
  const required = REQUIRED.map((column) => COLUMNS[column]);
  const lacking = required.filter(({ names }) => !hasColumn(header, names));
  if (lacking.length > 0) {
    const known = Object.values(COLUMNS).filter(({ names }) => hasColumn(header, names));
    if (known.length < FEWEST || !hasColumn(header, DISTINCTIVE)) return undefined;
    throw lackingColumns('products', lacking, hasColumn(header, ['URL handle']) ? -1 : 0);
  }
  const table = readNamedTable<Column>(csv, COLUMNS);
  return {
    collection: 'products',
    products: productRowsOf(table.rows).map((rows) => productOf(rows, numbers)),
    matches: table.has('sku') ? ['handle', 'sku'] : ['handle'],
    notes: [...table.notes, ...notesOf(table)],
    doubts: table.doubts,
    hasWrittenNumbers: true,
  };
}

function notesOf({ rows, has }: NamedTable<Column>): string[] {
  if (has('quantity') || !rows.some((row) => row.get('tracker') !== '')) return [];
  return [
    'The file has no inventory, which Shopify exports apart for a shop with several locations, so it was left out.',
  ];
}

/** Returns the error for an export of these nouns that lacks columns. @param at which of their names it would have */
export function lackingColumns(nouns: string, lacking: readonly NamedColumn[], at = 0): Failure {
  const list = lacking.map(({ names }) => `"${names.at(at) ?? ''}"`).join(' and ');
  return new Failure(
    `The file looks like an export of ${nouns} from Shopify, but has no column ${list}. Export it again, with all columns.`,
  );
}

/** The rows of a product, at least one. */
type ProductRows = readonly [Row, ...Row[]];

/** Returns the rows of each product. A row without a handle is one of its own. */
function productRowsOf(rows: readonly Row[]): ProductRows[] {
  const products = new Map<unknown, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = handleOf(row)?.toLowerCase() ?? row;
    const others = products.get(key);
    if (others) others.push(row);
    else products.set(key, [row]);
  }
  return [...products.values()];
}

function productOf(rows: ProductRows, numbers: CsvNumbers): StoreProduct {
  const values = new Values();
  const options = optionsOf(rows);
  const [title, description] = [firstOf(rows, 'title') ?? '', firstOf(rows, 'description')];
  const spoiltDescription = spoiltCellOf(rows, 'description');
  values.leaveOut(title === '' ? spoiltCellOf(rows, 'title') : undefined, spoiltDescription);
  return {
    place: `row ${rows[0].number}`,
    handle: handleOf(rows[0]),
    title,
    description: spoiltDescription ? undefined : description,
    status: statusOf(rows, values),
    imageUrls: firstOf(rows, 'image') === undefined ? undefined : imagesOf(rows),
    variants: variantsOf(rows).map((row) => variantOf(row, options, numbers)),
    leftOut: values.leftOut,
    obstacle: obstacleOf(rows),
  };
}

/** Shopify writes an apostrophe before an SKU of digits, which a spreadsheet would take for a number. */
const QUOTED_NUMBER = /^'(\d+)$/;

function variantOf(row: Row, options: readonly Column[], numbers: CsvNumbers): StoreVariant {
  const values = new Values();
  const own = options.map((column) => row.get(column));
  const hasSpoilt = options.some((column) => row.spoilt(column) !== undefined);
  values.leaveOut(row.spoilt('sku'));
  return {
    place: `row ${row.number}`,
    sku: row.has('sku') ? row.get('sku').replace(QUOTED_NUMBER, '$1') || null : undefined,
    options: hasSpoilt ? undefined : own.join('') === DEFAULT_TITLE ? [] : own,
    price: row.get('price'),
    hasOtherPrice: row.get('comparePrice') !== '',
    stock: stockOf(row, values, numbers),
    imageUrl: row.get('variantImage') || undefined,
    leftOut: values.leftOut,
  };
}

/** Returns undefined if nobody can tell what the product of a row is. */
function handleOf(row: Row): string | undefined {
  return row.get('handle') || undefined;
}

function obstacleOf(rows: ProductRows): Omission | undefined {
  const spoilt = rows[0].spoilt('handle');
  if (spoilt) return spoilt;
  if (rows[0].get('handle') === '') return { reason: 'it has no handle' };
  // Some exports repeat the texts of the product in each of its rows.
  const [title, ...others] = rows.map((row) => row.get('title')).filter((one) => one !== '');
  const other = others.find((one) => one.toLowerCase() !== title?.toLowerCase());
  if (title === undefined || other === undefined) return undefined;
  return { reason: `products with different titles have this handle: "${title}", "${other}"` };
}

/**
 * Returns the variants among the rows of a product: the rows with an option, an SKU or a price. The others have an image,
 * or texts of the product.
 */
function variantsOf(rows: ProductRows): readonly Row[] {
  const own = [...OPTIONS.map(([values]) => values), 'sku', 'price'] as const;
  const variants = rows.filter((row) => own.some((column) => row.get(column) !== ''));
  // A product without variants is reported by what it lacks.
  return variants.length === 0 ? rows.slice(0, 1) : variants;
}

/** The columns of the options that a product has: up to the last one with a name or a value. */
function optionsOf(rows: ProductRows): Column[] {
  const last = OPTIONS.findLastIndex((columns) => columns.some((one) => firstOf(rows, one)));
  return OPTIONS.slice(0, last + 1).map(([values]) => values);
}

/** The inventory. What has no tracker is not counted, whatever its number. A file without numbers says nothing of the rest. */
function stockOf(row: Row, values: Values, numbers: CsvNumbers): Stock | undefined {
  if (row.has('tracker') && row.get('tracker') === '') return 'in stock';
  if (!row.has('quantity')) return undefined;
  const quantity = row.get('quantity');
  if (quantity === '') return 'in stock';
  return numbers.quantity('storeInventoryQuantity', quantity, values);
}

/** Says that a cell of a product is spoilt. */
function spoiltCellOf(rows: ProductRows, column: Column): LeftOutField | undefined {
  return rows.map((row) => row.spoilt(column)).find((one) => one !== undefined);
}

/** The first cell of a product that has a text; empty if none of them has, and undefined if there are none. */
function firstOf(rows: ProductRows, column: Column): string | undefined {
  const cells = rows.filter((row) => row.has(column)).map((row) => row.get(column));
  return cells.find((cell) => cell !== '') ?? cells[0];
}

function imagesOf(rows: ProductRows): string[] {
  const sorted = rows
    .filter((row) => row.get('image') !== '')
    .sort((a, b) => Number(a.get('imagePosition')) - Number(b.get('imagePosition')));
  return [...new Set(sorted.map((row) => row.get('image')))];
}

const PUBLISHED: ReadonlyMap<string, StoreStatus> = new Map([
  ['true', 'ACTIVE'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
]);

/** Newer exports have a column of the status. Older ones only state whether the product is published. */
function statusOf(rows: ProductRows, values: Values): StoreStatus | undefined {
  const [status, published] = [firstOf(rows, 'status'), firstOf(rows, 'published')];
  if (status) return values.word('storeStatus', status, STATUSES);
  if (status === undefined && published === undefined) return undefined;
  // Another word, such as the `WAHR` of a German spreadsheet, is no reason to hide the product.
  return values.word('storeStatus', published ?? '', PUBLISHED);
}
