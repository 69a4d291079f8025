// The resources of the service, as the client and its command know them. A test compares this with the OpenAPI document.

/** The collections of the service, as in the paths of the API. */
export const COLLECTION_NAMES = ['products', 'coupon-codes'] as const;

export type CollectionName = (typeof COLLECTION_NAMES)[number];

/** What each collection is called in JSON and as a member of the client, and in a sentence. */
export const COLLECTIONS = {
  products: { key: 'products', nouns: 'products' },
  'coupon-codes': { key: 'couponCodes', nouns: 'coupon codes' },
} as const satisfies Readonly<Record<CollectionName, object>>;

/** A field of a resource. */
export interface Field {
  readonly name: string;
  /**
   * What it holds. `text` may have several lines, a cell of a CSV file has a `list` as JSON, and only the service assigns
   * `readOnly`.
   */
  readonly kind: 'line' | 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'list' | 'readOnly';
  readonly isNullable?: boolean;
  /** Whether items of a push can be matched by it. */
  readonly isMatch?: boolean;
  /** Whether a list can be filtered by it. */
  readonly isFilter?: boolean;
}

/** The fields of each collection, in display order. */
export const FIELDS: Readonly<Record<CollectionName, readonly Field[]>> = {
  products: [
    { name: 'id', kind: 'readOnly', isMatch: true, isFilter: true },
    { name: 'title', kind: 'line' },
    { name: 'description', kind: 'text' },
    { name: 'handle', kind: 'line', isMatch: true, isFilter: true },
    { name: 'sku', kind: 'line', isNullable: true, isMatch: true, isFilter: true },
    { name: 'priceCents', kind: 'integer' },
    { name: 'currencyCode', kind: 'line' },
    { name: 'discountPercent', kind: 'number' },
    { name: 'marginPercent', kind: 'number', isNullable: true },
    { name: 'featured', kind: 'boolean' },
    { name: 'imageUrl', kind: 'line', isNullable: true },
    { name: 'imageUrls', kind: 'list' },
    { name: 'marketplaceCategory', kind: 'line' },
    { name: 'serviceInventoryQuantity', kind: 'integer' },
    { name: 'serviceListingStatus', kind: 'line', isFilter: true },
    { name: 'storeInventoryQuantity', kind: 'integer' },
    { name: 'storeProductId', kind: 'line', isNullable: true, isMatch: true, isFilter: true },
    { name: 'storeVariantId', kind: 'line', isNullable: true, isMatch: true, isFilter: true },
    { name: 'storeStatus', kind: 'line', isNullable: true, isFilter: true },
    { name: 'source', kind: 'line', isFilter: true },
    { name: 'syncStatus', kind: 'line', isFilter: true },
    { name: 'lastSyncedAt', kind: 'time', isNullable: true },
    { name: 'lastSyncError', kind: 'text', isNullable: true },
    { name: 'sourceUpdatedAt', kind: 'time', isNullable: true },
    { name: 'createdAt', kind: 'readOnly' },
    { name: 'updatedAt', kind: 'readOnly' },
  ],
  'coupon-codes': [
    { name: 'id', kind: 'readOnly', isMatch: true, isFilter: true },
    { name: 'code', kind: 'line', isMatch: true, isFilter: true },
    { name: 'active', kind: 'boolean', isFilter: true },
    { name: 'category', kind: 'line' },
    { name: 'currentUses', kind: 'integer' },
    { name: 'maxUses', kind: 'integer', isNullable: true },
    { name: 'description', kind: 'text' },
    { name: 'discountPercent', kind: 'number' },
    { name: 'storeDiscountId', kind: 'line', isNullable: true, isMatch: true, isFilter: true },
    { name: 'syncStatus', kind: 'line', isFilter: true },
    { name: 'lastSyncedAt', kind: 'time', isNullable: true },
  ],
};

/** Returns the names of the fields by which items of a push can be matched. */
export function matchFieldsOf(collection: CollectionName): string[] {
  return FIELDS[collection].flatMap(({ name, isMatch }) => (isMatch ? name : []));
}

/** Returns the names of the filters of a list. */
export function filtersOf(collection: CollectionName): string[] {
  const names = FIELDS[collection].flatMap(({ name, isFilter }) => (isFilter ? name : []));
  return [...names, 'updatedSince'];
}
