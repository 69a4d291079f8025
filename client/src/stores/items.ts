import type { Candidate, FieldObstacle, ItemResult } from './candidates.ts';
import { problem } from './candidates.ts';
import type { Cleaner } from './clean.ts';
import { slugInAnyScript, variantHandle, variantTitle } from './handles.ts';
import type { Price, Prices } from './prices.ts';
import type { Store } from './store.ts';
import type {
  LeftOutField,
  Obstacle,
  Stock,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from './store-product.ts';
import type { Item } from './source.ts';

/** How to make items of the products of a store. */
export interface ItemOptions {
  readonly store: Store;
  readonly prices: Prices;
  readonly cleaner: Cleaner;
  readonly variants: 'all' | 'first';
}

/** What was made of the products of a store. */
export interface ProductCandidates {
  readonly candidates: readonly Candidate[];
  /** How many items have another price, which is not read. */
  readonly otherPrices: number;
  /** How many items have no inventory because the store does not count it. */
  readonly uncounted: number;
  /** How many products have more variants than the one that is read. */
  readonly reduced: number;
  /** How many prices had more decimals than the currency, and how many quantities had parts. */
  readonly roundedPrices: number;
  readonly roundedQuantities: number;
}

/** Makes an item of each variant, or of each product if only its first variant is read. */
export function candidatesOf(
  products: readonly StoreProduct[],
  options: ItemOptions,
): ProductCandidates {
  const candidates: Candidate[] = [];
  let [otherPrices, uncounted, reduced, roundedPrices, roundedQuantities] = [0, 0, 0, 0, 0];
  for (const product of products) {
    const { variants } = product;
    const common = commonOf(product, options);
    if (variants.length === 0) candidates.push(withoutVariants(product, common, options));
    const isReduced = options.variants === 'first' && variants.length > 1;
    // Of what cannot be taken, all that the service has stays.
    const isFirst = options.variants === 'first' && product.obstacle === undefined;
    for (const variant of isFirst ? variants.slice(0, 1) : variants) {
      const stock = isReduced ? totalOf(variants) : variant.stock;
      const price = priceOf(variant, options);
      const candidate = candidateOf({ product, variant, common, stock, price }, options);
      candidates.push(candidate);
      if ('obstacle' in candidate.result) continue;
      if ('isRounded' in price && price.isRounded) roundedPrices++;
      if (typeof stock === 'number' && !Number.isInteger(stock)) roundedQuantities++;
      if (variant.hasOtherPrice) otherPrices++;
      if (stock === 'in stock') uncounted++;
      if (isReduced) reduced++;
    }
  }
  return { candidates, otherPrices, uncounted, reduced, roundedPrices, roundedQuantities };
}

/** The price of a variant, or why there is none. */
type PriceOrNone = Price | { readonly leftOut: readonly FieldObstacle[] };

function priceOf({ price: written }: StoreVariant, { prices, cleaner }: ItemOptions): PriceOrNone {
  // The reader says why.
  if (written === undefined) return { leftOut: [] };
  const price = prices.read(cleaner.line(written));
  return 'cents' in price ? price : { leftOut: [{ field: 'priceCents', ...price }] };
}

/** What the variants of a product have in common, with clean texts. */
interface Common {
  readonly title: string;
  readonly handle: string | null;
  readonly description: string | undefined;
  readonly imageUrls: readonly string[] | undefined;
  readonly isForeign: boolean;
}

function commonOf(product: StoreProduct, options: ItemOptions): Common {
  const { description, imageUrls, obstacle } = product;
  const { cleaner } = options;
  const title = lineOf(product.title, options);
  return {
    title,
    handle: handleOf(product, title, options),
    description: description === undefined ? undefined : cleaner.text(description),
    imageUrls: imageUrls?.map((url) => cleaner.line(url)),
    isForeign: obstacle?.kind === 'unsupported',
  };
}

/** One that is not known has no other in its place: that would be the key of another product. */
function handleOf(
  { handle }: StoreProduct,
  title: string,
  { cleaner }: ItemOptions,
): string | null {
  if (handle === undefined) return null;
  return cleaner.line(handle) || slugInAnyScript(title) || null;
}

/** One line of a title or an option. */
function lineOf(text: string, { cleaner, store }: ItemOptions): string {
  return store.hasMarkup ? cleaner.withoutMarkup(text) : cleaner.line(text);
}

function withoutVariants(
  { place, id, obstacle }: StoreProduct,
  { handle, isForeign }: Common,
  { variants }: ItemOptions,
): Candidate {
  // Nobody knows the handles of variants that are missing.
  const keys = { handle: isForeign || variants === 'first' ? handle : null, storeProductId: id };
  const result = obstacle ? { obstacle } : problem('it has no variants');
  return { place, keys, result, isForeign };
}

/** What becomes one item. */
interface ItemParts {
  readonly product: StoreProduct;
  readonly variant: StoreVariant;
  readonly common: Common;
  readonly stock: Stock | undefined;
  readonly price: PriceOrNone;
}

function candidateOf(parts: ItemParts, options: ItemOptions): Candidate {
  const { product, variant, common, stock, price } = parts;
  const { cleaner } = options;
  const isFirst = options.variants === 'first';
  const values = isFirst ? [] : variant.options?.map((value) => lineOf(value, options));
  const isNameless = common.title === '';
  const { sku } = variant;
  const keys = {
    handle: common.handle === null || !values ? null : variantHandle(common.handle, values),
    sku: sku === undefined || sku === null ? sku : cleaner.line(sku) || null,
    storeVariantId: variant.id,
    storeProductId: product.id,
  };
  const obstacle = obstacleOf(parts, options);
  if (obstacle) {
    return { place: variant.place, keys, result: { obstacle }, isForeign: common.isForeign };
  }
  const item = {
    ...statedMembers({
      title: isNameless || !values ? undefined : itemTitle(product, common.title, values, options),
      handle: keys.handle ?? undefined,
      sku: keys.sku,
      storeVariantId: keys.storeVariantId,
      storeProductId: keys.storeProductId,
      description:
        cleanText(variant.description, cleaner) ??
        inherited(variant, 'description', common.description),
      storeStatus: statusOf(product, variant),
      storeInventoryQuantity: quantityOf(stock),
      sourceUpdatedAt:
        variant.updatedAt ?? inherited(variant, 'sourceUpdatedAt', product.updatedAt),
    }),
    ...imagesOf(parts, options),
    // A number in another currency is another price.
    ...('cents' in price && { currencyCode: options.prices.currency, priceCents: price.cents }),
    source: options.store.source,
  };
  const leftOut = [
    ...(isNameless && !isLeftOut(product, 'title') ? [problemIn('title', 'it has none')] : []),
    ...(values ? [] : UNKNOWN_OPTIONS),
    ...('leftOut' in price ? price.leftOut : []),
    ...leftOutOf(parts, isFirst),
  ];
  const result: ItemResult = { item, leftOut: distinct(leftOut) };
  return { place: variant.place, keys, result, isForeign: common.isForeign };
}

function obstacleOf({ product, variant }: ItemParts, options: ItemOptions): Obstacle | undefined {
  // The inventory of all variants counts, if only the first one is read.
  const read = options.variants === 'first' ? product.variants : [variant];
  return product.obstacle ?? read.find((one) => one.obstacle !== undefined)?.obstacle;
}

/** Whether there is a value of a field that cannot be read. */
function isLeftOut({ leftOut = [] }: StoreProduct | StoreVariant, name: string): boolean {
  return leftOut.some(({ field }) => field === name);
}

/** What a variant without a value of its own has of its product. One that cannot be read is none of that. */
function inherited<T>(variant: StoreVariant, field: string, common: T): T | undefined {
  return isLeftOut(variant, field) ? undefined : common;
}

/** What cannot be read and would be taken: nobody needs what is the product's if a variant has its own, or the reverse. */
function leftOutOf(parts: ItemParts, isFirst: boolean): FieldObstacle[] {
  const { product, variant } = parts;
  const { description, imageUrls, updatedAt: sourceUpdatedAt } = variant;
  const own = { description, sourceUpdatedAt, ...(!isFirst && { imageUrls }) };
  const isOwn = (name: string): boolean =>
    Object.entries(own).some(([field, value]) => field === name && value !== undefined);
  const isHidden = product.status !== undefined && product.status !== 'ACTIVE';
  return [
    ...(product.leftOut ?? []).filter(({ field }) => !isOwn(field)),
    ...(variant.leftOut ?? []).filter(({ field }) => !isHidden || field !== 'storeStatus'),
    ...(isFirst ? stocksLeftOut(parts) : []),
  ].map((leftOut) => ({ ...leftOut, kind: 'problem' }));
}

/** What the inventory of all variants lacks besides that of the first one. */
function stocksLeftOut({ product, variant, stock: total }: ItemParts): LeftOutField[] {
  const field = 'storeInventoryQuantity';
  const isCounted = product.variants.some(({ stock }) => stock !== undefined);
  return product.variants.flatMap((one) => {
    const odd = (one.leftOut ?? []).filter((leftOut) => leftOut.field === field);
    const isLacking = total === undefined && one.stock === undefined && odd.length === 0;
    if (isLacking && isCounted) return [{ field, reason: `${one.place} has none` }];
    return one === variant
      ? []
      : odd.map(({ reason }) => ({ field, reason: `${one.place}: ${reason}` }));
  });
}

function problemIn(field: string, reason: string): FieldObstacle {
  return { field, reason, kind: 'problem' };
}

const UNKNOWN_OPTIONS: readonly FieldObstacle[] = ['title', 'handle'].map((field) =>
  problemIn(field, 'an option of the variant cannot be read'),
);

/** A value of the product may be that of its variant too. */
function distinct(all: readonly FieldObstacle[]): FieldObstacle[] {
  const seen = new Set(all.map(({ field, reason }) => `${field}: ${reason}`));
  return all.filter(({ field, reason }) => seen.delete(`${field}: ${reason}`));
}

function itemTitle(
  { variants }: StoreProduct,
  title: string,
  values: readonly string[],
  { store }: ItemOptions,
): string {
  return variants.length > 1 || store.namesOnlyVariant ? variantTitle(title, values) : title;
}

/** Leaves out what is not in the source: a field that an item does not name stays as it is. */
function statedMembers(members: Item): Item {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function cleanText(text: string | undefined, cleaner: Cleaner): string | undefined {
  return text === undefined ? undefined : cleaner.text(text);
}

/** A variant is visible at most as its product is, so nobody knows it without that. */
function statusOf(product: StoreProduct, variant: StoreVariant): StoreStatus | undefined {
  return product.status === 'ACTIVE'
    ? (variant.status ?? inherited(variant, 'storeStatus', product.status))
    : product.status;
}

function imagesOf({ product, variant, common }: ItemParts, options: ItemOptions): Item {
  const isFirst = options.variants === 'first';
  const own = variant.imageUrls?.map((url) => options.cleaner.line(url));
  const hasCommon = (common.imageUrls ?? []).length > 0 || isLeftOut(product, 'imageUrls');
  const imageUrls =
    isFirst && hasCommon
      ? common.imageUrls
      : (own ?? inherited(variant, 'imageUrls', common.imageUrls));
  const single = product.variants.length > 1 && !isFirst ? variant.imageUrl : undefined;
  const imageUrl = single ?? imageUrls?.[0] ?? null;
  return imageUrls === undefined && imageUrl === null ? {} : statedMembers({ imageUrls, imageUrl });
}

/** Not counted and out of stock is 0. Not counted and in stock is no number. A part of one is rounded down. */
function quantityOf(stock: Stock | undefined): number | undefined {
  if (stock === 'out of stock') return 0;
  return typeof stock === 'number' ? Math.floor(stock) : undefined;
}

/** The inventory of all variants. What several of them share counts once. */
function totalOf(variants: readonly StoreVariant[]): Stock | undefined {
  const shared = variants.find(({ sharesStock }) => sharesStock === true);
  const counted = variants.filter((one) => one.sharesStock !== true || one === shared);
  const stocks = counted.map(({ stock }) => stock);
  if (stocks.includes('in stock')) return 'in stock';
  const quantities = stocks.map((stock) => (typeof stock === 'number' ? stock : quantityOf(stock)));
  return quantities.includes(undefined)
    ? undefined
    : quantities.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}
