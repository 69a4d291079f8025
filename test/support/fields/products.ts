import { fuzzedPattern, fuzzedUrls } from './fuzzed.ts';
import type { Kind } from './kinds.ts';
import {
  boolean,
  cents,
  currencyCode,
  integer,
  oneOf,
  percent,
  same,
  storeId,
  text,
  timestamp,
  upperCaseName,
  url,
} from './kinds.ts';
import type { FieldRows } from './row.ts';
import { nullable, optional, required } from './row.ts';

const image = 'https://example.com/a.png';

const handle: Kind = {
  fuzzed: fuzzedPattern(/^[^A-Z ]+$/, 'one', 'two', 'nhẫn-3', 'Four', ''),
  accepted: [
    ...same('a', '0', 'a-b-c', 'a--b', '-', 'nov5_04-35', "o'a.b", 'x'.repeat(255)),
    ...same('nhẫn-1', 'canasto-360º-1', 'סל', 'tac™-1', 'ß', '😀'.repeat(255)),
    { sent: ' a-b ', kept: 'a-b' },
    { sent: 'nha\u0302\u0303n-1', kept: 'nhẫn-1' },
  ],
  refused: [
    null,
    1,
    true,
    [],
    {},
    '',
    ' ',
    'A',
    'Ä',
    'Ａ',
    'aB',
    'a b',
    'a\u00a0b',
    'a\u3000b',
    'a/b',
    'a\\b',
    'a?',
    '#a',
    'a%20b',
    '"a"',
    'a<b',
    'a>',
    'a\nb',
    'a\0',
    'a\u0085b',
    '\ud800',
    'x'.repeat(256),
    '😀'.repeat(256),
  ],
};

const imageUrls: Kind = {
  fuzzed: fuzzedUrls,
  accepted: [
    ...same([], [image], [image, image], ['https://b.test/', 'https://a.test/']),
    ...same(Array.from({ length: 250 }, (_, index) => `https://example.com/${index}`)),
    { sent: [` ${image} `, 'https://a.test/e\u0301'], kept: [image, 'https://a.test/é'] },
  ],
  refused: [null, image, `["${image}"]`, 1, true, {}, { 0: image }, Array(251).fill(image)],
};

const listingStatus = oneOf('DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED');

/** The fields of a product. The defaults are those of `{ title: 'Item 1' }`. */
export const productFields: FieldRows = {
  title: required(text(1, 255), 'Magnesium Glycinate'),
  description: optional(text(0, 65_535, { lines: true }), 'Two lines,\nof which this is one.', ''),
  handle: optional(handle, 'magnesium', 'item-1'),
  sku: nullable(text(1, 255), 'MAG-1'),
  priceCents: required(cents, 2499),
  currencyCode: optional(currencyCode, 'EUR', 'USD'),
  discountPercent: optional(percent(0), 12.34, 0),
  marginPercent: nullable(percent(-1000), -0.29),
  featured: optional(boolean, true, false),
  imageUrl: nullable(url, 'https://cdn.example.com/b.png'),
  imageUrls: optional(
    imageUrls,
    ['https://cdn.example.com/a.png', 'https://cdn.example.com/b.png'],
    [],
  ),
  marketplaceCategory: optional(upperCaseName(64), 'SUPPLEMENTS', 'OTHER'),
  serviceInventoryQuantity: optional(integer(0, 2_147_483_647), 7, 0),
  serviceListingStatus: optional(listingStatus, 'LIVE', 'DRAFT'),
  storeInventoryQuantity: optional(integer(-2_147_483_647, 2_147_483_647), -3, 0),
  storeProductId: nullable(storeId, 'gid://shopify/Product/1'),
  storeVariantId: nullable(storeId, 'gid://shopify/ProductVariant/2'),
  storeStatus: nullable(oneOf('ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED'), 'ACTIVE'),
  source: optional(upperCaseName(32), 'CSV_IMPORT', 'API'),
  syncStatus: optional(oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'), 'FAILED', 'NOT_LINKED'),
  lastSyncedAt: nullable(timestamp, '2026-01-31T09:30:00.001Z'),
  lastSyncError: nullable(text(1, 2000, { lines: true }), 'Out of range'),
  sourceUpdatedAt: nullable(timestamp, '2026-01-30T09:30:00.999Z'),
};
