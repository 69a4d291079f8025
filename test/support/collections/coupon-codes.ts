import * as fc from 'fast-check';
import {
  fuzzedBoolean,
  fuzzedInteger,
  fuzzedMultiLine,
  fuzzedPattern,
  fuzzedPercent,
} from '../model-fields.ts';
import type { TestCollection } from './collection.ts';

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
  full: {
    code: 'Save-10',
    active: false,
    category: 'ATHLETE_DISCOUNT',
    currentUses: 9,
    maxUses: 3,
    description: 'For athletes',
    discountPercent: 99.99,
    storeDiscountId: 'gid://shopify/DiscountCodeNode/1',
    syncStatus: 'PENDING',
    lastSyncedAt: '2026-01-31T09:30:00.001Z',
  },
  defaults: {
    active: true,
    category: 'OTHER',
    currentUses: 0,
    maxUses: null,
    description: '',
    storeDiscountId: null,
    syncStatus: 'NOT_LINKED',
    lastSyncedAt: null,
  },
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
      ...fuzzedPattern(/^[!-~]{1,64}$/),
      // Few values, so that they collide, in different cases too.
      drawn: fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom('MARKa', 'MARKA', 'MARKb', 'SAVE', 'save', ' MARKb '),
        },
        { weight: 1, arbitrary: fuzzedMultiLine(0, 64).drawn },
      ),
    },
    discountPercent: {
      ...fuzzedPercent,
      isGood: (value) => fuzzedPercent.isGood(value) && Number(value) > 0,
    },
    active: { ...fuzzedBoolean, default: true },
    currentUses: { ...fuzzedInteger(0, 2_147_483_647), default: 0 },
    maxUses: { ...fuzzedInteger(1, 2_147_483_647), default: null },
    description: { ...fuzzedMultiLine(0, 1000), default: '' },
    category: {
      ...fuzzedPattern(/^[A-Z][A-Z0-9_]{0,63}$/, 'OTHER', 'A1', 'other', '1A', ''),
      default: 'OTHER',
    },
  },
};
