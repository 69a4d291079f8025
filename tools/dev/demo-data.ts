import type { CouponCodeInput, ProductInput, ProfileInput } from '../../client/src/index.ts';

/** The profile of the demo brand, as the body of a PUT. */
export const profile: ProfileInput = {
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
    syncEnabled: true,
  },
};

const catalogue: readonly [title: string, priceCents: number, inventory: number][] = [
  ['Whey Protein, Vanilla', 3999, 120],
  ['Whey Protein, Chocolate', 3999, 95],
  ['Vegan Protein', 4299, 60],
  ['Creatine Monohydrate', 2499, 210],
  ['Electrolyte Mix, Lemon', 1899, 340],
  ['Electrolyte Mix, Berry', 1899, 280],
  ['Omega-3 Capsules', 2199, 150],
  ['Vitamin D3 Drops', 1299, 175],
  ['Magnesium Glycinate', 1799, 130],
  ['Pre-Workout, Citrus', 3299, 80],
  ['Recovery Blend', 3599, 45],
  ['Energy Gel, Box of 12', 2399, 0],
];

/** A dozen products, as bodies of a POST. */
export const products = catalogue.map(([title, priceCents, inventory], index): ProductInput => ({
  title,
  description: `${title}, as the demo brand sells it.`,
  sku: `NW-${String(index + 1).padStart(3, '0')}`,
  priceCents,
  marketplaceCategory: 'SUPPLEMENTS',
  serviceInventoryQuantity: inventory,
  storeInventoryQuantity: inventory,
  serviceListingStatus: inventory > 0 ? 'LIVE' : 'PAUSED',
  storeStatus: 'ACTIVE',
  storeProductId: `gid://shopify/Product/${1000 + index}`,
  storeVariantId: `gid://shopify/ProductVariant/${2000 + index}`,
  imageUrl: `https://northwind.example/images/${index + 1}.jpg`,
}));

/** A few coupon codes, as bodies of a POST. */
export const couponCodes: readonly CouponCodeInput[] = [
  { code: 'WELCOME10', discountPercent: 10, description: 'First order' },
  { code: 'ATHLETE25', discountPercent: 25, category: 'ATHLETE_DISCOUNT', maxUses: 500 },
  { code: 'SUMMER15', discountPercent: 15, active: false, currentUses: 212, maxUses: 1000 },
];
