import * as z from 'zod/mini';
import { defineCollection } from '../collection/collection.ts';
import { linkedAt, NOT_LINKED } from './sync-fields.ts';
import { couponCodes as table } from '../db/tables.ts';
import { boolean, count, percent } from '../fields/scalars.ts';
import { multiLineText, oneOf, singleLineText, upperCaseName } from '../fields/text.ts';
import { timestamp } from '../fields/timestamp.ts';

/** The brand's discounts: codes that customers enter when they pay. */
export const couponCodes = defineCollection('coupon-codes', {
  noun: 'Coupon code',
  idParameter: 'codeId',
  keys: {
    one: 'couponCode',
    many: 'couponCodes',
    deleted: 'deletedCouponCodeId',
    deletedMany: 'deletedCouponCodeIds',
  },
  table,
  // Data: `npm run openapi` puts these comments into the documents, with each `@example` and `@default`.
  fields: {
    /**
     * What customers enter, as the store has it. No two codes of a brand are equal, whatever the case of the letters A to Z.
     * @example "SAVE10"
     */
    code: singleLineText(1, 255),
    /** Whether the code can be used at present. The brand sets it. @example true */
    active: boolean(),
    /** What the code is for, such as a discount for athletes. @example "ATHLETE_DISCOUNT" */
    category: upperCaseName(64),
    /**
     * How often the code has been used. The integration copies it from the store platform, so it may exceed
     * `maxUses`.
     * @example 12
     */
    currentUses: count(0),
    /** How often the code may be used in all. It is null if there is no limit. @example 500 */
    maxUses: z.nullable(count(1)),
    /** A note about the code. @example "Ten percent off for athletes." */
    description: multiLineText(0, 1000),
    /**
     * The discount on the price that the code gives. 0 means that it gives something else, such as free shipping.
     * @example 10
     */
    discountPercent: percent(0, 100),
    /**
     * The id of the linked discount on the store platform. It is null if the code is not linked. A change that gives a
     * code its first one, or takes it away, sets `syncStatus` and `lastSyncedAt` to their defaults, unless it names them.
     * @example "gid://shopify/DiscountCodeNode/3000"
     */
    storeDiscountId: z.nullable(singleLineText(1, 255)),
    /**
     * Whether the code agrees with the store platform. The integration sets it.
     * @default SYNCED with a `storeDiscountId`, NOT_LINKED without one.
     * @example "SYNCED"
     */
    syncStatus: oneOf(...table.syncStatus.enumValues),
    /**
     * When the code was last compared with the store platform. The integration sets it.
     * @default The time of the write with a `storeDiscountId`, null without one.
     * @example "2026-01-31T09:30:00.000Z"
     */
    lastSyncedAt: z.nullable(timestamp()),
  },
  defaults: {
    active: true,
    category: 'OTHER',
    currentUses: 0,
    maxUses: null,
    description: '',
    storeDiscountId: null,
  },
  dependents: { on: 'storeDiscountId', ifSet: linkedAt, ifNull: NOT_LINKED },
  resetByPut: ['active', 'category', 'currentUses', 'maxUses', 'description', 'storeDiscountId'],
  unique: 'code',
  filters: ['code', 'active', 'storeDiscountId', 'syncStatus'],
  matches: ['code', 'storeDiscountId'],
  // The one of the unique codes.
  indexes: { code: 'sqlite_autoindex_coupon_codes_2' },
  showsTimes: false,
});
