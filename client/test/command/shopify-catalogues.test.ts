import fc from 'fast-check';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CollectionName } from '../../src/fields.ts';
import { ALL_DISCOUNTS, ALL_PRODUCTS } from '../../src/stores/shopify/queries.ts';
import { shopify } from '../../src/stores/shopify/store.ts';
import type { CatalogueDiscount } from './shopify/random-shop.ts';
import {
  discounts,
  discountsCsv,
  shopDiscount,
  shopifyCsv,
  shopifyJson,
  shopProduct,
} from './shopify/random-shop.ts';
import type { Json } from './shopify/execute.ts';
import { linesOf } from './shopify/execute.ts';
import { StandIn } from './shopify/stand-in.ts';
import type { CatalogueProduct } from './store-catalogues.ts';
import {
  catalogues,
  csvStyles,
  expectedItems,
  handlesIn,
  itemsOf,
  read,
} from './store-catalogues.ts';
import { readStore } from './read-store.ts';
import type { Content } from '../../src/stores/source.ts';
import { random } from '../../../test/support/random.ts';

let shop: StandIn;

let stop = (): void => undefined;

beforeAll(async () => {
  shop = await StandIn.start((end) => {
    stop = end;
  });
  shop.showings = 0;
});

afterAll(() => {
  stop();
});

/** What two ways of reading have in common: all but what they call the places. */
function comparable({ items, skipped, doubts }: Content): object {
  return { items: byKey(items), skipped: byKey(skipped), doubts };
}

function byKey<T extends object>(all: readonly T[]): T[] {
  return all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** An order of anything: the same number gives the same one. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  const rank = (index: number): number => Math.imul(index + 1, (seed << 1) | 1) % 9973;
  return all
    .map((one, index) => ({ one, rank: rank(index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}

/** Puts lines and their members in any order. That of images is the shop's own, in which customers see them. */
function mixed(lines: readonly Json[], seed: number): Json[] {
  const isImage = ({ id }: Json): boolean => String(id).includes('/MediaImage/');
  const images = lines.filter(isImage);
  return shuffled(lines, seed)
    .map((line) => (isImage(line) ? (images.shift() ?? line) : line))
    .map((line) => Object.fromEntries(shuffled(Object.entries(line), seed + 1)));
}

function textOf(lines: readonly Json[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Reads what the shop has from itself, and from the file of a bulk operation, whose lines come in any order. */
async function readTwice(
  collection: CollectionName,
  seed: number,
): Promise<Readonly<Record<'fromShop' | 'fromLines', Content>>> {
  const query = collection === 'products' ? ALL_PRODUCTS : ALL_DISCOUNTS;
  const lines = await linesOf(parse(query), shop.catalogue);
  shop.faults.file = (all) => mixed(all, seed + 1);
  return {
    fromShop: await readStore(shopify, shop, { collection }),
    fromLines: read(textOf(mixed(lines, seed)), collection),
  };
}

const seeds = fc.nat(9999);

const expected = (all: readonly CatalogueProduct[], hasIds: boolean): object[] =>
  expectedItems(all, (one, each) => ({
    title: one.variants.length > 1 ? `${one.title} - ${each.values.join(' / ')}` : one.title,
    source: 'SHOPIFY',
    ...(hasIds && {
      storeVariantId: `gid://shopify/ProductVariant/${each.id}`,
      storeProductId: `gid://shopify/Product/${one.id}`,
    }),
    // Shopify does not say whether it has what it does not count.
    ...(typeof each.stock === 'number' && { storeInventoryQuantity: each.stock }),
    ...(each.image !== null && one.variants.length > 1 && { imageUrl: each.image }),
  }));

it('A catalogue of Shopify is read from a CSV, from a REST list, from JSON lines and from the shop as the same items', async () => {
  await fc.assert(
    fc.asyncProperty(catalogues, seeds, csvStyles, async (all, seed, style) => {
      shop.catalogue.products.splice(0, Infinity, ...all.map(shopProduct));
      const csv = read(shopifyCsv(all, style));
      const rest = read(shopifyJson(all));
      const { fromShop, fromLines } = await readTwice('products', seed);
      expect(itemsOf(csv)).toEqual(expected(all, false));
      expect(itemsOf(rest)).toEqual(expected(all, true));
      expect(byKey(itemsOf(fromShop))).toEqual(byKey(itemsOf(rest)));
      expect(handlesIn(rest)).toEqual(handlesIn(csv));
      expect(new Set(handlesIn(fromShop))).toEqual(new Set(handlesIn(csv)));
      // No two products of a shop have one handle.
      expect(new Set(handlesIn(csv)).size).toBe(csv.items.length);
      expect(comparable(fromLines)).toEqual(comparable(fromShop));
      expect(fromLines.notes).toEqual(fromShop.notes);
    }),
    random(100),
  );
});

/** Leaves out what the CSV does not say. */
const withoutIds = (content: Content): Content => ({
  ...content,
  items: content.items.map(({ storeDiscountId: _, description: __, ...item }) => item),
});

const expectedCodes = (all: readonly CatalogueDiscount[]): object[] =>
  all
    .filter(({ kind }) => kind === 'percentage')
    .flatMap(({ codes, tenths, limit, activity, title }) =>
      codes.map(({ code, uses }) => ({
        code,
        discountPercent: tenths / 10,
        active: activity === 'ACTIVE',
        maxUses: limit,
        currentUses: uses,
        description: title,
      })),
    );

it('The discounts of Shopify are read from the shop, from JSON lines and from a CSV as the same codes', async () => {
  await fc.assert(
    fc.asyncProperty(discounts, seeds, csvStyles, async (all, seed, style) => {
      shop.catalogue.discounts.splice(0, Infinity, ...all.map(shopDiscount));
      const { fromShop, fromLines } = await readTwice('coupon-codes', seed);
      const csv = read(discountsCsv(all, style), 'coupon-codes');
      expect(byKey(fromShop.items.map(({ storeDiscountId: _, ...item }) => item))).toEqual(
        byKey(expectedCodes(all)),
      );
      expect(comparable(fromLines)).toEqual(comparable(fromShop));
      expect(comparable(withoutIds(fromShop))).toEqual(comparable(csv));
    }),
    random(50),
  );
});
