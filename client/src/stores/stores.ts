import type { CollectionName } from './fields.ts';
import { listOf } from '../../../common/list-of.ts';
import { shopify } from './shopify/store.ts';
import type { Store, StoreFiles, ContentOfStore } from './store.ts';
import type { StoreContent } from './store-product.ts';
import { woocommerce } from './woocommerce/store.ts';

/** All stores. A file is read as one of the first that understands it. */
export const STORES: readonly Store[] = [shopify, woocommerce];

/** Returns the store of a name, if there is one. */
export function storeNamed(name: string): Store | undefined {
  return STORES.find((store) => store.name === name);
}

/** The stores with files that can be read: `Shopify or WooCommerce`. @param collection what a CSV file must have; by default anything */
export function storesWithFiles(collection?: CollectionName): string {
  const stores = STORES.filter(
    ({ files }) => files && (collection === undefined || files.csv[collection] !== undefined),
  );
  return listOf(
    stores.map(({ title }) => title),
    'disjunction',
  );
}

/**
 * Returns what the first of the readers of files understands.
 * @param readersIn returns the readers of the kind of file
 * @param read asks one of them
 */
export function firstUnderstood<Reader>(
  readersIn: (files: StoreFiles) => readonly Reader[],
  read: (reader: Reader) => StoreContent | undefined,
): ContentOfStore | undefined {
  for (const store of STORES) {
    for (const reader of store.files === undefined ? [] : readersIn(store.files)) {
      const content = read(reader);
      if (content !== undefined) return { store, content };
    }
  }
  return undefined;
}
