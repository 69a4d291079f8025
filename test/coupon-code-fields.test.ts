import { describe } from 'vitest';
import { collectionTarget, testFields } from './support/field-tests.ts';
import {
  boolean,
  integer,
  nullable,
  oneOf,
  percent,
  same,
  storeId,
  text,
  timestamp,
  upperCaseName,
} from './support/values.ts';

describe('a coupon code', () => {
  testFields(collectionTarget('/coupon-codes'), {
    code: {
      accepted: [
        ...same('SAVE10', 'sAvE-10', '1', '!', '~', `"'\\;--<>&%?/{}`, 'Z'.repeat(64)),
        { sent: ' PADDED ', kept: 'PADDED' },
      ],
      refused: [
        ...[null, 10, true, [], {}, '', '   ', 'SAVE 10', 'SAVE\t10', 'SAVE\n10', 'CAFÉ', 'ＡＢ'],
        ...['A\u00a0B', 'A\u00adB', 'A\u200bB', 'A\0B', 'A\u007fB', '\ud800', '😀'],
        'Z'.repeat(65),
      ],
    },
    active: boolean,
    category: upperCaseName(64),
    currentUses: integer(0, 2_147_483_647),
    maxUses: nullable(integer(1, 2_147_483_647)),
    description: text(0, 1000, { lines: true }),
    discountPercent: percent(0, { above: true }),
    storeDiscountId: storeId,
    syncStatus: oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'),
    lastSyncedAt: nullable(timestamp),
  });
});
