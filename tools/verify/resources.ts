/** A collection: its path, its envelope keys, and the resource that a run creates. */
export interface TestCollection {
  readonly path: string;
  readonly one: string;
  readonly many: string;
  readonly deletedOne: string;
  readonly deletedMany: string;
  readonly notFound: string;
  /** A change of one field. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** Returns the body of a POST or PUT. The mark makes the resource easy to find and recognize. */
  readonly input: (mark: string) => Readonly<Record<string, unknown>>;
  /** Returns the filter that finds the resources of a run. */
  readonly filter: (mark: string) => string;
  /** The field that contains the mark, by which a push can match. */
  readonly markedBy: string;
}

const WHAT_IT_IS = 'Created by npm run verify, which removes it. Safe to delete.';

const products: TestCollection = {
  path: '/products',
  one: 'product',
  many: 'products',
  deletedOne: 'deletedProductId',
  deletedMany: 'deletedProductIds',
  notFound: 'Product not found.',
  patch: { priceCents: 2 },
  input: (mark) => ({
    title: `Verification ${mark}`,
    description: WHAT_IT_IS,
    priceCents: 1,
    serviceListingStatus: 'DRAFT',
    storeProductId: mark,
  }),
  filter: (mark) => `storeProductId=${mark}`,
  markedBy: 'storeProductId',
};

const couponCodes: TestCollection = {
  path: '/coupon-codes',
  one: 'couponCode',
  many: 'couponCodes',
  deletedOne: 'deletedCouponCodeId',
  deletedMany: 'deletedCouponCodeIds',
  notFound: 'Coupon code not found.',
  patch: { maxUses: 2 },
  // Never active, so that customers cannot use it.
  input: (mark) => ({
    code: mark,
    description: WHAT_IT_IS,
    active: false,
    discountPercent: 1,
    maxUses: 1,
  }),
  filter: (mark) => `code=${mark}`,
  markedBy: 'code',
};

/** What a run creates and removes: a resource of each collection. */
export const testCollections: readonly TestCollection[] = [products, couponCodes];
