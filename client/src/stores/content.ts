import { counted } from '../../../common/counted.ts';
import { keyDoubts } from './doubts.ts';
import type { CollectionName } from './fields.ts';
import { COLLECTIONS } from './fields.ts';
import { choose, matchForAll } from './candidates.ts';
import { Cleaner, removedNote } from './clean.ts';
import { couponCandidatesOf } from './discounts.ts';
import type { ProductCandidates } from './items.ts';
import { candidatesOf } from './items.ts';
import { listOf } from '../../../common/list-of.ts';
import { Prices } from './prices.ts';
import type { Store, ContentOfStore } from './store.ts';
import type { StoreContent } from './store-product.ts';
import { UsageError, Failure } from './failure.ts';
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
  const match = matchOf({ store, content }, options);
  const cleaner = new Cleaner();
  const made = isProducts ? productCandidates({ store, content }, options, cleaner) : undefined;
  const candidates =
    made?.candidates ?? couponCandidatesOf(content.discounts, cleaner, store.hasMarkup);
  const { items, places, skipped, unclear } = choose(candidates, match);
  return {
    format: store.name,
    isOfStore: true,
    items,
    places,
    skipped: [...(content.skipped ?? []), ...skipped],
    isUnread: content.isUnread,
    mayBeCut: content.mayBeCut,
    doubts: [
      ...content.doubts,
      ...keyDoubts(
        unclear,
        collection,
        match,
        matchForAll(candidates, content.matches ?? ALL_MATCHES[collection]),
      ),
    ],
    notes: [
      ...removedNote(cleaner.removed),
      ...content.notes,
      ...(made === undefined ? [] : notesOf(made, store)),
    ],
    match,
    source: isProducts ? store.source : undefined,
  };
}

function collectionIn(store: StoreContent): CollectionName | undefined {
  const { collection, products, discounts } = store;
  if (collection !== undefined || products.length + discounts.length === 0) return collection;
  return products.length > 0 ? 'products' : 'coupon-codes';
}

function productCandidates(
  { store, content }: ContentOfStore,
  options: ReadOptions,
  cleaner: Cleaner,
): ProductCandidates {
  const { products } = content;
  const currency = content.currency ?? options.currency ?? 'USD';
  const isWritten = content.hasWrittenPrices ?? false;
  const prices = new Prices({ currency, isWritten, decimalComma: options.decimalComma ?? false });
  const variants = options.variants ?? 'all';
  return candidatesOf(products, { store, prices, cleaner, variants });
}

/** The field to match by. @throws Failure if the store does not have it */
function matchOf({ store, content }: ContentOfStore, { collection, match }: ReadOptions): string {
  const possible = content.matches ?? ALL_MATCHES[collection];
  const found = possible.find((field) => field === (match ?? possible[0]));
  if (found !== undefined) return found;
  throw new Failure(
    `This export from ${store.title} has no ${match ?? ''}. Match by ${listOf(possible, 'disjunction')}.`,
  );
}

function notesOf(made: ProductCandidates, { otherPrice }: Store): string[] {
  const { otherPrices, uncounted, reduced, roundedPrices, roundedQuantities } = made;
  const notes: string[] = [];
  if (roundedPrices > 0) {
    notes.push(
      `${counted(roundedPrices, 'price was', 'prices were')} rounded to the decimals of the currency.`,
    );
  }
  if (roundedQuantities > 0) {
    notes.push(
      `${counted(roundedQuantities, 'quantity was', 'quantities were')} rounded down to a whole number.`,
    );
  }
  if (otherPrices > 0) {
    notes.push(`${counted(otherPrices, `${otherPrice} was`, `${otherPrice}s were`)} left out.`);
  }
  if (uncounted > 0) {
    const which = counted(uncounted, 'product');
    notes.push(`The store does not count the stock of ${which}, so it was left out.`);
  }
  if (reduced > 0) {
    notes.push(`Only the first variant of ${counted(reduced, 'product')} was read.`);
  }
  return notes;
}
