import type { Candidate, Keys } from './candidates.ts';
import { Problem, resultOf } from './candidates.ts';
import type { CsvTable } from './csv-table.ts';
import type { ExportContent, ExportOptions } from './export-content.ts';
import type { ExportColumn, ExportRow, ExportTable } from './export-table.ts';
import { hasColumn, readExportTable } from './export-table.ts';
import { variantHandle, variantTitle } from './handles.ts';
import { sumOf } from './quantities.ts';
import { slugInAnyScript } from './slug.ts';
import type { Item } from './store-file.ts';
import type { Texts } from './texts.ts';

const COLUMNS = {
  id: { names: ['ID'] },
  type: { names: ['Type'] },
  sku: { names: ['SKU'] },
  name: { names: ['Name'] },
  published: { names: ['Published'] },
  description: { names: ['Description'], isText: true },
  stock: { names: ['Stock'] },
  salePrice: { names: ['Sale price'] },
  price: { names: ['Regular price'] },
  images: { names: ['Images'], isText: true },
  parent: { names: ['Parent'] },
} as const satisfies Readonly<Record<string, ExportColumn>>;

type Column = keyof typeof COLUMNS | AttributeColumn;
type AttributeColumn = `attribute ${string}`;
type Row = ExportRow<Column>;

/** The table, with what the columns of its attributes are called. */
interface Table extends ExportTable<Column> {
  readonly attributes: readonly {
    readonly name: AttributeColumn;
    readonly value: AttributeColumn;
  }[];
}

/** A product of the store that can be sold, and the one that gives it texts and images: the same if it is no variation. */
interface Sold {
  readonly row: Row;
  readonly parent: Row;
}

/** Whether a header is that of a product export of WooCommerce, in English. */
export function isWooCommerce(header: readonly string[]): boolean {
  return [COLUMNS.type, COLUMNS.name, COLUMNS.price].every((one) => hasColumn(header, one));
}

/**
 * Reads a product export of WooCommerce.
 * @throws FileError if a column is there twice
 */
export function readWooCommerce(
  csv: CsvTable,
  texts: Texts,
  options: ExportOptions,
): ExportContent {
  const table = tableOf(csv, texts);
  const parents = parentsOf(table.rows);
  const variations = new Map<Row, Row[]>();
  const candidates: Candidate[] = [];
  let salePrices = 0;
  const add = (one: Sold, stocked: readonly Row[], isOne: boolean): void => {
    const candidate = candidateOf(one, stocked, isOne, table, options);
    candidates.push(candidate);
    if (typeof candidate.result !== 'string' && one.row.get('salePrice') !== '') salePrices++;
  };
  // First all variations, because rows come in any order.
  for (const row of table.rows) {
    const parent = isOf(row, 'variation') ? parents(row) : undefined;
    const siblings = parent && variations.get(parent);
    if (siblings) siblings.push(row);
    else if (parent) variations.set(parent, [row]);
  }
  let reduced = 0;
  for (const row of table.rows) {
    if (isOf(row, 'variation')) {
      const parent = parents(row);
      const siblings = (parent && variations.get(parent)) ?? [];
      if (!parent) candidates.push(skipped(row, 'its parent is not in the file'));
      else if (options.variants === 'all') add({ row, parent }, [row], false);
      else if (row === siblings[0]) {
        add({ row, parent }, siblings, true);
        if (siblings.length > 1) reduced++;
      }
    } else if (isOf(row, 'simple')) add({ row, parent: row }, [row], true);
    else if (!variations.has(row)) candidates.push(skipped(row, reasonToSkip(row)));
  }
  return { candidates, leftOut: salePrices, leftOutName: 'sale price', reduced };
}

function reasonToSkip(row: Row): string {
  return isOf(row, 'variable')
    ? 'it has no variations in the file'
    : `its type is "${row.get('type')}"`;
}

/** Whether a word is among those of a row's type: `simple, virtual`. */
function isOf(row: Row, type: string): boolean {
  return row
    .get('type')
    .toLowerCase()
    .split(/[\s,]+/)
    .includes(type);
}

function tableOf(csv: CsvTable, texts: Texts): Table {
  const columns: Record<Column, ExportColumn> = { ...COLUMNS };
  const attributes: Table['attributes'][number][] = [];
  for (const header of csv.header) {
    const number = /^attribute (\d+) value\(s\)$/i.exec(header)?.[1];
    if (number === undefined) continue;
    const [name, value] = [`attribute ${number} name`, `attribute ${number} value(s)`] as const;
    attributes.push({ name, value });
    columns[name] = { names: [name] };
    columns[value] = { names: [value] };
  }
  return { ...readExportTable<Column>(csv, columns, texts), attributes };
}

