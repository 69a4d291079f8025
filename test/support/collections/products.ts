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
  fuzzedTime,
} from '../model-fields.ts';
import { productFields } from '../fields/products.ts';
import { defaultsOf, valuesOf } from '../fields/row.ts';
import type { TestCollection } from './collection.ts';

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
  },
};
