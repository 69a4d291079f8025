/** The minimal body of a product. */
export const bareProduct = { title: 'Bare', priceCents: 1 };

/** A product with a distinct value in every writable field. */
export const fullProduct = {
  title: 'Magnesium Glycinate',
  description: 'Two lines,\nof which this is one.',
  handle: 'magnesium',
  sku: 'MAG-1',
  priceCents: 2499,
  currencyCode: 'EUR',
  discountPercent: 12.34,
  marginPercent: -0.29,
  featured: true,
  imageUrl: 'https://cdn.example.com/b.png',
  imageUrls: ['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png'],
  marketplaceCategory: 'SUPPLEMENTS',
  serviceInventoryQuantity: 7,
  serviceListingStatus: 'LIVE',
  storeInventoryQuantity: -3,
  storeProductId: 'gid://shopify/Product/1',
  storeVariantId: 'gid://shopify/ProductVariant/2',
  storeStatus: 'ACTIVE',
  source: 'CSV_IMPORT',
  syncStatus: 'FAILED',
  lastSyncedAt: '2026-01-31T09:30:00.001Z',
  lastSyncError: 'Out of range',
  sourceUpdatedAt: '2026-01-30T09:30:00.999Z',
};

/** The default fields of a product with only a title and a price, without those that the service assigns. */
const productDefaults = {
  description: '',
  sku: null,
  currencyCode: 'USD',
  discountPercent: 0,
  marginPercent: null,
  featured: false,
  imageUrl: null,
  imageUrls: [],
  marketplaceCategory: 'OTHER',
  serviceInventoryQuantity: 0,
  serviceListingStatus: 'DRAFT',
  storeInventoryQuantity: 0,
  storeProductId: null,
  storeVariantId: null,
  storeStatus: null,
  source: 'API',
  syncStatus: 'NOT_LINKED',
  lastSyncedAt: null,
  lastSyncError: null,
  sourceUpdatedAt: null,
};

/** The minimal body of a coupon code. */
export const bareCouponCode = { code: 'BARE', discountPercent: 1 };

/** A coupon code with a distinct value in every writable field. */
export const fullCouponCode = {
  code: 'Save-10',
  active: false,
  category: 'ATHLETE_DISCOUNT',
  currentUses: 9,
  maxUses: 3,
  description: 'For athletes',
  discountPercent: 99.99,
  storeDiscountId: 'gid://shopify/DiscountCodeNode/1',
  syncStatus: 'PENDING',
  lastSyncedAt: '2026-01-31T09:30:00.001Z',
};

/** The default fields of a coupon code with only a code and a discount. */
const couponCodeDefaults = {
  active: true,
  category: 'OTHER',
  currentUses: 0,
  maxUses: null,
  description: '',
  storeDiscountId: null,
  syncStatus: 'NOT_LINKED',
  lastSyncedAt: null,
};

/** The samples of each collection. The handle of a product is derived from its title. */
export const samples = [
  {
    path: '/products',
    bare: bareProduct,
    full: fullProduct,
    defaults: { ...productDefaults, handle: 'bare' },
  },
  {
    path: '/coupon-codes',
    bare: bareCouponCode,
    full: fullCouponCode,
    defaults: couponCodeDefaults,
  },
];

/** The minimal body of a PUT of the profile. */
export const bareProfile = { brand: { brandName: 'Bare' }, connection: {} };

/** A profile with a distinct value in every writable field. */
export const fullProfile = {
  brand: {
    brandName: 'Example Brand',
    cartMinimumCents: 5000,
    contactName: 'Alex Doe',
    customerLtvCents: 120_000,
    description: 'One line\nand another',
    grossMarginPercent: 62.5,
    logoUrl: 'https://cdn.example.com/logo.png',
    supportEmail: 'support@example.com',
    website: 'https://example.com',
  },
  connection: {
    lastDiscountsSyncAt: '2026-01-31T09:30:00.001Z',
    lastProductsSyncAt: '2026-01-31T09:31:00.999Z',
    lastSyncError: 'Token expired',
    status: 'ERROR',
    storeDomain: 'shop.example.com',
    syncEnabled: true,
  },
};

export const profileDefaults = {
  brand: {
    cartMinimumCents: 0,
    contactName: null,
    customerLtvCents: 0,
    description: '',
    grossMarginPercent: null,
    logoUrl: null,
    supportEmail: null,
    website: null,
  },
  connection: {
    lastDiscountsSyncAt: null,
    lastProductsSyncAt: null,
    lastSyncError: null,
    status: 'DISCONNECTED',
    storeDomain: null,
    syncEnabled: false,
  },
};
