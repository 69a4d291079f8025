import { counted } from '../../../common/counted.ts';
import type { Candidate } from './candidates.ts';
import type { Cleaner } from './clean.ts';
import { slugInAnyScript, variantHandle, variantTitle } from './handles.ts';
import type { JsonObject } from './json.ts';
import type { Prices } from './prices.ts';
import type { Store } from './store.ts';
import type {
  LeftOutField,
  Stock,
  StoreDiscount,
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
  /** Whether each product becomes one item, which is its first variant with the inventory of all. */
  readonly isFirst: boolean;
}

/**
 * Makes an item of each variant, or of each product if only its first variant is read.
 * @returns them, with sentences about what was not taken as it is
 */
export function productCandidates(
  products: readonly StoreProduct[],
  options: ItemOptions,
): { readonly candidates: Candidate[]; readonly notes: string[] } {
  const { store, prices, isFirst } = options;
  const candidates: Candidate[] = [];
  let [otherPrices, uncounted, reduced, roundedQuantities] = [0, 0, 0, 0];
  for (const one of products) {
    const product = cleaned(one, options);
    const { variants, obstacle } = product;
    if (variants.length === 0) candidates.push(withoutVariants(product, isFirst));
    const isReduced = isFirst && variants.length > 1;
    // Of what cannot be taken, all that the service has stays.
    for (const variant of isFirst && !obstacle ? variants.slice(0, 1) : variants) {
      const stock = isReduced ? totalOf(variants) : variant.stock;
      const candidate = candidateOf({ product, variant, stock }, options);
      candidates.push(candidate);
      if ('obstacle' in candidate) continue;
      if (typeof stock === 'number' && !Number.isInteger(stock)) roundedQuantities++;
      if (variant.hasOtherPrice) otherPrices++;
      if (stock === 'in stock') uncounted++;
      if (isReduced) reduced++;
    }
  }
  const { otherPrice } = store;
  const notes = [
    prices.rounded > 0 &&
      `${counted(prices.rounded, 'price was', 'prices were')} rounded to the decimals of the currency.`,
    roundedQuantities > 0 &&
      `${counted(roundedQuantities, 'quantity was', 'quantities were')} rounded down to a whole number.`,
    otherPrices > 0 &&
      `${counted(otherPrices, `${otherPrice} was`, `${otherPrice}s were`)} left out.`,
    uncounted > 0 &&
      `The store does not count the stock of ${counted(uncounted, 'product')}, so it was left out.`,
    reduced > 0 && `Only the first variant of ${counted(reduced, 'product')} was read.`,
  ];
  return { candidates, notes: notes.filter((note) => note !== false) };
}

/** Makes an item of each discount code. */
export function couponCandidates(
  discounts: readonly StoreDiscount[],
  options: Pick<ItemOptions, 'store' | 'cleaner'>,
): Candidate[] {
  return discounts.map(({ place, id, obstacle, leftOut = [], ...discount }) => {
    const code = lineOf(discount.code, options);
    const part = { place, keys: { code, storeDiscountId: id } };
    if (obstacle) return { ...part, obstacle };
    if (code === '') return { ...part, obstacle: { reason: 'it has no code', kind: 'problem' } };
    const { percent, isActive, maxUses, currentUses, title } = discount;
    const item = stated({
      code,
      // 7.000000000000001, which is 100 times a fraction, is 7.
      discountPercent: percent === undefined ? undefined : Number(percent.toFixed(8)),
      active: isActive,
      maxUses,
      currentUses,
      storeDiscountId: id,
      description: title === undefined ? undefined : lineOf(title, options),
    });
    return { ...part, item, leftOut };
  });
}

