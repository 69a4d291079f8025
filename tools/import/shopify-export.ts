import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { ProductInput } from '../../client/src/index.ts';
import { minorUnits } from './minor-units.ts';

/** A product of the export, in the fields of this API. A field whose column the export does not have is absent. */
export type ImportedProduct = Pick<ProductInput, 'title' | 'priceCents'> & {
  readonly handle: string;
  readonly description?: string;
  readonly sku?: string | null;
  readonly currencyCode: string;
  readonly imageUrls?: string[];
  readonly imageUrl?: string | null;
  readonly storeInventoryQuantity?: number;
  readonly storeStatus?: StoreStatus;
  readonly source: string;
};

type StoreStatus = NonNullable<ProductInput['storeStatus']>;

/** The `source` of what is imported. */
export const SOURCE = 'SHOPIFY';

/** The fields of an export that can identify a product. */
export const MATCHES = ['handle', 'sku'] as const;

/** A field that identifies a product. */
export type ImportMatch = (typeof MATCHES)[number];

/** A product that was not imported, or only partly, and the reason. */
export interface Remark {
  readonly handle: string;
  readonly reason: string;
}

/** The content of an export. */
export interface Export {
  readonly products: readonly ImportedProduct[];
  /** Products that cannot be imported. */
  readonly skipped: readonly Remark[];
  /** Products that are imported without some of their data. */
  readonly reduced: readonly Remark[];
  /** The values of the identifying fields, including those of products that cannot be imported. */
  readonly values: Readonly<Record<ImportMatch, ReadonlySet<string>>>;
}

/** The required columns. */
const COLUMNS = ['Handle', 'Title', 'Variant Price'];

const QUANTITY = 'Variant Inventory Qty';

const rowSchema = z.array(z.record(z.string(), z.string()));

type ExportRow = Readonly<Record<string, string>>;

/**
 * The text of an export.
 * @throws Error if it is not UTF-8: a spreadsheet may have saved it in another encoding, and its letters would be lost
 */
export function decodeExport(bytes: Uint8Array): string {
  try {
    // The parser removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Error('This is not a Shopify product export: the file is not in UTF-8.', { cause });
  }
}

/**
 * Reads a product export of Shopify: CSV with a header line. The rows of a product have the same handle. The first one has
 * the product's own fields and its first variant, each further one has a variant, an image or both.
 * @param currencyCode the currency of the prices, which the export does not name
 * @throws Error if the text is not such an export
 */
export function readShopifyExport(csv: string, currencyCode: string): Export {
  const { rows, columns } = readRows(csv);
  const skipped: Remark[] = [];
  const reduced: Remark[] = [];
  const products: ImportedProduct[] = [];
  for (const [handle, group] of groupByHandle(rows)) {
    const result = readProduct(handle, group, columns, currencyCode);
    if (typeof result === 'string') skipped.push({ handle, reason: result });
    else products.push(result);
    const reason = leftOut(group);
    if (reason !== undefined && typeof result !== 'string') reduced.push({ handle, reason });
  }
  const values = { handle: valuesOf(rows, 'Handle'), sku: valuesOf(rows, 'Variant SKU') };
  return { products, skipped, reduced, values };
}

function valuesOf(rows: readonly ExportRow[], column: string): Set<string> {
  return new Set(rows.map((row) => cell(row, column)).filter((value) => value !== ''));
}

/** Parses the rows of an export, by the names in its header line. */
function readRows(csv: string): {
  readonly rows: ExportRow[];
  readonly columns: ReadonlySet<string>;
} {
  let header: string[] = [];
  const columns = (names: string[]): string[] => (header = names);
  let rows: unknown;
  try {
    rows = parse(csv, {
      columns,
      bom: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    });
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`This is not a Shopify product export: ${detail}`, { cause });
  }
  if (!COLUMNS.every((name) => header.includes(name))) {
    throw new Error(
      'This is not a Shopify product export: the columns Handle, Title and Variant Price are missing.',
    );
  }
  // The parser would take the last one. A spreadsheet may have added columns without a name.
  const twice = header.find((name, index) => name !== '' && header.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new Error(`This is not a Shopify product export: it has two columns ${twice}.`);
  }
  return { rows: rowSchema.parse(rows), columns: new Set(header) };
}

