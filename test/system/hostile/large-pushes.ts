import { ITEMS } from './sizes.ts';

/** A push of items as large as they may be. */
export interface LargePush {
  readonly name: string;
  readonly path: string;
  readonly matches: readonly string[];
  /**
   * Returns the body. It changes every item that an earlier run wrote.
   * @param ids of existing resources, one for each item
   */
  readonly body: (ids: readonly string[], run: number) => string;
  /** Returns a harmless body: the same, but its large values are in a field that is ignored. */
  readonly harmless: (ids: readonly string[], run: number) => string;
}

/** The most items of a large push of products. */
export const LARGE_ITEMS = 30;

const longUrl = `https://a.example/${'x'.repeat(2000)}`;
const longDescription = 'x'.repeat(65_535);

/** Values for all fields of a product besides the large ones, so that every column is in use. */
const otherFields = {
  ...{ priceCents: 1, currencyCode: 'USD', discountPercent: 1, marginPercent: 1, featured: true },
  ...{ marketplaceCategory: 'A', serviceInventoryQuantity: 1, serviceListingStatus: 'LIVE' },
  ...{ storeInventoryQuantity: 1, storeVariantId: 'v', storeStatus: 'ACTIVE', source: 'A' },
  ...{ syncStatus: 'SYNCED', lastSyncedAt: null, lastSyncError: null, handle: 'a' },
  ...{ sourceUpdatedAt: null, imageUrl: 'https://a.example/' },
};

function largeProducts(name: string, count: number, large: object): LargePush {
  const items = (ids: readonly string[], run: number, more: object): string =>
    JSON.stringify({
      products: ids.slice(0, count).map((id, index) => {
        return {
          id,
          storeProductId: id,
          sku: id,
          title: `${run} ${index}`,
          ...otherFields,
          ...more,
        };
      }),
    });
  return {
    name,
    path: '/products',
    matches: ['id', 'storeProductId', 'sku'],
    body: (ids, run) => items(ids, run, large),
    harmless: (ids, run) => items(ids, run, { createdAt: large }),
  };
}

function largeCouponCodes(): LargePush {
  const items = (run: number, more: object): string =>
    JSON.stringify({
      couponCodes: Array.from({ length: ITEMS }, (_, index) => ({
        ...{ code: `LARGE${index}`, discountPercent: (run % 50) + 1, ...more },
      })),
    });
  return {
    name: 'long descriptions of coupon codes',
    path: '/coupon-codes',
    matches: ['code'],
    body: (_, run) => items(run, { description: '\u{4e00}'.repeat(1000) }),
    harmless: (_, run) => items(run, { createdAt: '\u{4e00}'.repeat(1000) }),
  };
}

export const largePushes: readonly LargePush[] = [
  largeProducts('long lists of URLs', 4, { imageUrls: Array<string>(240).fill(longUrl) }),
  largeProducts('long descriptions', LARGE_ITEMS, { description: longDescription }),
  largeProducts('long lists of URLs and descriptions', 3, {
    imageUrls: Array<string>(220).fill(longUrl),
    description: longDescription,
  }),
  largeCouponCodes(),
];