/** Leaves out what is not in the source: a field that an item does not name stays as it is. */
function stated(members: Item): Item {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** One line of a title or an option. */
function lineOf(text: string, { cleaner, store }: Pick<ItemOptions, 'store' | 'cleaner'>): string {
  return store.hasMarkup ? cleaner.withoutMarkup(text) : cleaner.line(text);
}

/** Returns a product with clean texts of its own. Its handle is undefined if nobody knows it. */
function cleaned(product: StoreProduct, options: ItemOptions): StoreProduct {
  const { cleaner } = options;
  const title = lineOf(product.title, options);
  return {
    ...product,
    title,
    handle: handleOf(product, title, cleaner),
    description: product.description === undefined ? undefined : cleaner.text(product.description),
    imageUrls: product.imageUrls?.map((url) => cleaner.line(url)),
  };
}

/** One that is not known has no other in its place: that would be the key of another product. */
function handleOf({ handle }: StoreProduct, title: string, cleaner: Cleaner): string | undefined {
  if (handle === undefined) return undefined;
  return cleaner.line(handle) || slugInAnyScript(title) || undefined;
}

function withoutVariants(
  { place, id, handle, obstacle }: StoreProduct,
  isFirst: boolean,
): Candidate {
  // Nobody knows the handles of variants that are missing.
  const hasHandle = isFirst || obstacle?.kind === 'unsupported';
  return {
    place,
    keys: { handle: hasHandle ? handle : null, storeProductId: id },
    obstacle: obstacle ?? { reason: 'it has no variants', kind: 'problem' },
  };
}

/** What becomes one item. */
interface ItemParts {
  readonly product: StoreProduct;
  readonly variant: StoreVariant;
  readonly stock: Stock | undefined;
}

function candidateOf(parts: ItemParts, options: ItemOptions): Candidate {
  const { product, variant, stock } = parts;
  const { cleaner, store, prices, isFirst } = options;
  const { place, sku, description, updatedAt } = variant;
  const { title, handle } = product;
  const values = isFirst ? [] : variant.options?.map((value) => lineOf(value, options));
  const keys = {
    handle: handle === undefined || !values ? undefined : variantHandle(handle, values),
    sku: sku === undefined || sku === null ? sku : cleaner.line(sku) || null,
    storeVariantId: variant.id,
    storeProductId: product.id,
  };
  // The inventory of all variants counts, if only the first one is read.
  const read = isFirst ? product.variants : [variant];
  const obstacle = product.obstacle ?? read.find((one) => one.obstacle)?.obstacle;
  if (obstacle) return { place, keys, obstacle };
  // If there is none, the reader says why.
  const price = variant.price === undefined ? undefined : prices.read(cleaner.line(variant.price));
  const isNamed = product.variants.length > 1 || store.namesOnlyVariant;
  const item = stated({
    title: title === '' || !values ? undefined : isNamed ? variantTitle(title, values) : title,
    ...keys,
    description:
      description === undefined
        ? inherited(variant, 'description', product.description)
        : cleaner.text(description),
    storeStatus: statusOf(product, variant),
    // Not counted and out of stock is 0. Not counted and in stock is no number. A part of one is rounded down.
    storeInventoryQuantity:
      stock === 'out of stock' ? 0 : typeof stock === 'number' ? Math.floor(stock) : undefined,
    sourceUpdatedAt: updatedAt ?? inherited(variant, 'sourceUpdatedAt', product.updatedAt),
    ...imagesOf(parts, options),
    // A number in another currency is another price.
    ...(typeof price === 'number' && { currencyCode: prices.currency, priceCents: price }),
    source: store.source,
  });
  const leftOut: LeftOutField[] = [
    ...(title === '' && !isLeftOut(product, 'title') ? [NO_TITLE] : []),
    ...(values ? [] : UNKNOWN_OPTIONS),
    ...(typeof price === 'object' ? [{ field: 'priceCents', ...price }] : []),
    ...leftOutOf(parts, isFirst),
  ];
  return { place, keys, item, leftOut: distinct(leftOut) };
}

const NO_TITLE: LeftOutField = { field: 'title', reason: 'it has none' };

const UNKNOWN_OPTIONS = ['title', 'handle'].map((field) => ({
  field,
  reason: 'an option of the variant cannot be read',
}));

/** Whether there is a value of a field that cannot be read. */
function isLeftOut({ leftOut = [] }: StoreProduct | StoreVariant, name: string): boolean {
  return leftOut.some(({ field }) => field === name);
}

/** What a variant without a value of its own has of its product. One that cannot be read is none of that. */
function inherited<T>(variant: StoreVariant, field: string, common: T): T | undefined {
  return isLeftOut(variant, field) ? undefined : common;
}

/** What cannot be read and would be taken: nobody needs what is the product's if a variant has its own, or the reverse. */
function leftOutOf(parts: ItemParts, isFirst: boolean): LeftOutField[] {
  const { product, variant } = parts;
  const { description, imageUrls, updatedAt: sourceUpdatedAt } = variant;
  const own: JsonObject = { description, sourceUpdatedAt, ...(!isFirst && { imageUrls }) };
  const isHidden = product.status !== undefined && product.status !== 'ACTIVE';
  const unneeded = [
    ...(isHidden ? ['storeStatus'] : []),
    ...(takesOwnImage(product, isFirst) ? [] : ['imageUrl']),
  ];
  return [
    ...(product.leftOut ?? []).filter(({ field }) => own[field] === undefined),
    ...(variant.leftOut ?? []).filter(({ field }) => !unneeded.includes(field)),
    ...(isFirst ? stocksLeftOut(parts) : []),
  ];
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

/** A value of the product may be that of its variant too. */
function distinct(all: readonly LeftOutField[]): LeftOutField[] {
  const seen = new Set(all.map(({ field, reason }) => `${field}: ${reason}`));
  return all.filter(({ field, reason }) => seen.delete(`${field}: ${reason}`));
}

/** A variant is visible at most as its product is, so nobody knows it without that. */
function statusOf(product: StoreProduct, variant: StoreVariant): StoreStatus | undefined {
  return product.status === 'ACTIVE'
    ? (variant.status ?? inherited(variant, 'storeStatus', product.status))
    : product.status;
}

function imagesOf({ product, variant }: ItemParts, { cleaner, isFirst }: ItemOptions): Item {
  const own = variant.imageUrls?.map((url) => cleaner.line(url));
  const hasCommon = (product.imageUrls ?? []).length > 0 || isLeftOut(product, 'imageUrls');
  const imageUrls =
    isFirst && hasCommon
      ? product.imageUrls
      : (own ?? inherited(variant, 'imageUrls', product.imageUrls));
  const first = imageUrls && (imageUrls[0] ?? null);
  const imageUrl = takesOwnImage(product, isFirst)
    ? (variant.imageUrl ?? inherited(variant, 'imageUrl', first))
    : first;
  return { imageUrls, imageUrl };
}

/** Whether a variant shows its own image, in place of the first one of its product. */
function takesOwnImage({ variants }: StoreProduct, isFirst: boolean): boolean {
  return variants.length > 1 && !isFirst;
}

/** The inventory of all variants. What several of them share counts once. */
function totalOf(variants: readonly StoreVariant[]): Stock | undefined {
  const shared = variants.find(({ sharesStock }) => sharesStock === true);
  const stocks = variants
    .filter((one) => one.sharesStock !== true || one === shared)
    .map(({ stock }) => (stock === 'out of stock' ? 0 : stock));
  if (stocks.includes('in stock')) return 'in stock';
  const total = stocks.reduce<number>((sum, stock) => sum + Number(stock ?? NaN), 0);
  return Number.isNaN(total) ? undefined : total;
}
