import { shopify } from './shopify/store.ts';
import type { Store, ContentOfStore } from './store.ts';
import type { StoreContent } from './store-product.ts';
import { woocommerce } from './woocommerce/store.ts';

/** All stores. A file is read as one of the first that understands it. */
export const STORES: readonly Store[] = [shopify, woocommerce];

/** Returns the store of a name, if there is one. */
export function storeNamed(name: string): Store | undefined {
  return STORES.find((store) => store.name === name);
}

/**
 * Returns what the first of the readers of files understands.
 * @param kind the kind of file
 * @param read asks one of them
 */
export function firstUnderstood<Kind extends keyof Store['files']>(
  kind: Kind,
  read: (reader: Store['files'][Kind][number]) => StoreContent | undefined,
): ContentOfStore | undefined {
  for (const store of STORES) {
    for (const reader of store.files[kind]) {
      const content = read(reader);
      if (content !== undefined) return { store, content };
    }
  }
  return undefined;
}
