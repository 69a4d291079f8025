import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

// The columns of the tables that the migrations create, for typed queries; a test compares both. Only the migrations
// define keys and other constraints. The values of a status stand here alone: its rule takes them from the column.

// Every time is text: ISO 8601 UTC with milliseconds, in the database as in the API. So comparing texts compares times,
// and no conversion is needed.

/** Whether a resource agrees with the store platform. */
const SYNC_STATUSES = ['SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'] as const;

export const brands = sqliteTable('brands', {
  id: text().notNull(),
  revision: text().notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),

  brandName: text('brand_name').notNull(),
  contactName: text('contact_name'),
  description: text().notNull(),
  website: text(),
  logoUrl: text('logo_url'),
  supportEmail: text('support_email'),
  cartMinimumCents: integer('cart_minimum_cents').notNull(),
  customerLtvCents: integer('customer_ltv_cents').notNull(),
  grossMarginPercent: real('gross_margin_percent'),

  /** The status of the connection. Columns have the names of their fields. */
  status: text('connection_status', {
    enum: ['CONNECTED', 'PENDING', 'ERROR', 'DISCONNECTED'],
  }).notNull(),
  storeDomain: text('store_domain'),
  syncEnabled: integer('sync_enabled', { mode: 'boolean' }).notNull(),
  lastProductsSyncAt: text('last_products_sync_at'),
  lastDiscountsSyncAt: text('last_discounts_sync_at'),
  lastSyncError: text('last_sync_error'),

  suspendedAt: text('suspended_at'),
  unfinished: text({ enum: ['delete', 'import'] }),
});

export const apiKeys = sqliteTable('api_keys', {
  hash: text().notNull(),
  id: text().notNull(),
  brandId: text('brand_id').notNull(),
  prefix: text().notNull(),
  label: text().notNull(),
  scope: text({ enum: ['read', 'write'] }).notNull(),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at'),
  revokedAt: text('revoked_at'),
  suspendedAt: text('suspended_at'),
  replacedBy: text('replaced_by'),
  movedTo: integer('moved_to'),
  frozenAt: text('frozen_at'),
});

/**
 * The columns that every collection's table has besides its fields. Brand, revision and change number are never shown.
 */
export const collectionColumns = {
  brandId: text('brand_id').notNull(),
  id: text().notNull(),
  revision: text().notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  changeNumber: integer('change_number').notNull(),
};

export const products = sqliteTable('products', {
  ...collectionColumns,
  title: text().notNull(),
  description: text().notNull(),
  handle: text().notNull(),
  sku: text(),
  priceCents: integer('price_cents').notNull(),
  currencyCode: text('currency_code').notNull(),
  discountPercent: real('discount_percent').notNull(),
  marginPercent: real('margin_percent'),
  featured: integer({ mode: 'boolean' }).notNull(),
  imageUrl: text('image_url'),
  imageUrls: text('image_urls', { mode: 'json' }).$type<string[]>().notNull(),
  marketplaceCategory: text('marketplace_category').notNull(),
  serviceInventoryQuantity: integer('service_inventory_quantity').notNull(),
  serviceListingStatus: text('service_listing_status', {
    enum: ['DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED'],
  }).notNull(),
  storeInventoryQuantity: integer('store_inventory_quantity').notNull(),
  storeProductId: text('store_product_id'),
  storeVariantId: text('store_variant_id'),
  storeStatus: text('store_status', { enum: ['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED'] }),
  source: text().notNull(),
  syncStatus: text('sync_status', { enum: SYNC_STATUSES }).notNull(),
  lastSyncedAt: text('last_synced_at'),
  lastSyncError: text('last_sync_error'),
  sourceUpdatedAt: text('source_updated_at'),
});

export const couponCodes = sqliteTable('coupon_codes', {
  ...collectionColumns,
  code: text().notNull(),
  active: integer({ mode: 'boolean' }).notNull(),
  category: text().notNull(),
  currentUses: integer('current_uses').notNull(),
  maxUses: integer('max_uses'),
  description: text().notNull(),
  discountPercent: real('discount_percent').notNull(),
  storeDiscountId: text('store_discount_id'),
  syncStatus: text('sync_status', { enum: SYNC_STATUSES }).notNull(),
  lastSyncedAt: text('last_synced_at'),
});

export const tombstones = sqliteTable('tombstones', {
  brandId: text('brand_id').notNull(),
  collection: text().notNull(),
  changeNumber: integer('change_number').notNull(),
  id: text().notNull(),
  deletedAt: text('deleted_at').notNull(),
});

export const idempotencyRecords = sqliteTable('idempotency_records', {
  brandId: text('brand_id').notNull(),
  key: text().notNull(),
  fingerprint: text().notNull(),
  request: text().notNull(),
  createdAt: text('created_at').notNull(),
  results: text().notNull(),
});

/** What operators did. No request reads it. */
export const auditTrail = sqliteTable('audit_trail', {
  id: text().notNull(),
  at: text().notNull(),
  action: text().notNull(),
  brandId: text('brand_id'),
  keyId: text('key_id'),
  actor: text().notNull(),
  details: text().notNull(),
});

/** When the daily job was last done: one row. No request reads it. */
export const dailyJob = sqliteTable('daily_job', {
  id: integer().notNull(),
  createdAt: text('created_at').notNull(),
  doneAt: text('done_at'),
  /** Whether it has left work over, because a run may make only so many queries. */
  workLeft: integer('work_left', { mode: 'boolean' }).notNull(),
});
