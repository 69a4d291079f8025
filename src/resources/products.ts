import { defineCollection } from '../collection/collection.ts';
import { syncDefaults } from '../collection/sync-defaults.ts';
import { products as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { currencyCode } from '../fields/currency.ts';
import { url, urls } from '../fields/internet.ts';
import { cents, count, percent } from '../fields/number.ts';
import { derived, nullable, optional, orNull } from '../fields/schema.ts';
import { slug, slugify } from '../fields/slug.ts';
import { constant, isConstant, line, lines, oneOf } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

const SOURCE_LENGTH = 32;

/** What a brand sells. The comment of a field is its meaning in the reference; what follows `@example` is JSON. */
export const products = defineCollection('products', () => ({
  noun: 'Product',
  keys: {
    one: 'product',
    many: 'products',
    deleted: 'deletedProductId',
    deletedMany: 'deletedProductIds',
  },
  table,
  fields: {
    /** The name that customers see. @example "Whey Protein, Vanilla" */
    title: line(1, 255),
    description: optional(lines(0, 65_535), ''),
    handle: derived(slug()),
    sku: nullable(line(1, 255)),
    priceCents: cents(),
    currencyCode: optional(currencyCode(), 'USD'),
    discountPercent: optional(percent(0, 100), 0),
    marginPercent: nullable(percent(-1000, 100)),
    featured: optional(boolean(), false),
    imageUrl: derived(orNull(url())),
    imageUrls: derived(urls(250)),
    marketplaceCategory: optional(constant(64), 'OTHER'),
    serviceInventoryQuantity: optional(count(0), 0),
    serviceListingStatus: optional(
      oneOf('DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED'),
      'DRAFT',
    ),
    storeInventoryQuantity: optional(count(-2_147_483_647), 0),
    storeProductId: nullable(line(1, 255)),
    storeVariantId: nullable(line(1, 255)),
    storeStatus: nullable(oneOf('ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED')),
    source: derived(constant(SOURCE_LENGTH)),
    syncStatus: derived(oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED')),
    lastSyncedAt: derived(orNull(timestamp())),
    lastSyncError: nullable(lines(1, 2000)),
    sourceUpdatedAt: nullable(timestamp()),
  },
  derive: (given, id) => ({
    handle: slugify(given.title) || id,
    imageUrl: given.imageUrls?.[0] ?? null,
    imageUrls: given.imageUrl == null ? [] : [given.imageUrl],
    source: sourceOf(given.storeProductId),
    ...syncDefaults(given.storeProductId),
  }),
  filters: [
    'handle',
    'sku',
    'serviceListingStatus',
    'storeProductId',
    'storeVariantId',
    'storeStatus',
    'syncStatus',
  ],
  matches: ['storeProductId', 'storeVariantId', 'sku', 'handle'],
  indexes: { storeProductId: 'products_by_store_product' },
  stamped: ['lastSyncedAt'],
  showsTimes: true,
}));

/** Where a product came from: the platform that its global id names (`gid://NAME/…`), some store, or a caller of this API. */
function sourceOf(storeProductId: string | null): string {
  if (storeProductId === null) return 'API';
  const platform = /^gid:\/\/([\x21-\x7e]+?)\//.exec(storeProductId)?.[1]?.toUpperCase() ?? '';
  return isConstant(platform, SOURCE_LENGTH) ? platform : 'STORE';
}
