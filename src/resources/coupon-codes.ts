import { defineCollection, syncDefaults } from '../collection/collection.ts';
import { couponCodes as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { count, percent } from '../fields/number.ts';
import { constant, line, lines, oneOf, pattern } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

export const couponCodes = defineCollection({
  noun: 'Coupon code',
  keys: { one: 'couponCode', many: 'couponCodes', deleted: 'deletedCouponCodeId' },
  table,
  fields: {
    code: pattern(/^[!-~]{1,64}$/, 'a code of 1 to 64 printable ASCII characters without spaces'),
    active: boolean().default(true),
    category: constant(64).default('OTHER'),
    currentUses: count(0).default(0),
    maxUses: count(1).nullable().default(null),
    description: lines(0, 1000).default(''),
    discountPercent: percent(0, 100, { above: true }),
    storeDiscountId: line(1, 255).nullable().default(null),
    syncStatus: oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED').optional(),
    lastSyncedAt: timestamp().nullable().optional(),
  },
  derive: (given) => syncDefaults(given.storeDiscountId),
  unique: 'code',
  filters: ['code', 'active', 'storeDiscountId', 'syncStatus'],
  showsTimes: false,
});
