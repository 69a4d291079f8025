import type { BrandClient, Product } from '../../client/src/index.ts';
import { BrandApiError } from '../../client/src/index.ts';
import type { ImportMatch } from './shopify-export.ts';

const NOT_FOUND = 404;

/** What to delete. */
export interface PruneOptions {
  /** Only products of this source. */
  readonly source: string;
  /** The field that identifies a product in the file. */
  readonly match: ImportMatch;
  /** The values of that field in the file. */
  readonly kept: ReadonlySet<string>;
  /** The largest share of the source's products to delete, in percent. */
  readonly limit: number;
}

/**
 * The products that the service has of a source and the file has not. One without a value in the identifying field stays,
 * because the file cannot tell anything about it.
 * @throws Error if that is more of them than the limit allows, or the file has none at all: the file may be truncated
 */
export async function findAbsent(
  client: BrandClient,
  { source, match, kept, limit }: PruneOptions,
): Promise<Product[]> {
  if (kept.size === 0) {
    throw new Error(
      `No product in the file has a ${match}: --prune would delete everything. Nothing was changed.`,
    );
  }
  let count = 0;
  const absent: Product[] = [];
  for await (const product of client.products.list()) {
    if (product.source !== source) continue;
    count++;
    const value = product[match];
    if (value !== null && !kept.has(value)) absent.push(product);
  }
  if (absent.length * 100 > count * limit) {
    throw new Error(
      `--prune would delete ${absent.length} of the ${count} products of ${source}, more than the ${limit} percent that --prune-limit allows. Nothing was changed.`,
    );
  }
  return absent;
}

/**
 * Deletes products one by one.
 * @param onDeleted called after each one; an error that it throws ends the deletion
 */
export async function deleteProducts(
  client: BrandClient,
  products: readonly Product[],
  onDeleted: () => void,
): Promise<void> {
  for (const { id } of products) {
    try {
      await client.products.delete(id);
    } catch (error) {
      // Somebody else deleted it.
      if (!(error instanceof BrandApiError && error.status === NOT_FOUND)) throw error;
    }
    onDeleted();
  }
}
