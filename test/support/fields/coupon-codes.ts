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
  accepted: [
    ...same('SAVE10', 'sAvE-10', '1', '!', '~', `"'\\;--<>&%?/{}`, 'Z'.repeat(64)),
    { sent: ' PADDED ', kept: 'PADDED' },
  ],
  refused: [
    null,
    10,
    true,
    [],
    {},
    '',
    '   ',
    'SAVE 10',
    'SAVE\t10',
    'SAVE\n10',
    'CAFÉ',
    'ＡＢ',
    'A\u00a0B',
    'A\u00adB',
    'A\u200bB',
    'A\0B',
    'A\u007fB',
    '\ud800',
    '😀',
    'Z'.repeat(65),
  ],
  column: ['', 'x'.repeat(65), 'with space', 'ÄÖÜ'],
};

/** The fields of a coupon code. */
export const couponCodeFields: FieldRows = {
  code: required(code, 'Save-10'),
  active: optional(boolean, false, true),
  category: optional(upperCaseName(64), 'ATHLETE_DISCOUNT', 'OTHER'),
  currentUses: optional(integer(0, 2_147_483_647), 9, 0),
  maxUses: nullable(integer(1, 2_147_483_647), 3),
  description: optional(text(0, 1000, { lines: true }), 'For athletes', ''),
  discountPercent: required(percent(0, { above: true }), 99.99),
  storeDiscountId: nullable(storeId, 'gid://shopify/DiscountCodeNode/1'),
  syncStatus: optional(oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'), 'PENDING', 'NOT_LINKED'),
  lastSyncedAt: nullable(timestamp, '2026-01-31T09:30:00.001Z'),
};
