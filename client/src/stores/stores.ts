import { UsageError } from '../../../common/failure.ts';
import type { CollectionName } from '../fields.ts';
import { listOf } from '../../../common/list-of.ts';
import { shopify } from './shopify/store.ts';
import type { Store } from './store.ts';
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
