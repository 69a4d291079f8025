import type { products } from '../../src/db/tables.ts';

/** What each design assigns to a product by itself, or takes from its body. */
type Given =
  | ('brandId' | 'id' | 'revision' | 'createdAt' | 'updatedAt' | 'changeNumber')
  | ('title' | 'priceCents' | 'handle');

// The service's own, which `servers.ts` puts into the bundles: a new column is in all designs without a change here.
declare const PRODUCT_DEFAULTS: Omit<typeof products.$inferInsert, Given>;

/** The defaults of a product, the same for all designs. */
export const DEFAULTS = PRODUCT_DEFAULTS;

/** The number of each change. The designs do not count them, but no product is without one. */
export const CHANGE_NUMBER = 1;
