/** A collection, and the resource that a run creates in it. */
export interface TestCollection {
  /** Such as `products`. */
  readonly path: string;
  readonly one: string;
  readonly many: string;
  /** The field that contains the mark of a run, by which its resource is found. */
  readonly markedBy: string;
  readonly patch: Readonly<Record<string, unknown>>;
  readonly input: (mark: string) => Readonly<Record<string, unknown>>;
}

const WHAT_IT_IS = 'Created by brand-admin verify, which removes it. Safe to delete.';

const products: TestCollection = {
  path: 'products',
  one: 'product',
  many: 'products',
  markedBy: 'storeProductId',
  patch: { priceCents: 2 },
  // A draft, so that customers cannot buy it.
  input: (mark) => ({
    title: `Verification ${mark}`,
    description: WHAT_IT_IS,
    priceCents: 1,
    serviceListingStatus: 'DRAFT',
    storeProductId: mark,
  }),
};

const couponCodes: TestCollection = {
  path: 'coupon-codes',
  one: 'couponCode',
  many: 'couponCodes',
  markedBy: 'code',
  patch: { maxUses: 2 },
  // Never active, so that customers cannot use it.
  input: (mark) => ({
    code: mark,
    description: WHAT_IT_IS,
    active: false,
    discountPercent: 1,
    maxUses: 1,
  }),
};

/** What a run creates and removes: a resource of each collection. */
export const testCollections: readonly TestCollection[] = [products, couponCodes];
