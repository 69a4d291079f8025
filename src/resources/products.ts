import * as z from 'zod';
import { defineCollection, syncDefaults } from '../collection/collection.ts';
import { products as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { currencyCode } from '../fields/currency.ts';
import { expected } from '../fields/expected.ts';
import { url } from '../fields/internet.ts';
import { cents, count, percent } from '../fields/number.ts';
import { slug, slugify } from '../fields/slug.ts';
import { constant, line, lines, oneOf } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

const SOURCE = /^[A-Z][A-Z0-9_]{0,31}$/;

export const products = defineCollection({
  noun: 'Product',
  keys: { one: 'product', many: 'products', deleted: 'deletedProductId' },
  table,
  fields: {
    title: line(1, 255),
    description: lines(0, 65_535).default(''),
    handle: slug().optional(),
    sku: line(1, 255).nullable().default(null),
    priceCents: cents(),
    currencyCode: currencyCode().default('USD'),
    discountPercent: percent(0, 100).default(0),
    marginPercent: percent(-1000, 100).nullable().default(null),
    featured: boolean().default(false),
    imageUrl: url().nullable().optional(),
    imageUrls: z
      .array(url(), { error: expected('a list of at most 250 URLs') })
      .max(250, { error: expected('a list of at most 250 URLs') })
      .optional(),
    marketplaceCategory: constant(64).default('OTHER'),
    serviceInventoryQuantity: count(0).default(0),
    serviceListingStatus: oneOf(
      'DRAFT',
      'PENDING_REVIEW',
      'LIVE',
      'PAUSED',
      'REJECTED',
      'ARCHIVED',
    ).default('DRAFT'),
    storeInventoryQuantity: count(-2_147_483_647).default(0),
    storeProductId: line(1, 255).nullable().default(null),
    storeVariantId: line(1, 255).nullable().default(null),
    storeStatus: oneOf('ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED').nullable().default(null),
    source: constant(32).optional(),
    syncStatus: oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED').optional(),
    lastSyncedAt: timestamp().nullable().optional(),
    lastSyncError: lines(1, 2000).nullable().default(null),
    sourceUpdatedAt: timestamp().nullable().default(null),
  },
  derive: (given, id) => ({
    handle: slugify(given.title) || id,
    imageUrl: given.imageUrls?.[0] ?? null,
    imageUrls: given.imageUrl == null ? [] : [given.imageUrl],
    source: sourceOf(given.storeProductId),
    ...syncDefaults(given.storeProductId),
  }),
  filters: [
    'sku',
    'handle',
    'storeProductId',
    'storeVariantId',
    'syncStatus',
    'serviceListingStatus',
    'storeStatus',
  ],
  indexes: { storeProductId: 'products_by_store_product' },
  showsTimes: true,
});

/** Where a product came from: the platform that its global id names (`gid://NAME/…`), some store, or a caller of this API. */
function sourceOf(storeProductId: string | null): string {
  if (storeProductId === null) return 'API';
  const platform = /^gid:\/\/([\x21-\x7e]+?)\//.exec(storeProductId)?.[1]?.toUpperCase() ?? '';
  return SOURCE.test(platform) ? platform : 'STORE';
}