function groupByHandle(rows: readonly ExportRow[]): Map<string, ExportRow[]> {
  return Map.groupBy(rows, (row) => cell(row, 'Handle'));
}

/** Returns the product of these rows, or why it cannot be imported. */
function readProduct(
  handle: string,
  rows: readonly ExportRow[],
  columns: ReadonlySet<string>,
  currencyCode: string,
): ImportedProduct | string {
  const [first = {}] = rows;
  if (handle === '') return 'its rows have no handle';
  const title = cell(first, 'Title');
  if (title === '') return 'it has no title';
  const priceCents = minorUnits(cell(first, 'Variant Price'), currencyCode);
  if (priceCents === undefined) return `its price is "${cell(first, 'Variant Price')}"`;
  const quantity = variants(rows)
    .map((row) => cell(row, QUANTITY))
    .find((text) => !/^(-?\d+)?$/.test(text));
  if (quantity !== undefined) return `its quantity is "${quantity}"`;
  const storeStatus = status(first);
  if (storeStatus === undefined) {
    return `its status is "${cell(first, 'Status') || cell(first, 'Published')}"`;
  }
  const imageUrls = images(rows);
  return {
    handle,
    title,
    priceCents,
    currencyCode,
    source: SOURCE,
    // A push leaves a field that is not named as it is in the service.
    ...(columns.has('Body (HTML)') && { description: cell(first, 'Body (HTML)') }),
    ...(columns.has('Variant SKU') && { sku: cell(first, 'Variant SKU') || null }),
    ...(columns.has('Image Src') && { imageUrls, imageUrl: imageUrls[0] ?? null }),
    ...(columns.has(QUANTITY) && { storeInventoryQuantity: inventory(rows) }),
    ...((columns.has('Status') || columns.has('Published')) && { storeStatus }),
  };
}

function inventory(rows: readonly ExportRow[]): number {
  return variants(rows)
    .map((row) => Number(cell(row, QUANTITY)))
    .reduce((sum, quantity) => sum + quantity, 0);
}

/** A product has one price and one SKU: those of its first variant. The rest is reported. */
function leftOut(rows: readonly ExportRow[]): string | undefined {
  const [first, ...others] = variants(rows);
  if (first === undefined || others.length === 0) return undefined;
  const differing = ['Variant Price', 'Variant SKU'].filter((column) =>
    others.some((row) => cell(row, column) !== cell(first, column)),
  );
  const count = `${others.length} more ${others.length === 1 ? 'variant' : 'variants'}`;
  return differing.length === 0 ? count : `${count}; only the first one's ${differing.join(', ')}`;
}

function variants(rows: readonly ExportRow[]): ExportRow[] {
  return rows.filter((row) => cell(row, 'Variant Price') !== '');
}

function images(rows: readonly ExportRow[]): string[] {
  const sorted = rows
    .filter((row) => cell(row, 'Image Src') !== '')
    .sort((a, b) => Number(cell(a, 'Image Position')) - Number(cell(b, 'Image Position')));
  return [...new Set(sorted.map((row) => cell(row, 'Image Src')))];
}

const STATUSES: ReadonlyMap<string, StoreStatus> = new Map([
  ['active', 'ACTIVE'],
  ['draft', 'DRAFT'],
  ['archived', 'ARCHIVED'],
  ['unlisted', 'UNLISTED'],
]);

/** Newer exports have a status column. Older ones only state whether the product is published. */
const PUBLISHED: ReadonlyMap<string, StoreStatus> = new Map([
  ['true', 'ACTIVE'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
]);

/** Returns undefined for another word, such as the `WAHR` of a German spreadsheet: the product would be hidden. */
function status(row: ExportRow): StoreStatus | undefined {
  const named = cell(row, 'Status').toLowerCase();
  return named === '' ? PUBLISHED.get(cell(row, 'Published').toLowerCase()) : STATUSES.get(named);
}

/**
 * Returns a value trimmed and in NFC, as the service stores it, so that equal values match; without the apostrophe that
 * Shopify writes before a formula, and before an SKU of digits, so that a spreadsheet takes it for a text.
 */
function cell(row: ExportRow, column: string): string {
  const text = (row[column] ?? '').trim().normalize('NFC');
  const isMarked = /^'[=+\-@]/.test(text) || (column === 'Variant SKU' && /^'\d+$/.test(text));
  return isMarked ? text.slice(1) : text;
}
