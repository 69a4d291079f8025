/** The defaults of a product, the same for all designs. */
export const DEFAULTS = {
  ...{ description: '', sku: null, currencyCode: 'USD', discountPercent: 0, marginPercent: null },
  ...{ featured: false, imageUrl: null, imageUrls: Array<string>(), marketplaceCategory: 'OTHER' },
  ...{ serviceInventoryQuantity: 0, serviceListingStatus: 'DRAFT', storeInventoryQuantity: 0 },
  ...{ storeProductId: null, storeVariantId: null, storeStatus: null, source: 'API' },
  ...{ syncStatus: 'NOT_LINKED', lastSyncedAt: null, lastSyncError: null, sourceUpdatedAt: null },
} as const;
