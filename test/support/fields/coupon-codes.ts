import type { Kind } from './kinds.ts';
import {
  boolean,
  integer,
  oneOf,
  percent,
  same,
  storeId,
  text,
  timestamp,
  upperCaseName,
} from './kinds.ts';
import type { FieldRows } from './row.ts';
import { nullable, optional, required } from './row.ts';

const code: Kind = {
  ...text(1, 255),
  accepted: [
    ...text(1, 255).accepted,
    // As stores have them.
    ...same(
      'SAVE10',
      'sAvE-10',
      'SUMMER 20',
      'größe20',
      '20 % zurück',
      'ＡＢ',
      '😀',
      `"'\\;--<>&%?/{}`,
    ),
  ],
};

export const couponCodeFields: FieldRows = {
  code: required(code, 'Save-10'),
  active: optional(boolean, false, true),
  category: optional(upperCaseName(64), 'ATHLETE_DISCOUNT', 'OTHER'),
  currentUses: optional(integer(0, 2_147_483_647), 9, 0),
  maxUses: nullable(integer(1, 2_147_483_647), 3),
  description: optional(text(0, 1000, { lines: true }), 'For athletes', ''),
  discountPercent: required(percent(0), 99.99),
  storeDiscountId: nullable(storeId, 'gid://shopify/DiscountCodeNode/1'),
  syncStatus: optional(oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'), 'PENDING', 'NOT_LINKED'),
  lastSyncedAt: nullable(timestamp, '2026-01-31T09:30:00.001Z'),
};
