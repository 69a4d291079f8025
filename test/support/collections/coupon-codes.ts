import * as fc from 'fast-check';
import { fuzzedText } from '../fields/fuzzed.ts';
import { modelOf } from '../model-fields.ts';
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
  link: { field: 'storeDiscountId', dependents: syncFields },
  values: {
    code: (n) => `CODE${n}`,
    storeDiscountId: (n) => `gid://shop/Discount/${n}`,
  },
  key: 'code',
  isUnique: true,
  note: 'description',
  sourceTime: undefined,
  model: modelOf(
    couponCodeFields,
    {
      syncStatus: ({ storeDiscountId }) => syncFields(storeDiscountId)['syncStatus'],
      lastSyncedAt: ({ storeDiscountId }) => syncFields(storeDiscountId)['lastSyncedAt'],
    },
    {
      // Few values, so that they collide, in different cases of A to Z too.
      code: fc.oneof(
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
        { weight: 1, arbitrary: fuzzedText },
      ),
    },
  ),
};
