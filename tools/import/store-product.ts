import type { ProductInput } from '../../client/src/index.ts';
import type { Column, ExportRow } from './export-table.ts';
import type { PriceOptions } from './minor-units.ts';
import { minorUnits, priceProblem } from './minor-units.ts';
import { leftOut, variantHandle, variantsOf, variantTitle } from './variants.ts';

type Always = 'title' | 'handle' | 'priceCents' | 'currencyCode' | 'source';
type IfThere = 'description' | 'sku' | 'storeInventoryQuantity' | 'storeStatus';

/** A product of the export, in the fields of this API. A field whose column the export does not have is absent. */
export type ImportedProduct = Required<Pick<ProductInput, Always>> &
  Pick<ProductInput, IfThere | 'imageUrls' | 'imageUrl'>;

/** The `source` of what is imported. */
export const SOURCE = 'SHOPIFY';

/** The variants of a product that become products of the service. */
export const VARIANT_CHOICES = ['all', 'first'] as const;

/** How to read an export. */
export interface ReadOptions extends PriceOptions {
  readonly variants: (typeof VARIANT_CHOICES)[number];
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

/** Some fields of a product, these among them. */
type Read<Field extends Always> = Partial<ImportedProduct> & Pick<ImportedProduct, Field>;

/** Why a product cannot be imported. */
class Problem extends Error {}

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
  const isOne = options.variants === 'first' || variants.length === 1;
  return variants.slice(0, isOne ? 1 : undefined).map((variant) => {
    const handle = isOne ? variant.handle : variantHandle(variant);
    try {
      const common = readCommon(rows, columns);
      const product = {
        ...{ handle, currencyCode: options.currencyCode, source: SOURCE },
        ...common,
        ...readVariant(variant, isOne ? variants : [variant], columns, options),
        ...(!isOne && { title: variantTitle(common.title, variant) }),
        ...(!isOne && variant.variantImage !== '' && { imageUrl: variant.variantImage }),
      };
      refuseControls(product);
      const hasComparePrice = variant.comparePrice !== '';
      return {
        handle,
        result: product,
        leftOut: isOne ? leftOut(variants) : undefined,
        hasComparePrice,
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { handle, result: error.message };
    }
  });
}

/** Reads what the variants of a product have in common. */
function readCommon(rows: readonly ExportRow[], columns: ReadonlySet<Column>): Read<'title'> {
  // Some exports repeat the texts of the product in each of its rows.
  const titles = new Set(rows.map(({ title }) => title).filter((title) => title !== ''));
  const [title, other] = titles;
  if (title === undefined) throw new Problem('it has no title');
  if (other !== undefined) {
    throw new Problem(`products with different titles have this handle: "${title}", "${other}"`);
  }
  const storeStatus = statusOf(firstOf(rows, 'status'), firstOf(rows, 'published'));
  const imageUrls = imagesOf(rows);
  // A push leaves a field that is not named as it is in the service.
  return {
    title,
    ...(columns.has('description') && { description: firstOf(rows, 'description') }),
    ...(columns.has('image') && { imageUrls, imageUrl: imageUrls[0] ?? null }),
    ...((columns.has('status') || columns.has('published')) && { storeStatus }),
  };
}

/**
 * Reads what a variant has of its own.
 * @param stocked the variants whose inventory is summed
 */
function readVariant(
  variant: ExportRow,
  stocked: readonly ExportRow[],
  columns: ReadonlySet<Column>,
  options: ReadOptions,
): Read<'priceCents'> {
  const priceCents = minorUnits(variant.price, options);
  if (priceCents === undefined) throw new Problem(priceProblem(variant.price, options));
  const quantities = stocked.map(({ quantity }) => quantity);
  const unreadable = quantities.find((text) => !/^(-?\d+)?$/.test(text));
  if (unreadable !== undefined) throw new Problem(`its quantity is "${unreadable}"`);
  const storeInventoryQuantity = quantities.reduce((sum, text) => sum + Number(text), 0);
  return {
    priceCents,
    ...(columns.has('sku') && { sku: variant.sku || null }),
    ...(columns.has('quantity') && { storeInventoryQuantity }),
  };
}

/** A character that the service refuses in every text. One-line texts have no tabs and line ends. */
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Says where a product has a control character, if it has. */
function refuseControls(product: ImportedProduct): void {
  for (const [field, value] of Object.entries(product)) {
    const at = typeof value === 'string' ? value.search(CONTROL) : -1;
    if (typeof value !== 'string' || at < 0) continue;
    const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0');
    const before = value.slice(Math.max(0, at - 20), at);
    throw new Problem(`its ${field} has the control character U+${code} after "${before}"`);
  }
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

const STATUSES = ['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED'] as const;

/** Newer exports have a column of the status. Older ones only state whether the product is published. */
const PUBLISHED: ReadonlyMap<string, string> = new Map([
  ['true', 'ACTIVE'],
  ['false', 'DRAFT'],
  ['', 'DRAFT'],
]);

function statusOf(named: string, published: string): (typeof STATUSES)[number] {
  const word = named === '' ? PUBLISHED.get(published.toLowerCase()) : named.toUpperCase();
  const status = STATUSES.find((one) => one === word);
  // Another word, such as the `WAHR` of a German spreadsheet, is no reason to hide the product.
  if (status === undefined) throw new Problem(`its status is "${named || published}"`);
  return status;
}