/** Returns a function that finds the parent of a variation: by `id:12`, or by its SKU. */
function parentsOf(rows: readonly Row[]): (variation: Row) => Row | undefined {
  const found = new Map<string, Row>();
  for (const row of rows) {
    if (isOf(row, 'variation')) continue;
    for (const name of [`id:${row.get('id')}`, row.get('sku')]) {
      if (!found.has(name)) found.set(name, row);
    }
  }
  return (variation) => {
    const parent = variation.get('parent');
    const name = parent.replace(/^id:\s*/i, 'id:');
    return parent === '' ? undefined : found.get(name);
  };
}

/** @param stocked the rows whose inventory is summed */
function candidateOf(
  { row, parent }: Sold,
  stocked: readonly Row[],
  isOne: boolean,
  table: Table,
  options: ExportOptions,
): Candidate {
  const values = isOne ? [] : valuesOf(row, table);
  const keys = keysOf(row, parent, values);
  const name = parent.get('name') || row.get('name');
  const result = resultOf(() => {
    if (name === '') throw new Problem('it has no name');
    const images = imagesOf(row.get('images') || parent.get('images'));
    return {
      title: variantTitle(name, values),
      ...(keys.handle !== null && { handle: keys.handle }),
      currencyCode: options.currency,
      source: 'WOOCOMMERCE',
      priceCents: options.prices.required(row.get('price')),
      ...(table.has('sku') && { sku: keys.sku }),
      ...(table.has('id') && {
        storeVariantId: keys.storeVariantId,
        storeProductId: keys.storeProductId,
      }),
      ...(table.has('description') && {
        description: unescaped(row.get('description') || parent.get('description')),
      }),
      ...(table.has('images') && { imageUrls: images, imageUrl: images[0] ?? null }),
      ...(table.has('stock') && { storeInventoryQuantity: stockOf(stocked, parent) }),
      ...statusOf(row, parent),
    };
  });
  return { name: nameOf(row), keys, result };
}

function skipped(row: Row, reason: string): Candidate {
  return { name: nameOf(row), keys: keysOf(row, row, []), result: reason };
}

function nameOf({ number }: Row): string {
  return `row ${number}`;
}

/** The export has no handles. They are those that the service would give, but for variations with different values. */
function keysOf(row: Row, parent: Row, values: readonly string[]): Keys {
  const slug = slugInAnyScript(parent.get('name') || row.get('name'));
  return {
    handle: slug === '' ? null : variantHandle(slug, values),
    sku: row.get('sku') || null,
    storeVariantId: row.get('id') || null,
    storeProductId: parent.get('id') || null,
  };
}

/** The values of a variation: one for each of its attributes. An empty one means any. A comma within a value is escaped. */
function valuesOf(row: Row, { attributes }: Table): string[] {
  return attributes
    .filter(({ name, value }) => row.get(name) !== '' || row.get(value) !== '')
    .map(({ value }) => row.get(value).replaceAll('\\,', ','));
}

/** The addresses of images. A comma within one is escaped. */
function imagesOf(cell: string): string[] {
  const images = cell.split(/(?<!\\),/).map((url) => url.replaceAll('\\,', ',').trim());
  return [...new Set(images.filter((url) => url !== ''))];
}

/** The export has line ends as the two characters `\n`, and has one more `\` before those that are in the text. */
function unescaped(text: string): string {
  return text.replace(/\\\\n|\\n/g, (written) => (written === '\\n' ? '\n' : '\\n')).trim();
}

/** The inventory. Variations with the stock `parent` share that of their parent. */
function stockOf(rows: readonly Row[], parent: Row): number {
  const stocks = rows.map((row) => row.get('stock'));
  const own = stocks.filter((stock) => stock.toLowerCase() !== 'parent');
  return sumOf(own.length < stocks.length ? [...own, parent.get('stock')] : own);
}

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['1', 'ACTIVE'],
  ['0', 'DRAFT'],
  ['-1', 'DRAFT'],
]);

/** The status. A variation is sold only if its parent is published too. */
function statusOf(row: Row, parent: Row): Item {
  const published = row.get('published');
  if (published === '') return {};
  const storeStatus = STATUSES.get(published);
  if (storeStatus === undefined) throw new Problem(`its column Published has "${published}"`);
  return { storeStatus: STATUSES.get(parent.get('published')) === 'DRAFT' ? 'DRAFT' : storeStatus };
}
