import type { ProductInput } from '../../client/src/index.ts';
import type { Column, ExportRow } from './export-table.ts';
import type { PriceOptions } from './minor-units.ts';
import { minorUnits, priceProblem } from './minor-units.ts';
import { leftOut, variantHandle, variantsOf, variantTitle } from './variants.ts';

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

/** The variants of a product that become products of the service. */
export const VARIANT_CHOICES = ['all', 'first'] as const;

/** The choice of one, as above. */
export type VariantChoice = (typeof VARIANT_CHOICES)[number];

/** How to read an export. */
export interface ReadOptions extends PriceOptions {
  readonly variants: VariantChoice;
}

/** A product of the service that an export describes. */
export interface Candidate {
  readonly handle: string;
  /** The product, or why it cannot be imported. */
  readonly result: ImportedProduct | string;
  /** What of the store's product is not imported; undefined if everything is. */
  readonly leftOut?: string | undefined;
  /** Whether it has a compare-at price, which is not imported. */
  readonly hasComparePrice?: boolean;
}

/**
 * Reads a product of the store.
 * @param rows its rows. Each has texts of the product, a variant, an image, or several of them
 * @param columns the columns of the export
 */
export function readStoreProduct(
  rows: readonly ExportRow[],
  columns: ReadonlySet<Column>,
  options: ReadOptions,
): Candidate[] {
  if (rows[0]?.handle === '') return [{ handle: '', result: 'its rows have no handle' }];
  const variants = variantsOf(rows);
  const { currencyCode } = options;
  const isOne = options.variants === 'first' || variants.length === 1;
  const common = readCommon(rows, columns);
  return (isOne ? variants.slice(0, 1) : variants).map((variant) => {
    const handle = isOne ? variant.handle : variantHandle(variant);
    const own = readVariant(variant, isOne ? variants : [variant], columns, options);
    if (typeof common === 'string') return { handle, result: common };
    if (typeof own === 'string') return { handle, result: own };
    const product = { handle, currencyCode, source: SOURCE, ...common, ...own };
    const hasComparePrice = variant.comparePrice !== '';
    if (isOne) {
      const result = withoutControls(product);
      return { handle, result, leftOut: leftOut(variants), hasComparePrice };
    }
    const title = variantTitle(common.title, variant);
    const imageUrl = variant.variantImage;
    const result = withoutControls({ ...product, title, ...(imageUrl !== '' && { imageUrl }) });
    return { handle, result, hasComparePrice };
  });
}

type CommonField = 'title' | 'description' | 'imageUrls' | 'imageUrl' | 'storeStatus';

/** Reads what the variants of a product have in common. Returns why it cannot be imported, if so. */
function readCommon(
  rows: readonly ExportRow[],
  columns: ReadonlySet<Column>,
): Pick<ImportedProduct, CommonField> | string {
  // Some exports repeat the texts of the product in each of its rows.
  const titles = new Set(rows.map(({ title }) => title).filter((title) => title !== ''));
  const [title, other] = titles;
  if (title === undefined) return 'it has no title';
  if (other !== undefined)
    return `products with different titles have this handle: "${title}", "${other}"`;
  const named = firstOf(rows, 'status');
  const published = firstOf(rows, 'published');
  const storeStatus = statusOf(named, published);
  if (storeStatus === undefined) return `its status is "${named || published}"`;
  const imageUrls = imagesOf(rows);
  // A push leaves a field that is not named as it is in the service.
  return {
    title,
    ...(columns.has('description') && { description: firstOf(rows, 'description') }),
    ...(columns.has('image') && { imageUrls, imageUrl: imageUrls[0] ?? null }),
    ...((columns.has('status') || columns.has('published')) && { storeStatus }),
  };
}

type OwnField = 'priceCents' | 'sku' | 'storeInventoryQuantity';

/**
 * Reads what a variant has of its own. Returns why it cannot be imported, if so.
 * @param stocked the variants whose inventory is summed
 */
function readVariant(
  variant: ExportRow,
  stocked: readonly ExportRow[],
  columns: ReadonlySet<Column>,
  options: ReadOptions,
): Pick<ImportedProduct, OwnField> | string {
  const priceCents = minorUnits(variant.price, options);
  if (priceCents === undefined) return priceProblem(variant.price, options);
  const quantities = stocked.map(({ quantity }) => quantity);
  const unreadable = quantities.find((text) => !/^(-?\d+)?$/.test(text));
  if (unreadable !== undefined) return `its quantity is "${unreadable}"`;
  const storeInventoryQuantity = quantities.reduce((sum, text) => sum + Number(text), 0);
  return {
    priceCents,
    ...(columns.has('sku') && { sku: variant.sku || null }),
    ...(columns.has('quantity') && { storeInventoryQuantity }),
  };
}

/** A character that the service refuses in every text. One-line texts have no tabs and line ends. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Returns a product, or where it has a control character. */
function withoutControls(product: ImportedProduct): ImportedProduct | string {
  for (const [field, value] of Object.entries(product)) {
    const at = typeof value === 'string' ? value.search(CONTROL) : -1;
    if (typeof value !== 'string' || at < 0) continue;
    const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    return `its ${field} has the control character U+${code} after "${value.slice(Math.max(0, at - 20), at)}"`;
  }
  return product;
}

function firstOf(rows: readonly ExportRow[], column: Column): string {
  return rows.find((row) => row[column] !== '')?.[column] ?? '';
}

function imagesOf(rows: readonly ExportRow[]): string[] {
  const sorted = rows
    .filter(({ image }) => image !== '')
    .sort((a, b) => Number(a.imagePosition) - Number(b.imagePosition));
  return [...new Set(sorted.map(({ image }) => image))];
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
function statusOf(named: string, published: string): StoreStatus | undefined {
  return named === '' ? PUBLISHED.get(published.toLowerCase()) : STATUSES.get(named.toLowerCase());
}
