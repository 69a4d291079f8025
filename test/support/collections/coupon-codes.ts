import * as fc from 'fast-check';
import {
  fuzzedBoolean,
  fuzzedInteger,
  fuzzedMultiLine,
  fuzzedOneOf,
  fuzzedPattern,
  fuzzedPercent,
  fuzzedSingleLine,
  fuzzedStoreId,
  fuzzedTime,
} from '../model-fields.ts';
import { couponCodeFields } from '../fields/coupon-codes.ts';
import { defaultsOf, valuesOf } from '../fields/row.ts';
import type { TestCollection } from './collection.ts';
import { syncFields } from './collection.ts';

export const couponCodes: TestCollection = {
  path: '/coupon-codes',
  table: 'coupon_codes',
  noun: 'Coupon code',
  idParameter: 'codeId',
  one: 'couponCode',
  many: 'couponCodes',
  deleted: 'deletedCouponCodeId',
  deletedMany: 'deletedCouponCodeIds',
  showsTimes: false,

  bare: (n) => ({ code: `CODE${n}`, discountPercent: (n % 99) + 1 }),
  fields: couponCodeFields,
  full: valuesOf(couponCodeFields),
  defaults: defaultsOf(couponCodeFields),
  resetByPut: ['active', 'category', 'currentUses', 'maxUses', 'description', 'storeDiscountId'],
  link: { field: 'storeDiscountId', follow: syncFields },
  values: {
    code: (n) => `CODE${n}`,
    storeDiscountId: (n) => `gid://shop/Discount/${n}`,
  },
  key: 'code',
  isUnique: true,
  note: 'description',
  sourceTime: undefined,
  model: {
    code: {
      ...fuzzedSingleLine(1, 255),
      // Few values, so that they collide, in different cases of A to Z too.
      drawn: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom(
            'MARKa',
            'MARKA',
            'MARKb',
            'MARKü',
            'MARKÜ',
            'save',
            ' MARKb ',
          ),
        },
        { weight: 1, arbitrary: fuzzedSingleLine(1, 255).drawn },
      ),
    },
    discountPercent: fuzzedPercent,
    active: { ...fuzzedBoolean, default: true },
    currentUses: { ...fuzzedInteger(0, 2_147_483_647), default: 0 },
    maxUses: { ...fuzzedInteger(1, 2_147_483_647), default: null },
    description: { ...fuzzedMultiLine(0, 1000), default: '' },
    category: {
      ...fuzzedPattern(/^[A-Z][A-Z0-9_]{0,63}$/, 'OTHER', 'A1', 'other', '1A', ''),
      default: 'OTHER',
    },
    storeDiscountId: { ...fuzzedSingleLine(1, 255), drawn: fuzzedStoreId, default: null },
    syncStatus: {
      ...fuzzedOneOf(['SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'], 'synced'),
      derive: ({ storeDiscountId }) => syncFields(storeDiscountId)['syncStatus'],
    },
    lastSyncedAt: {
      ...fuzzedTime,
      isNullable: true,
      derive: ({ storeDiscountId }) => syncFields(storeDiscountId)['lastSyncedAt'],
    },
  },
};
