import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COLUMN_NAMES } from '../../src/stores/woocommerce/column-names.ts';
import { woocommerce as platform } from '../../src/stores/woocommerce/store.ts';
import type { CatalogueProduct, CatalogueVariant } from './store-catalogues.ts';
import {
  catalogues,
  csvStyles,
  expectedItems,
  handlesIn,
  itemsOf,
  read,
} from './store-catalogues.ts';
import { readStore } from './read-store.ts';
import { wooCommerceCsv, wooCommerceJson, wooCommerceRows } from './woocommerce-catalogue.ts';
import { woocommerce } from './woocommerce-stand-in.ts';
import { random } from '../../../test/support/random.ts';

/** What the store does not count has no number, unless there is none of it. */
function stockOf(stock: CatalogueVariant['stock']): object {
  if (stock === 'in stock') return {};
  return { storeInventoryQuantity: stock === 'out of stock' ? 0 : stock };
}

function expected(all: readonly CatalogueProduct[]): object[] {
  return expectedItems(all, (one, each) => ({
    title: one.isSimple ? one.title : `${one.title} - ${each.values.join(' / ')}`,
    source: 'WOOCOMMERCE',
    storeVariantId: String(each.id),
    storeProductId: String(one.isSimple ? each.id : one.id),
    ...stockOf(one.sharedStock ?? each.stock),
    // A variation has its own image in place of those of its product.
    ...(each.image !== null && { imageUrls: [each.image], imageUrl: each.image }),
  }));
}

it('A catalogue is read from a CSV in any language, from JSON and from the store as the same items', async () => {
  const store = await woocommerce();
  const languages = fc.constantFrom(...Object.keys(COLUMN_NAMES));
  await fc.assert(
    fc.asyncProperty(catalogues, languages, csvStyles, async (all, language, style) => {
      Object.assign(store, wooCommerceRows(all));
      const csv = read(wooCommerceCsv(all, language, style));
      const json = read(wooCommerceJson(all));
      expect(itemsOf(csv)).toEqual(expected(all));
      expect(itemsOf(json)).toEqual(expected(all));
      expect(handlesIn(json)).toEqual(handlesIn(csv));
      const { items, notes, skipped, doubts } = await readStore(platform, store);
      expect({ items, notes, skipped, doubts }).toEqual({
        items: json.items,
        notes: json.notes,
        skipped: json.skipped,
        doubts: json.doubts,
      });
    }),
    random(100),
  );
});
