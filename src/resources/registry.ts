import type { Collection } from '../collection/collection.ts';
import { couponCodes } from './coupon-codes.ts';
import { products } from './products.ts';

/**
 * Every collection of the service. A further one is a resource file, a migration, a table, and a line here.
 *
 * In a resource file, the comment above a field is its meaning in the reference. `@example` has a value as JSON,
 * `@default` says in words what a derived field is if it is left out, and `@put` what becomes of a field that a PUT leaves
 * out, if it is neither reset nor kept. `npm run openapi` reads them.
 */
export const collections: readonly Collection[] = [products, couponCodes];
