import { defineCollection } from '../collection/collection.ts';
import { syncDefaults } from '../collection/sync-defaults.ts';
import { couponCodes as table } from '../db/tables.ts';
import { boolean } from '../fields/boolean.ts';
import { count, percent } from '../fields/number.ts';
import { derived, nullable, optional, orNull } from '../fields/schema.ts';
import { constant, line, lines, oneOf, pattern } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

export const couponCodes = defineCollection('coupon-codes', () => ({
  noun: 'Coupon code',
  keys: {
    one: 'couponCode',
    many: 'couponCodes',
    deleted: 'deletedCouponCodeId',
    deletedMany: 'deletedCouponCodeIds',
  },
  table,
  fields: {
    code: pattern(/^[!-~]+$/, 64, 'a code of 1 to 64 printable ASCII characters without spaces'),
    active: optional(boolean(), true),
    category: optional(constant(64), 'OTHER'),
    currentUses: optional(count(0), 0),
    maxUses: nullable(count(1)),
    description: optional(lines(0, 1000), ''),
    discountPercent: percent(0, 100, { above: true }),
    storeDiscountId: nullable(line(1, 255)),
    syncStatus: derived(oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED')),
    lastSyncedAt: derived(orNull(timestamp())),
  },
  derive: (given) => syncDefaults(given.storeDiscountId),
  unique: 'code',
  filters: ['code', 'active', 'storeDiscountId', 'syncStatus'],
  matches: ['code', 'storeDiscountId'],
  stamped: ['lastSyncedAt'],
  showsTimes: false,
}));
