import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { readFile } from '../../src/command/files/read-file.ts';
import { COLUMN_NAMES } from '../../src/stores/woocommerce/column-names.ts';
import { products as resource } from '../../../src/resources/products.ts';
import type { CatalogueProduct, CatalogueVariant } from './store-catalogues.ts';
import {
  catalogues,
  csvStyles,
  shopifyCsv,
  shopifyJson,
  wooCommerceCsv,
  wooCommerceJson,
} from './store-catalogues.ts';
import type { Content, Item } from '../../src/stores/source.ts';

function read(text: string): Content {
  return readFile(new TextEncoder().encode(text), { collection: 'products', currency: 'EUR' });
}

/** The items that the service must have of a catalogue, by what every form of a platform can say. */
function expectedItems(
  all: readonly CatalogueProduct[],
  special: (one: CatalogueProduct, each: CatalogueVariant) => object,
): object[] {
  return all.flatMap((one) =>
    one.variants.map((each) => ({
      description: one.description.normalize('NFC'),
      sku: each.sku,
      currencyCode: 'EUR',
      priceCents: each.cents,
      imageUrls: [...one.images],
      imageUrl: one.images[0] ?? null,
      storeStatus: one.isPublished ? 'ACTIVE' : 'DRAFT',
      ...special(one, each),
    })),
  );
}

function titleOf(
  { title, variants, options }: CatalogueProduct,
  each: CatalogueVariant,
  always: boolean,
): string {
  const isNamed = options.length > 0 && (always || variants.length > 1);
  return isNamed ? `${title} - ${each.values.join(' / ')}` : title;
}

/** Leaves out what not every form of a platform says, and checks that the service takes the rest. */
function comparable({ items, skipped, doubts }: Content): object[] {
  expect([skipped, doubts]).toEqual([[], []]);
  for (const item of items) expect(z.safeParse(resource.patchBody, item).error).toBeUndefined();
  return items.map(({ handle: _, ...item }) => item);
}

/** What the store does not count has no number, unless there is none of it. */
function stockOf(stock: CatalogueVariant['stock']): object {
  if (stock === 'in stock') return {};
  return { storeInventoryQuantity: stock === 'out of stock' ? 0 : stock };
}

function handlesIn({ items }: Content): unknown[] {
  return items.map(({ handle }) => handle);
}

describe('A catalogue of WooCommerce', () => {
  const expected = (all: readonly CatalogueProduct[]): object[] =>
    expectedItems(all, (one, each) => ({
      title: titleOf(one, each, true),
      source: 'WOOCOMMERCE',
      storeVariantId: String(each.id),
      storeProductId: String(one.options.length === 0 ? each.id : one.id),
      ...stockOf(one.sharedStock ?? each.stock),
      // A variation has its own image in place of those of its product.
      ...(each.image !== null && { imageUrls: [each.image], imageUrl: each.image }),
    }));

  it('is read back from a CSV in any language, and from JSON, as the same items', () => {
    const languages = fc.constantFrom(...Object.keys(COLUMN_NAMES));
    fc.assert(
      fc.property(catalogues, languages, csvStyles, (all, language, style) => {
        const csv = read(wooCommerceCsv(all, language, style));
        const json = read(wooCommerceJson(all));
        expect(comparable(csv)).toEqual(expected(all));
        expect(comparable(json)).toEqual(expected(all));
        expect(handlesIn(json)).toEqual(handlesIn(csv));
      }),
    );
  });
});

describe('A catalogue of Shopify', () => {
  const expected = (all: readonly CatalogueProduct[], hasIds: boolean): object[] =>
    expectedItems(all, (one, each) => ({
      title: titleOf(one, each, false),
      source: 'SHOPIFY',
      ...(hasIds && {
        storeVariantId: `gid://shopify/ProductVariant/${each.id}`,
        storeProductId: `gid://shopify/Product/${one.id}`,
      }),
      // Shopify does not say whether it has what it does not count.
      ...(typeof each.stock === 'number' && { storeInventoryQuantity: each.stock }),
      ...(each.image !== null && one.variants.length > 1 && { imageUrl: each.image }),
    }));

  it('is read back from a CSV, and from a REST list, as the same items', () => {
    fc.assert(
      fc.property(catalogues, csvStyles, (all, style) => {
        const csv = read(shopifyCsv(all, style));
        expect(comparable(csv)).toEqual(expected(all, false));
        const json = read(shopifyJson(all));
        expect(comparable(json)).toEqual(expected(all, true));
        expect(handlesIn(json)).toEqual(handlesIn(csv));
      }),
    );
  });
});

it('An item of one catalogue has another handle than all others', () => {
  fc.assert(
    fc.property(catalogues, csvStyles, (all, style) => {
      const handles = read(shopifyCsv(all, style)).items.map((item: Item) => item['handle']);
      expect(new Set(handles).size).toBe(handles.length);
    }),
  );
});
