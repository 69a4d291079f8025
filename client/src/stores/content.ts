import { listOf } from '../../../common/list-of.ts';
import { choose, matchForAll } from './candidates.ts';
import { Cleaner, removedNote } from './clean.ts';
import { keyDoubts } from './doubts.ts';
import { Failure, UsageError } from './failure.ts';
import type { CollectionName } from './fields.ts';
import { COLLECTIONS } from './fields.ts';
import { couponCandidates, productCandidates } from './items.ts';
import { Prices } from './prices.ts';
import type { ContentOfStore } from './store.ts';
import type { StoreContent } from './store-product.ts';
import type { Content, ReadOptions } from './source.ts';

/** The fields that can identify a resource of a store, the default first. */
const ALL_MATCHES: Readonly<Record<CollectionName, readonly string[]>> = {
  products: ['storeVariantId', 'storeProductId', 'sku', 'handle'],
  'coupon-codes': ['code', 'storeDiscountId'],
};

/**
 * Makes the items of what a reader understood of a store.
 * @throws Failure if the store has another collection, or no such field to match by; UsageError if an option has no effect
 */
export function contentOf({ store, content }: ContentOfStore, options: ReadOptions): Content {
  const { collection } = options;
  const isProducts = collection === 'products';
  const found = collectionIn(content) ?? collection;
  if (found !== collection) {
    throw new Failure(
      `The file is an export of ${COLLECTIONS[found].nouns} from ${store.title}, not of ${COLLECTIONS[collection].nouns}. Is --collection ${found} meant?`,
    );
  }
  if (options.decimalComma === true && content.hasWrittenPrices !== true) {
    throw new UsageError('--decimal-comma is for CSV: the prices in JSON have a point.');
  }
  const matches = content.matches ?? ALL_MATCHES[collection];
  const match = matches.find((field) => field === (options.match ?? matches[0]));
  if (match === undefined) {
    throw new Failure(
      `This export from ${store.title} has no ${options.match ?? ''}. Match by ${listOf(matches, 'disjunction')}.`,
    );
  }
  const cleaner = new Cleaner();
  const { candidates, notes } = isProducts
    ? productCandidates(content.products, {
        store,
        prices: pricesOf(content, options),
        cleaner,
        isFirst: options.variants === 'first',
      })
    : { candidates: couponCandidates(content.discounts, { store, cleaner }), notes: [] };
  const { items, places, skipped, unclear } = choose(candidates, match);
  const better = matchForAll(candidates, matches);
  return {
    format: store.name,
    isOfStore: true,
    items,
    places,
    skipped: [...(content.skipped ?? []), ...skipped],
    isUnread: content.isUnread,
    mayBeCut: content.mayBeCut,
    doubts: [...content.doubts, ...keyDoubts(unclear, collection, match, better)],
    notes: [...removedNote(cleaner.removed), ...content.notes, ...notes],
    match,
    source: isProducts ? store.source : undefined,
  };
}

function collectionIn(store: StoreContent): CollectionName | undefined {
  const { collection, products, discounts } = store;
  if (collection !== undefined || products.length + discounts.length === 0) return collection;
  return products.length > 0 ? 'products' : 'coupon-codes';
}

function pricesOf(content: StoreContent, { currency, decimalComma }: ReadOptions): Prices {
  const style = content.hasWrittenPrices !== true ? 'plain' : decimalComma ? 'comma' : 'point';
  return new Prices(content.currency ?? currency ?? 'USD', style);
}
