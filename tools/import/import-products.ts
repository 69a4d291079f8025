import type { BrandClient, Pushed, PushProgress } from '../../client/src/index.ts';
import { deleteUnchanged, findAbsent } from './prune.ts';
import type { Export, ImportMatch, Remark } from './shopify-export.ts';
import type { ImportedProduct } from './store-product.ts';

/** What an import did, or would do. */
export interface ImportResult {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly deleted: number;
  /** Products that cannot be read or identified, with the reason. */
  readonly skipped: readonly Remark[];
  /** Products that the service refuses, with the reason. */
  readonly refused: readonly Remark[];
  /** Why it ended before everything was done; undefined if it was done. */
  readonly interruption: Error | undefined;
}

/** How to import. */
export interface ImportOptions {
  /** The field that identifies a product. */
  readonly match: ImportMatch;
  /** Only reports what would be done. */
  readonly dryRun: boolean;
  /**
   * Deletes the products of the same source that are not in the file, up to this share of them in percent. If
   * undefined, nothing is deleted.
   */
  readonly pruneLimit: number | undefined;
  /** Called with the number of products that are done, and the total. */
  readonly onProgress: (done: number, total: number) => void;
  /** Ends the import between two requests. */
  readonly signal: AbortSignal;
}

const CHANGED = 'not deleted, because it was changed during the import';

/**
 * Imports the products of an export: creates new products and updates those that differ. Products that the service
 * refuses are reported, and the rest is imported. So is what was done before a failure.
 * @throws BrandApiError if the first request fails; Error if more products would be deleted than `pruneLimit` allows, or it
 *   was stopped before the first request
 */
export async function importProducts(
  client: BrandClient,
  file: Export,
  { match, dryRun, pruneLimit, onProgress, signal }: ImportOptions,
): Promise<ImportResult> {
  const absent = pruneLimit === undefined ? [] : await findAbsent(client, file, match, pruneLimit);
  const { items, skipped } = identifiable(file.products, match);
  const refused: Remark[] = [];
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
  const total = file.products.length + absent.length;
  const unsent = skipped.length;
  let done = unsent;
  const advance = (count: number): void => {
    done += count;
    onProgress(done, total);
    if (signal.aborted && done < total) {
      throw new Error('Stopped before the end. Run it again to continue.');
    }
  };
  const take = ({ done: reached, results }: PushProgress<Pushed>): void => {
    const first = reached - results.length;
    for (const [index, result] of results.entries()) {
      if (result.status === 'refused') {
        refused.push({ handle: items[first + index]?.handle ?? '', reason: result.error });
        // Without ifNewer, nothing is stale.
      } else if (result.status !== 'stale') counts[result.status]++;
    }
    advance(results.length);
  };

  let interruption: Error | undefined;
  try {
    advance(0);
    // Without keys, because each would be a row: a file that changes nothing writes nothing.
    const how = { dryRun, lenient: true, minimal: true, idempotencyKey: null, onProgress: take };
    await (match === 'sku'
      ? client.products.push(items.filter(hasSku), { ...how, match })
      : client.products.push(items, { ...how, match }));
    if (dryRun) counts.deleted = absent.length;
    else {
      for (const product of absent) {
        if (await deleteUnchanged(client, product)) counts.deleted++;
        else skipped.push({ handle: product.handle, reason: CHANGED });
        advance(1);
      }
    }
  } catch (error) {
    if (!(error instanceof Error) || done === unsent) throw error;
    interruption = error;
  }
  return { ...counts, skipped: [...file.skipped, ...skipped], refused, interruption };
}

/**
 * Returns the products that can be identified. The service would refuse the others too, but it detects duplicates only
 * within one request.
 */
function identifiable(
  products: readonly ImportedProduct[],
  match: ImportMatch,
): { items: ImportedProduct[]; skipped: Remark[] } {
  const items: ImportedProduct[] = [];
  const skipped: Remark[] = [];
  const seen = new Map<string, string>();
  for (const product of products) {
    const { handle, [match]: value = null } = product;
    const before = seen.get(value ?? '');
    if (value !== null && before === undefined) {
      seen.set(value, handle);
      items.push(product);
      continue;
    }
    const reason =
      value === null ? `it has no ${match}` : `${before ?? ''} has the same ${match}: "${value}"`;
    skipped.push({ handle, reason });
  }
  return { items, skipped };
}

function hasSku(product: ImportedProduct): product is ImportedProduct & { readonly sku: string } {
  return product.sku !== null;
}
