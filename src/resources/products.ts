import { defineCollection } from '../collection/collection.ts';
import { LINKED, NOT_LINKED } from './sync-fields.ts';
import { products as table } from '../db/tables.ts';
import { slugify } from '../../common/slug.ts';
import { handle, url, urls } from '../fields/internet.ts';
import { boolean, cents, count, percent } from '../fields/scalars.ts';
import { derived, nullByDefault, orNull, withDefault } from '../fields/schema.ts';
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
    description: withDefault(multiLineText(0, 65_535), ''),
    /**
     * The part of a URL that names the product. The service does not require it to be unique.
     * @default The slug of the title; the id if no letter or digit of the title is left in it.
     * @example "whey-protein-vanilla"
     */
    handle: derived(handle()),
    /**
     * The stock keeping unit: the brand's own number for what it sells. Several products may have the same.
     * @example "NW-001"
     */
    sku: nullByDefault(singleLineText(1, 255)),
    /** The regular price in the minor unit of the currency, before any discount. @example 3999 */
    priceCents: cents(),
    /** The currency of the price. @example "USD" */
    currencyCode: withDefault(currencyCode(), 'USD'),
    /** The discount on the price, in percent. @example 15 */
    discountPercent: withDefault(percent(0, 100), 0),
    /**
     * The share of the price that remains to the brand, in percent. It is negative for a product sold at a loss.
     * @example 41.25
     */
    marginPercent: nullByDefault(percent(-1000, 100)),
    /** Whether the service presents the product in a prominent place. @example false */
    featured: withDefault(boolean(), false),
    /**
     * The address of the main image. The service stores addresses, not images. A change of it does not change
     * `imageUrls`: send both.
     * @default The first of `imageUrls`, or null if there is none.
     * @put A PUT that leaves it out sets it to the first of the `imageUrls` that it names, and keeps it without them.
     * @example "https://northwind.example/images/1.jpg"
     */
    imageUrl: derived(orNull(url())),
    /**
     * The addresses of all images, in the order in which they are shown. A change of them does not change `imageUrl`: send
     * both.
     * @default A list of `imageUrl` alone, or an empty list if there is none.
     * @example ["https://northwind.example/images/1.jpg"]
     */
    imageUrls: derived(urls(250)),
    /** The category in which the service lists the product. @example "SUPPLEMENTS" */
    marketplaceCategory: withDefault(upperCaseName(64), 'OTHER'),
    /**
     * The inventory held in the service: how many items it can sell. Whoever writes the product sets it; the
     * service never changes it by itself.
     * @example 40
     */
    serviceInventoryQuantity: withDefault(count(0), 0),
    /**
     * Whether the service shows the product to customers, and if not, why. It does not depend on `storeStatus`.
     * @example "LIVE"
     */
    serviceListingStatus: withDefault(oneOf(...table.serviceListingStatus.enumValues), 'DRAFT'),
    /**
     * How many items the store platform has in stock. The integration copies it from there; it is negative if the
     * store has sold more than it had.
     * @example 120
     */
    storeInventoryQuantity: withDefault(count(-2_147_483_647), 0),
    /**
     * The id of the linked product on the store platform. It is null if the product is not linked. A change that gives a
     * product its first one, or takes it away, sets `syncStatus`, `lastSyncedAt` and `lastSyncError` to their defaults,
     * unless it names them.
     * @example "gid://shopify/Product/1000"
     */
    storeProductId: nullByDefault(singleLineText(1, 255)),
    /**
     * The id of the linked variant of that product on the store platform.
     * @example "gid://shopify/ProductVariant/2000"
     */
    storeVariantId: nullByDefault(singleLineText(1, 255)),
    /**
     * The status of the product on the store platform. The integration copies it from there.
     * @example "ACTIVE"
     */
    storeStatus: nullByDefault(oneOf(...table.storeStatus.enumValues)),
    /**
     * Where the product came from: the store platform, or another system in upper case.
     * @default The platform that a `storeProductId` of the form `gid://NAME/…` names, in upper case; STORE for
     * another `storeProductId`, API without one.
     * @example "SHOPIFY"
     */
    source: derived(source),
    /**
     * Whether the product agrees with the store platform. The integration sets it.
     * @default SYNCED with a `storeProductId`, NOT_LINKED without one.
     * @example "SYNCED"
     */
    syncStatus: derived(oneOf(...table.syncStatus.enumValues)),
    /**
     * When the product was last compared with the store platform. The integration sets it.
     * @default The time of the write with a `storeProductId`, null without one.
     * @example "2026-01-31T09:30:00.000Z"
     */
    lastSyncedAt: derived(orNull(timestamp())),
    /** Why the last sync failed. It is null if the last sync succeeded. @example null */
    lastSyncError: nullByDefault(multiLineText(1, 2000)),
    /**
     * When the product was last changed at its source. Compare it with the source to find out whether a sync
     * is needed.
     * @example "2026-01-30T16:05:12.000Z"
     */
    sourceUpdatedAt: nullByDefault(timestamp()),
  },
  derive: (given) => ({
    handle: slugify(given.title),
    imageUrl: given.imageUrls?.[0] ?? null,
    imageUrls: given.imageUrl == null ? [] : [given.imageUrl],
    source: sourceOf(given.storeProductId),
  }),
  following: {
    field: 'storeProductId',
    ifSet: { ...LINKED, lastSyncError: null },
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
  defaultsToNow: ['lastSyncedAt'],
  sourceTime: 'sourceUpdatedAt',
  showsTimes: true,
});

/** Where a product came from: the platform that its global id names (`gid://NAME/…`), some store, or a caller of this API. */
function sourceOf(storeProductId: string | null): string {
  if (storeProductId === null) return 'API';
  const platform = /^gid:\/\/([\x21-\x7e]+?)\//.exec(storeProductId)?.[1]?.toUpperCase() ?? '';
  return source.safeParse(platform).success ? platform : 'STORE';
}
