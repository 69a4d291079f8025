import { describe } from 'vitest';
import { collectionTarget, testFields } from './support/field-tests.ts';
import {
  boolean,
  cents,
  integer,
  nullable,
  oneOf,
  percent,
  same,
  storeId,
  text,
  timestamp,
  upperCaseName,
  url,
} from './support/values.ts';

const image = 'https://example.com/a.png';

describe('a product', () => {
  testFields(collectionTarget('/products'), {
    title: text(1, 255),
    description: text(0, 65_535, { lines: true }),
    handle: {
      accepted: [
        ...same('a', '0', 'a-b-c', 'a--b', '-', 'nov5_04-35', "o'a.b", 'x'.repeat(255)),
        ...same('nhẫn-1', 'canasto-360º-1', 'סל', 'tac™-1', 'ß', '😀'.repeat(255)),
        { sent: ' a-b ', kept: 'a-b' },
        { sent: 'nha\u0302\u0303n-1', kept: 'nhẫn-1' },
      ],
      refused: [
        ...[null, 1, true, [], {}, '', ' ', 'A', 'Ä', 'Ａ', 'aB', 'a b', 'a\u00a0b', 'a\u3000b'],
        ...['a/b', 'a\\b', 'a?', '#a', 'a%20b', '"a"', 'a<b', 'a>', 'a\nb', 'a\0', 'a\u0085b'],
        ...['\ud800', 'x'.repeat(256), '😀'.repeat(256)],
      ],
    },
    sku: nullable(text(1, 255)),
    priceCents: cents,
    currencyCode: {
      accepted: [...same('USD', 'EUR', 'JPY', 'KWD', 'CHF'), { sent: ' GBP ', kept: 'GBP' }],
      refused: [
        ...[null, 840, true, [], {}, '', 'usd', 'Usd', 'US', 'USDX', 'ZZZ', 'QQQ', '$', '840'],
        ...['ＵＳＤ', 'US\0', 'US D'],
      ],
    },
    discountPercent: percent(0),
    marginPercent: nullable(percent(-1000)),
    featured: boolean,
    imageUrl: nullable(url),
    imageUrls: {
      accepted: [
        ...same([], [image], [image, image], ['https://b.test/', 'https://a.test/']),
        ...same(Array.from({ length: 250 }, (_, index) => `https://example.com/${index}`)),
        { sent: [` ${image} `, 'https://a.test/e\u0301'], kept: [image, 'https://a.test/é'] },
      ],
      refused: [null, image, `["${image}"]`, 1, true, {}, { 0: image }, Array(251).fill(image)],
    },
    marketplaceCategory: upperCaseName(64),
    serviceInventoryQuantity: integer(0, 2_147_483_647),
    serviceListingStatus: oneOf(
      'DRAFT',
      'PENDING_REVIEW',
      'LIVE',
      'PAUSED',
      'REJECTED',
      'ARCHIVED',
    ),
    storeInventoryQuantity: integer(-2_147_483_647, 2_147_483_647),
    storeProductId: storeId,
    storeVariantId: storeId,
    storeStatus: nullable(oneOf('ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED')),
    source: upperCaseName(32),
    syncStatus: oneOf('SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED'),
    lastSyncedAt: nullable(timestamp),
    lastSyncError: nullable(text(1, 2000, { lines: true })),
    sourceUpdatedAt: nullable(timestamp),
  });
});
