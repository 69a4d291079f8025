import { expect, it } from 'vitest';
import { defineCollection } from '../src/collection/collection.ts';
import { couponCodes as table } from '../src/db/tables.ts';
import { line } from '../src/fields/text.ts';

it('a collection whose fields are not the columns of its table is refused, where they are first asked for', () => {
  const collection = defineCollection({
    noun: 'Coupon code',
    keys: { one: 'couponCode', many: 'couponCodes', deleted: 'deletedCouponCodeId' },
    table,
    fields: () => ({ code: line(1, 64), colour: line(1, 64) }),
    derive: () => ({}),
    filters: [],
    showsTimes: false,
  });
  expect(() => collection.patch.safeParse({ code: 'A' })).toThrow(
    'The fields of a Coupon code are not the columns of its table.',
  );
});
