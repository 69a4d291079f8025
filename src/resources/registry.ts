import type { CollectionSource } from '../collection/collection.ts';
import { couponCodes } from './coupon-codes.ts';
import { products } from './products.ts';

/** Every collection of the service. A further one is a resource file, a migration, a table, and a line here. */
export const collections: readonly CollectionSource[] = [products, couponCodes];
