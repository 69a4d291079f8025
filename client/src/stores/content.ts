import type { JsonObject } from './json-values.ts';
import { listOf } from '../../../common/list-of.ts';
import { Cleaner } from './cleaner.ts';
import { keyDoubts } from './doubts.ts';
import { Failure, UsageError } from '../../../common/failure.ts';
import { reportedReason, skippedPart, stayingBy, mergedFindings } from './findings.ts';
import type { CollectionName } from '../fields.ts';
import { COLLECTIONS } from '../fields.ts';
import type { Candidate } from './items.ts';
import { couponCandidates, productCandidates } from './items.ts';
import { Prices } from './prices.ts';
import type { Store } from './store.ts';
import type { StoreContent } from './store-product.ts';
import type { Content, Findings, ReadOptions, SkippedPart, StayingResource } from './source.ts';

/** The fields that can identify a resource of a store, the default first. */
const ALL_MATCHES: Readonly<Record<CollectionName, readonly string[]>> = {
  products: ['storeVariantId', 'storeProductId', 'sku', 'handle'],
  'coupon-codes': ['code', 'storeDiscountId'],
};

interface StoreParts {
  readonly store: Store;
  /** What a reader understood of it. */
  readonly content: StoreContent;
  /** What of its file itself cannot be read for sure. */
  readonly file?: Partial<Findings>;
}

/**
 * Makes the items of what a reader understood of a store.
 * @throws Failure if the store has another collection, or no such field to match by; UsageError if an option has no effect
 */
export function contentOf(
  { store, content, file = {} }: StoreParts,
  options: ReadOptions,
): Content {
  const { collection, decimalComma } = options;
  const { products = [], discounts = [] } = content;
  const isProducts = collection === 'products';
  const found = collectionIn(content) ?? collection;
  if (found !== collection) {
    throw new Failure(
      `The file is an export of ${COLLECTIONS[found].nouns} from ${store.title}, not of ${COLLECTIONS[collection].nouns}. Is --collection ${found} meant?`,
    );
  }
  if (decimalComma === true && content.hasWrittenNumbers !== true) {
    throw new UsageError('--decimal-comma is for CSV: the numbers in JSON have a point.');
  }
  const matches = content.matches ?? ALL_MATCHES[collection];
  const match = matches.find((field) => field === (options.match ?? matches[0]));
  if (match === undefined) {
    throw new Failure(
      `This export from ${store.title} has no ${options.match ?? ''}. Match by ${listOf(matches, 'disjunction')}.`,
    );
  }
  const style = content.hasWrittenNumbers !== true ? 'plain' : decimalComma ? 'comma' : 'point';
  const currency = content.currency ?? options.currency ?? 'USD';
  const cleaner = new Cleaner();
  const { candidates, notes } = isProducts
    ? productCandidates(
        products,
        { store, prices: new Prices(currency, style), cleaner },
        options.variants === 'first',
      )
    : couponCandidates(discounts, { store, cleaner });
  const { items, places, skipped, unclear } = choose(candidates, match);
  // All of them have a key by it.
  const better = matches.find((field) =>
    candidates.every((one) => isForeign(one) || Boolean(one.keys[field])),
  );
  const stays = [...stayingBy(match, skipped), ...unsupportedIn(candidates, match)];
  const doubts = keyDoubts(unclear, collection, match, better);
  return {
    format: store.name,
    isOfStore: true,
    items,
    places,
    ...mergedFindings({ notes: cleaner.notes() }, file, content, { skipped, stays, doubts, notes }),
    match,
    source: isProducts ? store.source : undefined,
  };
}

function collectionIn(store: StoreContent): CollectionName | undefined {
  const { collection, products = [], discounts = [] } = store;
  if (collection !== undefined || products.length + discounts.length === 0) return collection;
  return products.length > 0 ? 'products' : 'coupon-codes';
}

/**
 * Chooses the items that can be matched by a field.
 * @returns with them how many have no key, though the service may have their resources
 */
function choose(
  candidates: readonly Candidate[],
  match: string,
): Pick<Content, 'items' | 'places' | 'skipped'> & { readonly unclear: number } {
  const items: JsonObject[] = [];
  const places: string[] = [];
  const skipped: SkippedPart[] = [];
  const withHandles = new Map<string | null, Candidate>();
  /** What is said once of a product that cannot be taken, if its variants have one key. */
  const said = new Set<string>();
  let unclear = 0;
  for (const candidate of candidates) {
    const { place } = candidate;
    const key = candidate.keys[match] || null;
    if (key === null && !isForeign(candidate)) unclear++;
    // Of those with one handle, the resource is that of the first one, even if that has no item.
    const first = withHandles.get(key);
    if (match === 'handle' && first === undefined) withHandles.set(key, candidate);
    if ('obstacle' in candidate) {
      const { obstacle } = candidate;
      const why = reportedReason(obstacle);
      const reason = key === null ? `${place}: ${why}` : why;
      const sentence = JSON.stringify([key, reason]);
      if (!said.has(sentence)) skipped.push(skippedPart(key, { reason, kind: obstacle.kind }));
      said.add(sentence);
    } else if (key === null) {
      skipped.push(skippedPart(key, { reason: `${place} has no ${match}` }));
    } else if (first !== undefined) {
      skipped.push(skippedPart(key, { reason: `${place} has the handle of ${first.place}` }));
    } else {
      items.push(candidate.item);
      places.push(place);
      skipped.push(...candidate.leftOut.map((one) => skippedPart(key, one)));
    }
  }
  return { items, places, skipped, unclear };
}

/** Returns what the service cannot hold by its id: its resource may have another key, or none, if they match by that. */
function unsupportedIn(candidates: readonly Candidate[], match: string): StayingResource[] {
  const field = 'storeVariantId';
  return candidates
    .filter(isForeign)
    .flatMap(({ keys: { [field]: value } }) =>
      match === field || value == null ? [] : { field, value },
    );
}

/** Whether nobody expects it in the service, because the service cannot hold anything of its kind. */
function isForeign(candidate: Candidate): boolean {
  return 'obstacle' in candidate && candidate.obstacle.kind === 'unsupported';
}
