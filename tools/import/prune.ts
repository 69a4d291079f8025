import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BrandClient, Product } from '../../client/src/index.ts';
import { BrandApiError } from '../../client/src/index.ts';
import type { ImportMatch } from './shopify-export.ts';

const NOT_FOUND = 404;

/** How often one product is tried, and the pause between two tries in milliseconds. */
const TRIES = 5;
const PAUSE = 1000;

/** After these errors of the service it is read again: it was changed, or the service was unavailable. */
const REPEATED: ReadonlySet<number | undefined> = new Set([412, 503]);

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
 * Returns the products of a source that are in the service but not in the file. A product without a value in the
 * identifying field is kept, because it cannot be compared with the file.
 * @throws Error if there are more than the limit allows, or if the file has no products: it may be truncated
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
 * Deletes products one by one, unless somebody has changed them since they were found: they may be kept for a reason.
 * @param onDone called after each one; an error that it throws ends the deletion
 */
export async function deleteProducts(
  client: BrandClient,
  products: readonly Product[],
  onDone: (product: Product, isDeleted: boolean) => void,
): Promise<void> {
  for (const product of products) onDone(product, await deleteUnchanged(client, product));
}

/**
 * Deletes a product if it is still as it was found. The client does not repeat a deletion with `If-Match` by itself.
 * @returns whether it is gone
 */
async function deleteUnchanged(client: BrandClient, found: Product): Promise<boolean> {
  for (let left = TRIES; ; left--) {
    try {
      const { data, etag } = await client.products.get(found.id);
      if (!isDeepStrictEqual(data, found)) return false;
      await client.products.delete(found.id, { ifMatch: etag });
      return true;
    } catch (error) {
      if (!(error instanceof BrandApiError)) throw error;
      const { status, isFromService } = error;
      // Somebody else deleted it, or a try whose response was lost.
      if (status === NOT_FOUND && isFromService) return true;
      // If something else answered, or nothing, it may be deleted or not.
      if (left === 1 || (isFromService && !REPEATED.has(status))) throw error;
      await setTimeout(PAUSE);
    }
  }
}
