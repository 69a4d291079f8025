import type { Candidate, ItemResult } from './candidates.ts';
import { problem } from './candidates.ts';
import type { Cleaner } from './clean.ts';
import type { StoreDiscount } from './store-product.ts';
import type { Item } from './source.ts';

/** Makes an item of each discount code. */
export function couponCandidatesOf(
  discounts: readonly StoreDiscount[],
  cleaner: Cleaner,
  hasMarkup: boolean,
): Candidate[] {
  const lineOf = (text: string): string =>
    hasMarkup ? cleaner.withoutMarkup(text) : cleaner.line(text);
  return discounts.map((discount) => {
    const code = lineOf(discount.code);
    const keys = { code: code === '' ? null : code, storeDiscountId: discount.id };
    const result = itemResultOf(discount, code, lineOf);
    const isForeign = discount.obstacle?.kind === 'unsupported';
    return { place: discount.place, keys, result, isForeign };
  });
}

function itemResultOf(
  discount: StoreDiscount,
  code: string,
  lineOf: (text: string) => string,
): ItemResult {
  const { obstacle, percent, isActive, maxUses, currentUses, id, title, leftOut = [] } = discount;
  if (obstacle) return { obstacle };
  if (code === '') return problem('it has no code');
  const members = {
    code,
    discountPercent: percent === undefined ? undefined : withoutNoise(percent),
    active: isActive,
    maxUses,
    currentUses,
    storeDiscountId: id,
    description: title === undefined ? undefined : lineOf(title),
  };
  const item: Item = Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  );
  return { item, leftOut: leftOut.map((one) => ({ ...one, kind: 'problem' })) };
}

/** 7.000000000000001, which is 100 times a fraction, is 7. */
function withoutNoise(percent: number): number {
  return Number(percent.toFixed(8));
}
