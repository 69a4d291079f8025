import { contentOf } from './content.ts';
import { UsageError } from '../../../common/failure.ts';
import type { CollectionName } from '../fields.ts';
import { listOf } from '../../../common/list-of.ts';
import { shopify } from './shopify/store.ts';
import type { Content, Findings, ReadOptions } from './source.ts';
import type { Store, StoreFiles } from './store.ts';
import type { StoreContent } from './store-product.ts';
import { woocommerce } from './woocommerce/store.ts';

/** All stores. A file is read as one of the first that understands it. */
export const STORES: readonly Store[] = [shopify, woocommerce];

/** @throws UsageError if there is none of this name */
export function storeNamed(stores: readonly Store[], name: string): Store {
  const found = stores.find((store) => store.name === name);
  if (found === undefined) throw new UsageError(`There is no store ${name}.`);
  return found;
}

/** The stores with files that can be read: `Shopify or WooCommerce`. @param collection what a CSV file must have; by default anything */
export function storesWithFiles(collection?: CollectionName): string {
  const titles = STORES.filter(
    ({ files }) => files && (collection === undefined || files.csv[collection] !== undefined),
  ).map(({ title }) => title);
  return listOf(titles, 'disjunction');
}

/**
 * Makes the items of a file that a store understands.
 * @param found what of the file itself cannot be read for sure
 * @param read asks the readers of a store
 * @returns undefined if none understands it
 * @throws as `contentOf`
 */
export function contentOfFile(
  found: Findings,
  read: (files: StoreFiles) => StoreContent | undefined,
  options: ReadOptions,
): Content | undefined {
  for (const store of STORES) {
    const content = store.files === undefined ? undefined : read(store.files);
    if (content === undefined) continue;
    const skipped = [...found.skipped, ...(content.skipped ?? [])];
    const doubts = [...new Set([...found.doubts, ...(content.doubts ?? [])])];
    return contentOf({ store, content: { ...content, skipped, doubts } }, options);
  }
  return undefined;
}

/** Returns what the first reader that understands something returns. */
export function firstReading<Reader>(
  readers: Iterable<Reader>,
  read: (reader: Reader) => StoreContent | undefined,
): StoreContent | undefined {
  for (const reader of readers) {
    const content = read(reader);
    if (content !== undefined) return content;
  }
  return undefined;
}
