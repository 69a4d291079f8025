/** The parts of a body that a hostile text goes into. */
export interface Target {
  /** Names of string fields; all get a share of the text. */
  readonly strings: readonly string[];
  readonly numbers: readonly string[];
  /** A valid body with these members added. */
  readonly body: (members: string) => string;
}

const product: Target = {
  strings: [
    ...['title', 'description', 'handle', 'sku', 'currencyCode', 'imageUrl', 'source'],
    ...['marketplaceCategory', 'storeProductId', 'storeStatus', 'lastSyncedAt', 'lastSyncError'],
  ],
  numbers: ['priceCents', 'discountPercent', 'marginPercent', 'storeInventoryQuantity'],
  body: (members) => `{"title":"A","priceCents":1,${members}}`,
};
const couponCode: Target = {
  strings: ['code', 'category', 'description', 'storeDiscountId', 'syncStatus', 'lastSyncedAt'],
  numbers: ['discountPercent', 'currentUses', 'maxUses'],
  body: (members) => `{"code":"A","discountPercent":1,${members}}`,
};
const profile: Target = {
  strings: ['brandName', 'description', 'supportEmail', 'website'],
  numbers: ['cartMinimumCents', 'customerLtvCents', 'grossMarginPercent'],
  body: (members) => `{"brand":{"brandName":"A",${members}},"connection":{}}`,
};
const connection: Target = {
  strings: ['storeDomain', 'status', 'lastProductsSyncAt', 'lastSyncError'],
  numbers: ['syncEnabled'],
  body: (members) => `{"brand":{"brandName":"A"},"connection":{${members}}}`,
};

/** An operation with a body. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly target: Target;
  /** The envelope's key, where the operation takes a list too. */
  readonly many?: string;
  /** Whether it takes lists alone. */
  readonly isPush?: true;
}

export const operations: readonly Operation[] = [
  { method: 'PUT', path: '/profile', target: profile },
  { method: 'PATCH', path: '/profile', target: connection },
  { method: 'POST', path: '/products', target: product, many: 'products' },
  {
    method: 'POST',
    path: '/products?match=sku',
    target: product,
    many: 'products',
    isPush: true,
  },
  { method: 'PUT', path: '/products/:id', target: product },
  { method: 'PATCH', path: '/products/:id', target: product },
  { method: 'POST', path: '/coupon-codes', target: couponCode, many: 'couponCodes' },
  { method: 'PUT', path: '/coupon-codes/:id', target: couponCode },
  { method: 'PATCH', path: '/coupon-codes/:id', target: couponCode },
];
