import { readTable } from './export-table.ts';
import type { ImportedProduct, ReadOptions } from './store-product.ts';
import { readStoreProduct } from './store-product.ts';

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
  /** How many products have a compare-at price, which is not imported. */
  readonly comparePrices: number;
  /** The values of the identifying fields, including those of products that cannot be imported. */
  readonly values: Readonly<Record<ImportMatch, ReadonlySet<string>>>;
}

/**
 * Reads a product export of Shopify. The rows with one handle are a product of the store.
 * @throws Error if the text is not such an export
 */
export function readShopifyExport(csv: string, options: ReadOptions): Export {
  const { rows, columns } = readTable(csv);
  const products: ImportedProduct[] = [];
  const skipped: Remark[] = [];
  const reduced: Remark[] = [];
  const handles = new Set<string>();
  let comparePrices = 0;
  const candidates = [...Map.groupBy(rows, ({ handle }) => handle)].flatMap(
    ([storeHandle, group]) =>
      readStoreProduct(group, columns, options).map((one) => ({ ...one, storeHandle })),
  );
  const byHandle = Map.groupBy(candidates, ({ handle }) => handle);
  for (const { handle, storeHandle, result, leftOut, hasComparePrice } of candidates) {
    const isTaken = byHandle.get(handle)?.length !== 1;
    const product =
      isTaken && typeof result !== 'string' ? 'another variant has this handle' : result;
    handles.add(handle);
    if (typeof product === 'string') {
      skipped.push({ handle, reason: product });
      // The service may have it from an earlier file, in which it had one variant.
      handles.add(storeHandle);
    } else {
      products.push(product);
      if (hasComparePrice) comparePrices++;
      if (leftOut !== undefined) reduced.push({ handle, reason: leftOut });
    }
  }
  const skus = new Set(rows.map(({ sku }) => sku));
  for (const values of [handles, skus]) values.delete('');
  return { products, skipped, reduced, comparePrices, values: { handle: handles, sku: skus } };
}
