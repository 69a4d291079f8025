import type { CsvTable } from '../csv/csv-table.ts';
import type { NamedColumn, NamedRow } from '../csv/named-table.ts';
import { hasColumn, readNamedTable } from '../csv/named-table.ts';
import { isShortened, shortenedIn, skuIn } from '../csv/shortened.ts';
import type { Texts } from '../csv/texts.ts';
import type {
  LeftOutField,
  Stock,
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from '../store-product.ts';
import { notA, Values } from '../values.ts';
import { DEFAULT_TITLE, STATUSES } from './statuses.ts';
import { Failure } from '../failure.ts';

/** The names of a column: in Shopify's old template, then in the new one. */
const COLUMNS = {
  handle: { names: ['Handle', 'URL handle'] },
  title: { names: ['Title'] },
  description: { names: ['Body (HTML)', 'Description'], isText: true },
  published: { names: ['Published', 'Published on online store'] },
  status: { names: ['Status'] },
  name1: { names: ['Option1 Name'] },
  name2: { names: ['Option2 Name'] },
  name3: { names: ['Option3 Name'] },
  option1: { names: ['Option1 Value'] },
  option2: { names: ['Option2 Value'] },
  option3: { names: ['Option3 Value'] },
  sku: { names: ['Variant SKU', 'SKU'] },
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
const DISTINCTIVE: NamedColumn = {
  names: ['Handle', 'URL handle', 'Option1 Value', 'Variant SKU', 'Variant Price'],
};

const OPTIONS = ['option1', 'option2', 'option3'] as const;
const OPTION_NAMES = ['name1', 'name2', 'name3'] as const;

/**
 * Reads a product export of Shopify, old or new template. The rows with one handle are a product of the store.
 * @returns undefined if the table is no such export
 * @throws Failure if it lacks a column
 */
export function readShopifyCsv(csv: CsvTable, texts: Texts): StoreContent | undefined {
  const missing = REQUIRED.filter((column) => !hasColumn(csv.header, COLUMNS[column]));
  if (missing.length > 0) {
    const known = Object.values(COLUMNS).filter((column) => hasColumn(csv.header, column));
    if (known.length < FEWEST || !hasColumn(csv.header, DISTINCTIVE)) return undefined;
    throw new Failure(missingSentence(csv.header, missing));
  }
  const table = readNamedTable<Column>(csv, COLUMNS, texts);
  const groups = groupsOf(table.rows);
  return {
    collection: 'products',
    products: [...groups].flatMap(([handle, rows]) =>
      handle === '' || isShortened(handle) ? rows.map(withoutHandle) : [productOf(handle, rows)],
    ),
    discounts: [],
    matches: table.has('sku') ? ['handle', 'sku'] : ['handle'],
    hasWrittenPrices: true,
    doubts: [],
    notes: [],
  };
}

/** Names columns as the template of the file does. */
function missingSentence(header: readonly string[], missing: readonly Column[]): string {
  const isNew = hasColumn(header, { names: ['URL handle'] });
  const names = missing.map((column) => {
    const [old, other] = COLUMNS[column].names;
    return `"${isNew ? (other ?? old) : old}"`;
  });
  return `The file looks like an export of products from Shopify, but has no column ${names.join(' and ')}. Export the products again, with all columns.`;
}

function productOf(handle: string, rows: readonly [Row, ...Row[]]): StoreProduct {
  const variants = variantsOf(rows);
  const optionCount = optionCountOf(rows);
  const title = rowsTitle(rows);
  const status = rowStatus(rows);
  const reason = title.problem;
  const images = imagesOf(rows);
  return {
    place: placeOf(rows[0]),
    handle,
    title: title.value,
    description: hasCell(rows, 'description') ? firstOf(rows, 'description') : undefined,
    status: status.value,
    imageUrls: hasCell(rows, 'image') ? images : undefined,
    variants: variants.map((row) => variantOf(row, optionCount)),
    leftOut: status.leftOut,
    obstacle: reason === undefined ? undefined : { reason, kind: 'problem' },
  };
}

function variantOf(row: Row, optionCount: number): StoreVariant {
  const values = new Values();
  return {
    place: placeOf(row),
    sku: row.has('sku') ? skuOf(row, values) : undefined,
    options: valuesOf(row, optionCount),
    price: row.get('price'),
    hasOtherPrice: row.get('comparePrice') !== '',
    stock: stockOf(row, values),
    imageUrl: row.get('variantImage') || undefined,
    leftOut: values.leftOut,
  };
}

/** A row of which nobody can tell what its product is. */
function withoutHandle(row: Row): StoreProduct {
  const handle = row.get('handle');
  const sku = skuOf(row, new Values());
  return {
    place: placeOf(row),
    title: '',
    variants: [{ place: placeOf(row), sku, options: [], price: '', hasOtherPrice: false }],
    obstacle: {
      reason:
        handle === '' ? 'it has no handle' : `handle: ${shortenedIn('handle', handle).reason}`,
      kind: 'problem',
    },
  };
}

function placeOf({ number }: Pick<Row, 'number'>): string {
  return `row ${number}`;
}

/** Shopify writes an apostrophe before an SKU of digits, which a spreadsheet would take for a number. */
function skuOf(row: Row, values: Values): string | null | undefined {
  return skuIn(row.get('sku').replace(/^'(?=\d+$)/, ''), values);
}

function groupsOf(rows: readonly Row[]): Map<string, readonly [Row, ...Row[]]> {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const group = groups.get(row.get('handle'));
    if (group) group.push(row);
    else groups.set(row.get('handle'), [row]);
  }
  return groups;
}

/**
 * Returns the variants among the rows of a product: the rows with an option, an SKU or a price. The others have an image,
 * or texts of the product.
 */
function variantsOf(rows: readonly Row[]): readonly Row[] {
  const own = [...OPTIONS, 'sku', 'price'] as const;
  const variants = rows.filter((row) => own.some((column) => row.get(column) !== ''));
  // A product without variants is reported by what it lacks.
  return variants.length === 0 ? rows.slice(0, 1) : variants;
}

/** How many options the variants of a product have. */
function optionCountOf(rows: readonly Row[]): number {
  const isUsed = (option: number): boolean =>
    [OPTIONS, OPTION_NAMES].some(({ [option - 1]: column }) =>
      rows.some((row) => column !== undefined && row.get(column) !== ''),
    );
  return [3, 2, 1].find(isUsed) ?? 0;
}

/** The values of a variant: one for each option of the product, which may be empty. */
function valuesOf(variant: Row, optionCount: number): string[] {
  const values = OPTIONS.map((column) => variant.get(column));
  return values.join('') === DEFAULT_TITLE ? [] : values.slice(0, optionCount);
}

/** The inventory. What has no tracker is not counted, whatever its number. */
function stockOf(row: Row, values: Values): Stock | undefined {
  if (!row.has('quantity') && !row.has('tracker')) return undefined;
  const quantity = row.get('quantity');
  if (quantity === '' || (row.has('tracker') && row.get('tracker') === '')) return 'in stock';
  return values.quantity('storeInventoryQuantity', quantity);
}

/** Some exports repeat the texts of the product in each of its rows. */
function rowsTitle(rows: readonly Row[]): { readonly value: string; readonly problem?: string } {
  const value = firstOf(rows, 'title');
  const other = rows
    .map((row) => row.get('title'))
    .find((one) => one !== '' && one.toLowerCase() !== value.toLowerCase());
  if (other === undefined) return { value };
  const problem = `products with different titles have this handle: "${value}", "${other}"`;
  return { value, problem };
}

/** Whether any of the rows of a product has a cell, which may be empty. */
function hasCell(rows: readonly Row[], column: Column): boolean {
  return rows.some((row) => row.has(column));
}

function firstOf(rows: readonly Row[], column: Column): string {
  return rows.find((row) => row.get(column) !== '')?.get(column) ?? '';
}

function imagesOf(rows: readonly Row[]): string[] {
  const sorted = rows
    .filter((row) => row.get('image') !== '')
    .sort((a, b) => Number(a.get('imagePosition')) - Number(b.get('imagePosition')));
  return [...new Set(sorted.map((row) => row.get('image')))];
}

/** Newer exports have a column of the status. Older ones only state whether the product is published. */
const PUBLISHED: ReadonlyMap<string, StoreStatus> = new Map([
  ['true', 'ACTIVE'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
]);

function rowStatus(rows: readonly Row[]): {
  readonly value?: StoreStatus | undefined;
  readonly leftOut?: readonly LeftOutField[];
} {
  if (!hasCell(rows, 'status') && !hasCell(rows, 'published')) return {};
  const named = firstOf(rows, 'status');
  const published = firstOf(rows, 'published');
  const value =
    named === '' ? PUBLISHED.get(published.toLowerCase()) : STATUSES.get(named.toLowerCase());
  // Another word, such as the `WAHR` of a German spreadsheet, is no reason to hide the product.
  return value === undefined
    ? { leftOut: [notA('one that is known', 'storeStatus', named || published)] }
    : { value };
}
