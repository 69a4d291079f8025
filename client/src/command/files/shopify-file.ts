import type { Candidate, Keys } from './candidates.ts';
import { Problem, resultOf } from './candidates.ts';
import type { CsvTable } from './csv-table.ts';
import type { ExportContent, ExportOptions } from './export-content.ts';
import type { ExportColumn, ExportRow, ExportTable } from './export-table.ts';
import { hasColumn, readExportTable } from './export-table.ts';
import { variantHandle, variantTitle } from './handles.ts';
import { sumOf } from './quantities.ts';
import type { Item } from './store-file.ts';
import type { Texts } from './texts.ts';

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
  quantity: { names: ['Variant Inventory Qty', 'Inventory quantity'] },
  image: { names: ['Image Src', 'Product image URL'] },
  imagePosition: { names: ['Image Position'] },
  variantImage: { names: ['Variant Image', 'Variant image URL'] },
} as const satisfies Readonly<Record<string, ExportColumn>>;

type Column = keyof typeof COLUMNS;
type Row = ExportRow<Column>;
type Table = ExportTable<Column>;

const OPTIONS = ['option1', 'option2', 'option3'] as const;
const OPTION_NAMES = ['name1', 'name2', 'name3'] as const;

/** What Shopify calls the only variant of a product. */
const DEFAULT = 'Default Title';

/** Whether a header is that of a product export of Shopify. */
export function isShopify(header: readonly string[]): boolean {
  return [COLUMNS.handle, COLUMNS.title, COLUMNS.price].every((one) => hasColumn(header, one));
}

/**
 * Reads a product export of Shopify, old or new template. The rows with one handle are a product of the store.
 * @throws FileError if a column is there twice
 */
export function readShopify(csv: CsvTable, texts: Texts, options: ExportOptions): ExportContent {
  const table = readExportTable<Column>(csv, COLUMNS, texts);
  const products = groupsOf(table.rows);
  const candidates: Candidate[] = [];
  let [comparePrices, reduced] = [0, 0];
  for (const [handle, rows] of products) {
    if (handle === '') {
      candidates.push(...rows.map(withoutHandle));
      continue;
    }
    const product = productOf(handle, rows, table);
    const { variants } = product;
    for (const variant of options.variants === 'first' ? variants.slice(0, 1) : variants) {
      const candidate = candidateOf(product, variant, table, options);
      candidates.push(candidate);
      if (typeof candidate.result === 'string') continue;
      if (variant.get('comparePrice') !== '') comparePrices++;
      if (options.variants === 'first' && variants.length > 1) reduced++;
    }
  }
  return { candidates, leftOut: comparePrices, leftOutName: 'compare-at price', reduced };
}

/** A product of the store. */
interface Product {
  readonly handle: string;
  readonly variants: readonly Row[];
  /** How many options its variants have. */
  readonly optionCount: number;
  /** What the variants have in common, or why they cannot be read. */
  readonly common: Common | string;
}

type Common = Item & { readonly title: string };

function productOf(handle: string, rows: readonly Row[], table: Table): Product {
  const isUsed = (option: number): boolean =>
    [OPTIONS, OPTION_NAMES].some(({ [option - 1]: column }) =>
      rows.some((row) => column !== undefined && row.get(column) !== ''),
    );
  return {
    handle,
    variants: variantsOf(rows),
    optionCount: [3, 2, 1].find(isUsed) ?? 0,
    common: resultOf(() => commonOf(rows, table)),
  };
}

function candidateOf(
  { handle: productHandle, variants, optionCount, common }: Product,
  variant: Row,
  table: Table,
  options: ExportOptions,
): Candidate {
  const isFirst = options.variants === 'first';
  const values = isFirst ? [] : valuesOf(variant, optionCount);
  const handle = variantHandle(productHandle, values);
  const sku = skuOf(variant);
  const result = resultOf(() => {
    if (typeof common === 'string') throw new Problem(common);
    const image = variants.length > 1 && !isFirst ? variant.get('variantImage') : '';
    return {
      ...common,
      title: variants.length > 1 ? variantTitle(common.title, values) : common.title,
      handle,
      currencyCode: options.currency,
      source: 'SHOPIFY',
      priceCents: options.prices.required(variant.get('price')),
      ...(table.has('sku') && { sku }),
      ...(table.has('quantity') && {
        storeInventoryQuantity: sumOf(
          (isFirst ? variants : [variant]).map((row) => row.get('quantity')),
        ),
      }),
      ...(image !== '' && { imageUrl: image }),
    };
  });
  return { name: nameOf(variant), keys: { handle, sku }, result };
}

/** A row that says nothing of its product. */
function withoutHandle(row: Row): Candidate {
  const keys: Keys = { handle: null, sku: skuOf(row) };
  return { name: nameOf(row), keys, result: 'it has no handle' };
}

function nameOf({ number }: Row): string {
  return `row ${number}`;
}

/** Shopify writes an apostrophe before an SKU of digits, which a spreadsheet would take for a number. */
function skuOf(row: Row): string | null {
  return row.get('sku').replace(/^'(?=\d+$)/, '') || null;
}

/** Groups rows by their handles. */
function groupsOf(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
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

/** The values of a variant: one for each option of the product, which may be empty. */
function valuesOf(variant: Row, optionCount: number): string[] {
  const values = OPTIONS.map((column) => variant.get(column));
  return values.join('') === DEFAULT ? [] : values.slice(0, optionCount);
}

/** Reads what the variants of a product have in common. A push leaves a field that is not named as it is in the service. */
function commonOf(rows: readonly Row[], table: Table): Common {
  const imageUrls = imagesOf(rows);
  const hasStatus = table.has('status') || table.has('published');
  return {
    title: titleOf(rows),
    ...(table.has('description') && { description: firstOf(rows, 'description') }),
    ...(table.has('image') && { imageUrls, imageUrl: imageUrls[0] ?? null }),
    ...(hasStatus && {
      storeStatus: statusOf(firstOf(rows, 'status'), firstOf(rows, 'published')),
    }),
  };
}

/** Some exports repeat the texts of the product in each of its rows. */
function titleOf(rows: readonly Row[]): string {
  const title = firstOf(rows, 'title');
  if (title === '') throw new Problem('it has no title');
  const other = rows
    .map((row) => row.get('title'))
    .find((one) => one !== '' && one.toLowerCase() !== title.toLowerCase());
  if (other !== undefined) {
    throw new Problem(`products with different titles have this handle: "${title}", "${other}"`);
  }
  return title;
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

const STATUSES = ['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED'];

/** Newer exports have a column of the status. Older ones only state whether the product is published. */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['true', 'ACTIVE'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
]);

function statusOf(named: string, published: string): string {
  const word = named === '' ? PUBLISHED.get(published.toLowerCase()) : named.toUpperCase();
  // Another word, such as the `WAHR` of a German spreadsheet, is no reason to hide the product.
  if (word === undefined || !STATUSES.includes(word)) {
    throw new Problem(`its status is "${named || published}"`);
  }
  return word;
}
