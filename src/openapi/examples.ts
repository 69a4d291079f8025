// One consistent set of examples: the demo brand, a product and a coupon code as the service shows them.

const at = '2026-01-31T09:30:00.000Z';

/** The id of a resource that is no longer there. */
export const deletedId = '01941f29-7c00-7000-8000-000000000003';

/** The profile, without what the service alone assigns. */
export const writableProfile = {
  brand: {
    brandName: 'Northwind Nutrition',
    cartMinimumCents: 2500,
    contactName: 'Ada Berg',
    customerLtvCents: 18_400,
    description: 'Supplements for people who train outdoors.',
    grossMarginPercent: 62.5,
    logoUrl: 'https://northwind.example/logo.png',
    supportEmail: 'support@northwind.example',
    website: 'https://northwind.example',
  },
  connection: {
    status: 'CONNECTED',
    storeDomain: 'northwind.example',
    syncEnabled: true,
  },
};

export const profile = {
  brand: { ...writableProfile.brand, createdAt: at, updatedAt: at },
  connection: {
    lastDiscountsSyncAt: null,
    lastProductsSyncAt: at,
    lastSyncError: null,
    ...writableProfile.connection,
  },
};

export const profileInput = {
  brand: { brandName: 'Northwind Nutrition', website: 'https://northwind.example' },
  connection: { status: 'CONNECTED', storeDomain: 'northwind.example', syncEnabled: true },
};

export const product = {
  id: '01941f29-7c00-7000-8000-000000000001',
  title: 'Whey Protein, Vanilla',
  description: 'A pound of it.',
  handle: 'whey-protein-vanilla',
  sku: 'NW-001',
  priceCents: 3999,
  currencyCode: 'USD',
  discountPercent: 0,
  marginPercent: 41.25,
  featured: false,
  imageUrl: 'https://northwind.example/images/1.jpg',
  imageUrls: ['https://northwind.example/images/1.jpg'],
  marketplaceCategory: 'SUPPLEMENTS',
  serviceInventoryQuantity: 120,
  serviceListingStatus: 'LIVE',
  storeInventoryQuantity: 120,
  storeProductId: 'gid://shopify/Product/1000',
  storeVariantId: 'gid://shopify/ProductVariant/2000',
  storeStatus: 'ACTIVE',
  source: 'SHOPIFY',
  syncStatus: 'SYNCED',
  lastSyncedAt: at,
  lastSyncError: null,
  sourceUpdatedAt: null,
  createdAt: at,
  updatedAt: at,
};

export const productInput = {
  title: 'Whey Protein, Vanilla',
  priceCents: 3999,
  sku: 'NW-001',
  storeProductId: 'gid://shopify/Product/1000',
};

export const couponCode = {
  id: '01941f29-7c00-7000-8000-000000000002',
  code: 'SAVE10',
  active: true,
  category: 'ATHLETE_DISCOUNT',
  currentUses: 12,
  maxUses: 500,
  description: 'Ten percent off.',
  discountPercent: 10,
  storeDiscountId: 'gid://shopify/DiscountCodeNode/3000',
  syncStatus: 'SYNCED',
  lastSyncedAt: at,
};

export const couponCodeInput = { code: 'SAVE10', discountPercent: 10, maxUses: 500 };
