import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import type { ProductInput } from '../../client/src/index.ts';

/** A product of the export, in the fields of this API. */
export type ImportedProduct = Pick<ProductInput, 'title' | 'priceCents'> & {
  readonly handle: string;
  readonly description: string;
  readonly sku: string | null;
  readonly currencyCode: string;
  readonly imageUrls: string[];
  readonly imageUrl: string | null;
  readonly storeInventoryQuantity: number;
  readonly storeStatus: StoreStatus;
  readonly source: string;
};

type StoreStatus = NonNullable<ProductInput['storeStatus']>;

/** Something of the export that was not taken over, and why. */
export interface Remark {
  readonly handle: string;
  readonly reason: string;
}

/** What an export holds. */
export interface Export {
  readonly products: readonly ImportedProduct[];
  /** Products left out whole. */
  readonly skipped: readonly Remark[];
  /** Products taken over with something left out. */
  readonly reduced: readonly Remark[];
}

/** Without these columns there is nothing to import. */
const COLUMNS = ['Handle', 'Title', 'Variant Price'];

const rowSchema = z.array(z.record(z.string(), z.string()));

type ExportRow = Readonly<Record<string, string>>;

/**
 * Reads a product export of Shopify: CSV with a header line, the rows of one product one after another under its handle,
 * the first with the product's own fields and its first variant, each further one with a variant, an image or both.
 * @param currencyCode of the prices, which the export does not name
 * @throws Error where the text is no such export
 */
export function readShopifyExport(csv: string, currencyCode: string): Export {
  const rows = readRows(csv);
  const skipped: Remark[] = [];
  const reduced: Remark[] = [];
  const products: ImportedProduct[] = [];
  for (const [handle, group] of groupByHandle(rows)) {
    const result = readProduct(handle, group, currencyCode);
    if (typeof result === 'string') skipped.push({ handle, reason: result });
    else products.push(result);
    const reason = leftOut(group);
    if (reason !== undefined && typeof result !== 'string') reduced.push({ handle, reason });
  }
  return { products, skipped, reduced };
}

/** The rows of an export by the names in its header line. */
function readRows(csv: string): ExportRow[] {
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
    throw new Error(`This is no product export of Shopify: ${detail}`, { cause });
  }
  if (!COLUMNS.every((name) => header.includes(name))) {
    throw new Error(
      'This is no product export of Shopify: it has no columns Handle, Title and Variant Price.',
    );
  }
  return rowSchema.parse(rows);
}

function groupByHandle(rows: readonly ExportRow[]): Map<string, ExportRow[]> {
  return Map.groupBy(rows, (row) => cell(row, 'Handle'));
}

/** The product of some rows, or why there is none. */
function readProduct(
  handle: string,
  rows: readonly ExportRow[],
  currencyCode: string,
): ImportedProduct | string {
  const [first = {}] = rows;
  if (handle === '') return 'its rows have no handle';
  const title = cell(first, 'Title');
  if (title === '') return 'it has no title';
  const priceCents = cents(cell(first, 'Variant Price'));
  if (priceCents === undefined) return `its price is «${cell(first, 'Variant Price')}»`;
  const imageUrls = images(rows);
  return {
    handle,
    title,
    description: cell(first, 'Body (HTML)'),
    sku: cell(first, 'Variant SKU') || null,
    priceCents,
    currencyCode,
    imageUrls,
    imageUrl: imageUrls[0] ?? null,
    storeInventoryQuantity: variants(rows)
      .map((row) => Number(cell(row, 'Variant Inventory Qty')) || 0)
      .reduce((sum, quantity) => sum + quantity, 0),
    storeStatus: status(first),
    source: 'SHOPIFY',
  };
}

/** A product here has one price and one SKU: those of the first variant. What differs in the others is told. */
function leftOut(rows: readonly ExportRow[]): string | undefined {
  const [first, ...others] = variants(rows);
  if (first === undefined || others.length === 0) return undefined;
  const differing = ['Variant Price', 'Variant SKU'].filter((column) =>
    others.some((row) => cell(row, column) !== cell(first, column)),
  );
  const count = `${others.length} further ${others.length === 1 ? 'variant' : 'variants'} in one product`;
  return differing.length === 0 ? count : `${count}; of the first only: ${differing.join(', ')}`;
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

/** Newer exports name the status, older ones say only whether the product is published. */
function status(row: ExportRow): StoreStatus {
  const named = STATUSES.get(cell(row, 'Status').toLowerCase());
  return named ?? (cell(row, 'Published').toLowerCase() === 'true' ? 'ACTIVE' : 'DRAFT');
}

/** `42.99`, `50` or `50.5` in cents, without the detour through binary fractions. */
function cents(price: string): number | undefined {
  const [, units, decimals = ''] = /^(\d+)(?:\.(\d{1,2})0*)?$/.exec(price) ?? [];
  return units === undefined ? undefined : Number(units + decimals.padEnd(2, '0'));
}

/** A value in the form in which the service keeps texts, so that it can be compared with what is there. */
function cell(row: ExportRow, column: string): string {
  return (row[column] ?? '').trim().normalize('NFC');
}
