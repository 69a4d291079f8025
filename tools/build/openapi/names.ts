import type { Collection } from '../../../src/collection/collection.ts';

/** The names that the document uses for a collection. */
export interface Names {
  /** `CouponCode`: its schemas, and the operations on one resource. */
  readonly one: string;
  /** `CouponCodes`: the operation that lists them. */
  readonly many: string;
  /** `coupon code`, within a sentence. */
  readonly noun: string;
  /** `coupon codes`, within a sentence. */
  readonly nouns: string;
  /** `Coupon codes`, as a heading. */
  readonly heading: string;
}

/** Derives the names from a collection's noun and keys. */
export function namesOf({ noun, keys }: Pick<Collection, 'noun' | 'keys'>): Names {
  const nouns = keys.many.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return {
    one: capitalized(keys.one),
    many: capitalized(keys.many),
    noun: noun.toLowerCase(),
    nouns,
    heading: capitalized(nouns),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
