import * as fc from 'fast-check';
import { slugify } from '../../../common/slug.ts';
import { fuzzedText } from '../fields/fuzzed.ts';
import { modelOf } from '../model-fields.ts';
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
    dependents: (storeId) => ({ ...syncFields(storeId), lastSyncError: null }),
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
  model: modelOf(
    productFields,
    {
      handle: ({ title }, id) => slugify(String(title)) || id,
      imageUrl: ({ imageUrls }) => (Array.isArray(imageUrls) ? firstOf(imageUrls) : null),
      imageUrls: ({ imageUrl }) => (typeof imageUrl === 'string' ? [imageUrl] : []),
      source: ({ storeProductId }) => sourceOf(storeProductId),
      syncStatus: ({ storeProductId }) => syncFields(storeProductId)['syncStatus'],
      lastSyncedAt: ({ storeProductId }) => syncFields(storeProductId)['lastSyncedAt'],
    },
    {
      // Few, so that pushes find them, and several of one value.
      sku: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('MARK1', 'MARK2', ' MARK2 ', 'MARK3') },
        { weight: 1, arbitrary: fuzzedText },
      ),
    },
  ),
};

function firstOf(urls: readonly unknown[]): unknown {
  return urls[0] ?? null;
}

/** The store ids that are drawn name one platform. */
function sourceOf(storeId: unknown): string {
  if (storeId === null) return 'API';
  return typeof storeId === 'string' && storeId.startsWith('gid://shop/') ? 'SHOP' : 'STORE';
}
