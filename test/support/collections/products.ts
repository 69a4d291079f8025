import * as fc from 'fast-check';
import { slugify } from '../../../common/slug.ts';
import {
  fuzzedBoolean,
  fuzzedCents,
  fuzzedInteger,
  fuzzedMultiLine,
  fuzzedOneOf,
  fuzzedPattern,
  fuzzedPercent,
  fuzzedSingleLine,
  fuzzedStoreId,
  fuzzedTime,
  fuzzedUrl,
  fuzzedUrls,
} from '../model-fields.ts';
import { productFields } from '../fields/products.ts';
import { defaultsOf, valuesOf } from '../fields/row.ts';
import type { TestCollection } from './collection.ts';
import { syncFields } from './collection.ts';

export const products: TestCollection = {
  path: '/products',
  table: 'products',
  noun: 'Product',
  idParameter: 'productId',
  one: 'product',
  many: 'products',
  deleted: 'deletedProductId',
  deletedMany: 'deletedProductIds',
  showsTimes: true,

  bare: (n) => ({ title: `Item ${n}`, priceCents: n }),
  fields: productFields,
  full: valuesOf(productFields),
  defaults: defaultsOf(productFields),
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
  alsoPut: ({ imageUrls }) => (Array.isArray(imageUrls) ? { imageUrl: firstOf(imageUrls) } : {}),
  link: {
    field: 'storeProductId',
    follow: (storeId) => ({ ...syncFields(storeId), lastSyncError: null }),
  },
  values: {
    storeProductId: (n) => `gid://shop/Product/${n}`,
    storeVariantId: (n) => `gid://shop/Variant/${n}`,
    sku: (n) => `A-${n}`,
    handle: (n) => `item-${n}`,
  },
  key: 'sku',
  isUnique: false,
  note: 'description',
  sourceTime: 'sourceUpdatedAt',
  model: {
    title: fuzzedSingleLine(1, 255),
    priceCents: fuzzedCents,
    sku: {
      ...fuzzedSingleLine(1, 255),
      default: null,
      // Few, so that pushes find them, and several of one value.
      drawn: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('MARK1', 'MARK2', ' MARK2 ', 'MARK3') },
        { weight: 1, arbitrary: fc.option(fuzzedSingleLine(1, 255).drawn) },
      ),
    },
    handle: {
      ...fuzzedPattern(/^[^A-Z ]+$/, 'one', 'two', 'nhẫn-3', 'Four', ''),
      derive: ({ title }, id) => slugify(String(title)) || id,
    },
    currencyCode: { ...fuzzedOneOf(['USD', 'EUR', 'JPY'], 'usd', 'ZZZ'), default: 'USD' },
    discountPercent: { ...fuzzedPercent, default: 0 },
    featured: { ...fuzzedBoolean, default: false },
    serviceListingStatus: {
      ...fuzzedOneOf(
        ['DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED'],
        'live',
        'GONE',
      ),
      default: 'DRAFT',
    },
    storeInventoryQuantity: { ...fuzzedInteger(-2_147_483_647, 2_147_483_647), default: 0 },
    lastSyncError: { ...fuzzedMultiLine(1, 2000), default: null },
    sourceUpdatedAt: { ...fuzzedTime, default: null },
    description: { ...fuzzedMultiLine(0, 65_535), default: '' },
    imageUrl: {
      ...fuzzedUrl,
      isNullable: true,
      derive: ({ imageUrls }) => (Array.isArray(imageUrls) ? firstOf(imageUrls) : null),
    },
    imageUrls: {
      ...fuzzedUrls,
      derive: ({ imageUrl }) => (typeof imageUrl === 'string' ? [imageUrl] : []),
    },
    storeProductId: { ...fuzzedSingleLine(1, 255), drawn: fuzzedStoreId, default: null },
    source: {
      ...fuzzedPattern(/^[A-Z][A-Z0-9_]{0,31}$/, 'CSV', 'SHOP', 'csv'),
      derive: ({ storeProductId }) => sourceOf(storeProductId),
    },
    syncStatus: {
      ...fuzzedOneOf(['SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'], 'synced'),
      derive: ({ storeProductId }) => syncFields(storeProductId)['syncStatus'],
    },
    lastSyncedAt: {
      ...fuzzedTime,
      isNullable: true,
      derive: ({ storeProductId }) => syncFields(storeProductId)['lastSyncedAt'],
    },
  },
};

function firstOf(urls: readonly unknown[]): unknown {
  return urls[0] ?? null;
}

/** The store ids that are drawn name one platform. */
function sourceOf(storeId: unknown): string {
  if (storeId === null) return 'API';
  return typeof storeId === 'string' && storeId.startsWith('gid://shop/') ? 'SHOP' : 'STORE';
}
