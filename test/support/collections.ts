import type { TestCollection } from './collections/collection.ts';
import { couponCodes } from './collections/coupon-codes.ts';
import { products } from './collections/products.ts';
import { widgets } from './collections/widgets.ts';

// The one table of collections. All tests of collections take theirs from it, so a new one is in all of them as soon as
// it is here. `test/inventory.test.ts` fails until it is.

export { couponCodes, products, widgets };

export const collections: readonly TestCollection[] = [products, couponCodes];

/**
 * The same and widgets, for the tests that must never leave a collection out: tenancy, repeats and the fuzzer. They show
 * that an entry is all that these tests need.
 */
export const collectionsAndWidgets: readonly TestCollection[] = [...collections, widgets];

/**
 * Returns the collection at a path.
 * @throws Error if there is none
 */
export function collectionAt(path: string): TestCollection {
  const found = collectionsAndWidgets.find((one) => one.path === path);
  if (found === undefined) throw new Error(`There is no collection ${path}.`);
  return found;
}
