import * as z from 'zod/mini';
import { defineCollection } from '../collection/collection.ts';
import { linkedAt, NOT_LINKED } from './sync-fields.ts';
import { products as table } from '../db/tables.ts';
import { slugify } from '../../common/slug.ts';
import { handle, url, urls } from '../fields/internet.ts';
import { boolean, cents, count, percent } from '../fields/scalars.ts';
import {
  currencyCode,
  multiLineText,
  oneOf,
  singleLineText,
  upperCaseName,
} from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

const source = upperCaseName(32);

/** What a brand sells. */
export const products = defineCollection('products', {
  noun: 'Product',
  idParameter: 'productId',
  keys: {
    one: 'product',
    many: 'products',
    deleted: 'deletedProductId',
    deletedMany: 'deletedProductIds',
  },
  table,
  // Data: `npm run openapi` puts these comments into the documents, with each `@example` and `@default`.
  fields: {
    /** The name that customers see. @example "Whey Protein, Vanilla" */
    title: singleLineText(1, 255),
    /**
     * The text about the product that customers read.
     * @example "Whey protein with natural vanilla, 450 g."
     */
    description: multiLineText(0, 65_535),
    /**
     * The part of a URL that names the product. The service does not require it to be unique.
     * @default The slug of the title; the id if no letter or digit of the title is left in it.
     * @example "whey-protein-vanilla"
     */
    handle: handle(),
    /**
     * The stock keeping unit: the brand's own number for what it sells. Several products may have the same.
     * @example "NW-001"
     */
    sku: z.nullable(singleLineText(1, 255)),
    /** The regular price in the minor unit of the currency, before any discount. @example 3999 */
    priceCents: cents(),
    /** The currency of the price. @example "USD" */
    currencyCode: currencyCode(),
    /** The discount on the price, in percent. @example 15 */
    discountPercent: percent(0, 100),
    /**
     * The share of the price that remains to the brand, in percent. It is negative for a product sold at a loss.
     * @example 41.25
     */
    marginPercent: z.nullable(percent(-1000, 100)),
    /** Whether the service presents the product in a prominent place. @example false */
    featured: boolean(),
    /**
     * The address of the main image. The service stores addresses, not images. A change of it does not change
     * `imageUrls`: send both.
     * @default The first of `imageUrls`, or null if there is none.
     * @put A PUT that leaves it out sets it to the first of the `imageUrls` that it names, and keeps it without them.
     * @example "https://northwind.example/images/1.jpg"
     */
    imageUrl: z.nullable(url()),
    /**
     * The addresses of all images, in the order in which they are shown. A change of them does not change `imageUrl`: send
     * both.
     * @default A list of `imageUrl` alone, or an empty list if there is none.
     * @example ["https://northwind.example/images/1.jpg"]
     */
    imageUrls: urls(250),
    /** The category in which the service lists the product. @example "SUPPLEMENTS" */
    marketplaceCategory: upperCaseName(64),
    /**
     * The inventory held in the service: how many items it can sell. Whoever writes the product sets it; the
     * service never changes it by itself.
     * @example 40
     */
    serviceInventoryQuantity: count(0),
    /**
     * Whether the service shows the product to customers, and if not, why. It does not depend on `storeStatus`.
     * @example "LIVE"
     */
    serviceListingStatus: oneOf(...table.serviceListingStatus.enumValues),
    /**
     * How many items the store platform has in stock. The integration copies it from there; it is negative if the
     * store has sold more than it had.
     * @example 120
     */
    storeInventoryQuantity: count(-2_147_483_647),
    /**
     * The id of the linked product on the store platform. It is null if the product is not linked. A change that gives a
     * product its first one, or takes it away, sets `syncStatus`, `lastSyncedAt` and `lastSyncError` to their defaults,
     * unless it names them.
     * @example "gid://shopify/Product/1000"
     */
    storeProductId: z.nullable(singleLineText(1, 255)),
    /**
     * The id of the linked variant of that product on the store platform.
     * @example "gid://shopify/ProductVariant/2000"
     */
    storeVariantId: z.nullable(singleLineText(1, 255)),
    /**
     * The status of the product on the store platform. The integration copies it from there.
     * @example "ACTIVE"
     */
    storeStatus: z.nullable(oneOf(...table.storeStatus.enumValues)),
    /**
     * Where the product came from: the store platform, or another system in upper case.
     * @default The platform that a `storeProductId` of the form `gid://NAME/…` names, in upper case; STORE for
     * another `storeProductId`, API without one.
     * @example "SHOPIFY"
     */
    source,
    /**
     * Whether the product agrees with the store platform. The integration sets it.
     * @default SYNCED with a `storeProductId`, NOT_LINKED without one.
     * @example "SYNCED"
     */
    syncStatus: oneOf(...table.syncStatus.enumValues),
    /**
     * When the product was last compared with the store platform. The integration sets it.
     * @default The time of the write with a `storeProductId`, null without one.
     * @example "2026-01-31T09:30:00.000Z"
     */
    lastSyncedAt: z.nullable(timestamp()),
    /** Why the last sync failed. It is null if the last sync succeeded. @example null */
    lastSyncError: z.nullable(multiLineText(1, 2000)),
    /**
     * When the product was last changed at its source. Compare it with the source to find out whether a sync
     * is needed.
     * @example "2026-01-30T16:05:12.000Z"
     */
    sourceUpdatedAt: z.nullable(timestamp()),
  },
  defaults: {
    description: '',
    sku: null,
    currencyCode: 'USD',
    discountPercent: 0,
    marginPercent: null,
    featured: false,
    marketplaceCategory: 'OTHER',
    serviceInventoryQuantity: 0,
    serviceListingStatus: 'DRAFT',
    storeInventoryQuantity: 0,
    storeProductId: null,
    storeVariantId: null,
    storeStatus: null,
    lastSyncError: null,
    sourceUpdatedAt: null,
  },
  derive: {
    handle: ({ title }) => slugify(title),
    imageUrl: ({ imageUrls }) => imageUrls?.[0] ?? null,
    imageUrls: ({ imageUrl }) => (imageUrl == null ? [] : [imageUrl]),
    source: ({ storeProductId }) => sourceOf(storeProductId),
  },
  dependents: {
    on: 'storeProductId',
    ifSet: (time) => ({ ...linkedAt(time), lastSyncError: null }),
    ifNull: { ...NOT_LINKED, lastSyncError: null },
  },
  resetByPut: [
    'sku',
    'currencyCode',
    'discountPercent',
    'marginPercent',
    'serviceInventoryQuantity',
    'serviceListingStatus',
    'storeInventoryQuantity',
    'storeProductId',
    'storeVariantId',
    'storeStatus',
    'sourceUpdatedAt',
  ],
  deriveInPut: ({ imageUrls }) => (imageUrls ? { imageUrl: imageUrls[0] ?? null } : {}),
  filters: [
    'handle',
    'sku',
    'serviceListingStatus',
    'storeProductId',
    'storeVariantId',
    'storeStatus',
    'source',
    'syncStatus',
  ],
  matches: ['storeProductId', 'storeVariantId', 'sku', 'handle'],
  idIfEmpty: 'handle',
  indexes: { storeProductId: 'products_by_store_product' },
  sourceTime: 'sourceUpdatedAt',
  showsTimes: true,
});

/** Where a product came from: the platform that its global id names (`gid://NAME/…`), some store, or a caller of this API. */
function sourceOf(storeProductId: string | null): string {
  if (storeProductId === null) return 'API';
  const platform = /^gid:\/\/([\x21-\x7e]+?)\//.exec(storeProductId)?.[1]?.toUpperCase() ?? '';
  return source.safeParse(platform).success ? platform : 'STORE';
}
