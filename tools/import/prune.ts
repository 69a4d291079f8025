import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BrandClient, Product } from '../../client/src/index.ts';
import { BrandApiError } from '../../client/src/index.ts';
import type { Export, ImportMatch } from './shopify-export.ts';
import { SOURCE } from './store-product.ts';

/** How often one product is tried, and the pause between two tries in milliseconds. */
const TRIES = 5;
const PAUSE = 1000;

/** After these errors of the service it is read again: it was changed, or the service was unavailable. */
const REPEATED: ReadonlySet<number | undefined> = new Set([412, 503]);

/**
 * Returns the products of Shopify that are in the service but not in the file. A product without a value in the identifying
 * field is kept, because it cannot be compared with the file.
 * @param limit the largest share of the products of Shopify to delete, in percent
 * @throws Error if there are more than the limit allows, or if the file has no products: it may be truncated
 */
export async function findAbsent(
  client: BrandClient,
  { values }: Export,
  match: ImportMatch,
  limit: number,
): Promise<Product[]> {
  const kept = values[match];
  if (kept.size === 0) {
    throw new Error(
      `No product in the file has a ${match}: --prune would delete everything. Nothing was changed.`,
    );
  }
  const found: Product[] = [];
  for await (const product of client.products.list()) {
    if (product.source === SOURCE) found.push(product);
  }
  const absent = found.filter(({ [match]: value }) => value !== null && !kept.has(value));
  if (absent.length * 100 > found.length * limit) {
    throw new Error(
      `--prune would delete ${absent.length} of the ${found.length} products of ${SOURCE}, more than the ${limit} percent that --prune-limit allows. Nothing was changed.`,
    );
  }
  return absent;
}

/**
 * Deletes a product, unless somebody has changed it since it was found: it may be kept for a reason. The client does not
 * repeat a deletion with `If-Match` by itself.
 * @returns whether it is gone
 */
export async function deleteUnchanged(client: BrandClient, found: Product): Promise<boolean> {
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
      if (status === 404 && isFromService) return true;
      // If something else answered, or nothing, it may be deleted or not.
      if (left === 1 || (isFromService && !REPEATED.has(status))) throw error;
      await setTimeout(PAUSE);
    }
  }
}
