import { contentOf } from './content.ts';
import { UsageError } from './failure.ts';
import type { CollectionName } from '../fields.ts';
import { listOf } from '../../../common/list-of.ts';
import { shopify } from './shopify/store.ts';
import type { Content, ReadOptions } from './source.ts';
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
 * Makes the items of a file that a reader understands.
 * @param readersIn returns the readers of the kind of file
 * @param read asks one of them
 * @param unclear returns what of the file cannot be read for sure, once it has been read
 * @returns undefined if none understands it
 * @throws as `contentOf`
 */
export function contentOfFile<Reader>(
  readersIn: (files: StoreFiles) => readonly Reader[],
  read: (reader: Reader) => StoreContent | undefined,
  unclear: () => Pick<Content, 'skipped' | 'doubts' | 'mayBeCut'>,
  options: ReadOptions,
): Content | undefined {
  for (const store of STORES) {
    for (const reader of store.files === undefined ? [] : readersIn(store.files)) {
      const content = read(reader);
      if (content === undefined) continue;
      const { skipped, mayBeCut, ...of } = unclear();
      const doubts = [...of.doubts, ...(content.doubts ?? [])];
      const whole = { ...content, skipped, mayBeCut, doubts };
      return contentOf({ store, content: whole }, options);
    }
  }
  return undefined;
}
