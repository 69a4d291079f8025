import { counted } from '../../../common/counted.ts';
import type { Cleaner } from './cleaner.ts';
import { slugInAnyScript, variantHandle, variantTitle } from './variant-names.ts';
import { distinct } from './findings.ts';
import type { JsonObject } from './json-values.ts';
import { digitsIn, scaled } from './numbers.ts';
import type { Prices } from './prices.ts';
import type { Store } from './store.ts';
import type { LeftOutField, Omission } from './source.ts';
import type {
  Stock,
  StoreDiscount,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from './store-product.ts';

/** A resource of the service that a part of a store describes: its item, or why it has none. */
export type Candidate = {
  /** What to call it, if it has no key: `row 12`. */
  readonly place: string;
  /** The fields that can identify it. */
  readonly keys: Readonly<Record<string, string | null | undefined>>;
} & (
  | { readonly item: JsonObject; readonly leftOut: readonly LeftOutField[] }
  | { readonly obstacle: Omission }
);

interface ItemOptions {
  readonly store: Store;
  readonly prices: Prices;
  readonly cleaner: Cleaner;
}

/**
 * Makes an item of each variant.
 * @param isFirst whether each product becomes one item, of its first variant with the inventory of all
 * @returns them, with sentences about what was not taken as it is
 */
export function productCandidates(
  products: readonly StoreProduct[],
  options: ItemOptions,
  isFirst: boolean,
): { readonly candidates: Candidate[]; readonly notes: string[] } {
  const { store, prices } = options;
  const candidates: Candidate[] = [];
  let [otherPrices, uncounted, reduced, roundedQuantities] = [0, 0, 0, 0];
  for (const one of products) {
    const product = cleaned(one, options);
    const { variants } = product;
    if (variants.length === 0) candidates.push(withoutVariants(product, isFirst));
    for (const variant of isFirst ? withoutOptions(product) : variants) {
      const candidate = candidateOf(product, variant, options);
      candidates.push(candidate);
      if ('obstacle' in candidate) continue;
      const { stock } = variant;
      if (typeof stock === 'number' && !Number.isInteger(stock)) roundedQuantities++;
      if (variant.hasOtherPrice) otherPrices++;
      if (stock === 'in stock') uncounted++;
      if (isFirst && variants.length > 1) reduced++;
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

export function couponCandidates(
  discounts: readonly StoreDiscount[],
  options: Pick<ItemOptions, 'store' | 'cleaner'>,
): { readonly candidates: Candidate[]; readonly notes: string[] } {
  let rounded = 0;
  const candidates = discounts.map(
    ({ place, id, obstacle, leftOut = [], ...discount }): Candidate => {
      const code = options.cleaner.key(lineOf(discount.code, options));
      const part = { place, keys: { code, storeDiscountId: id } };
      if (obstacle) return { ...part, obstacle };
      if (code === '') return { ...part, obstacle: { reason: 'it has no code' } };
      const { isActive, maxUses, currentUses, title } = discount;
      const percent = discount.percent === undefined ? undefined : inHundredths(discount.percent);
      if (percent?.isRounded === true) rounded++;
      const item = stated({
        code,
        discountPercent: percent?.value,
        active: isActive,
        maxUses,
        currentUses,
        storeDiscountId: id,
        description: title === undefined ? undefined : lineOf(title, options),
      });
      return { ...part, item, leftOut };
    },
  );
  const notes =
    rounded > 0
      ? [`${counted(rounded, 'percentage was', 'percentages were')} rounded to two decimals.`]
      : [];
  return { candidates, notes };
}

/** Rounds a percentage as prices are rounded. The service refuses what is none. */
function inHundredths(percent: number): { readonly value: number; readonly isRounded: boolean } {
  // 7.000000000000001, which is 100 times a fraction, is 7.
  const digits = digitsIn(percent.toFixed(8), 'plain');
  if (digits === undefined || digits.isNegative) return { value: percent, isRounded: false };
  const { value, isRounded } = scaled(digits, 2);
  return { value: value / 100, isRounded };
}

/** Leaves out what is not in the source: a field that an item does not name stays as it is. */
function stated(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** One line of a title or an option. */
function lineOf(text: string, { cleaner, store }: Pick<ItemOptions, 'store' | 'cleaner'>): string {
  return store.hasMarkup ? cleaner.withoutMarkup(text) : cleaner.line(text);
}

function cleaned(product: StoreProduct, options: ItemOptions): StoreProduct {
  const { cleaner } = options;
  const title = lineOf(product.title, options);
  const handle = handleOf(product, title, cleaner);
  return { ...product, ...cleanTexts(product, cleaner), title, handle };
}

/** Returns the clean texts that both a product and a variant may have. */
function cleanTexts(
  { description, imageUrls }: StoreProduct | StoreVariant,
  cleaner: Cleaner,
): Pick<StoreProduct, 'description' | 'imageUrls'> {
  return {
    description: description === undefined ? undefined : cleaner.text(description),
    imageUrls: imageUrls?.map((url) => cleaner.line(url)),
  };
}

/** One that is not known has no other in its place: that would be the key of another product. */
function handleOf({ handle }: StoreProduct, title: string, cleaner: Cleaner): string | undefined {
  if (handle === undefined) return undefined;
  return cleaner.handle(handle) || slugInAnyScript(title) || undefined;
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
    obstacle: obstacle ?? { reason: 'it has no variants' },
  };
}

/**
 * Returns what stands for a whole product: its first variant with the inventory of all, and with images of its own only if the
 * product has none. Of a product that cannot be taken, all variants, because all that the service has stays: which of them it has
 * in place of the product, nobody knows.
 */
function withoutOptions(product: StoreProduct): StoreVariant[] {
  const { variants, imageUrls = [] } = product;
  const obstacle = product.obstacle ?? variants.find((one) => one.obstacle)?.obstacle;
  const all = variants.map((one) => ({ ...one, options: [], obstacle }));
  const [first] = all;
  if (first === undefined || obstacle !== undefined) return all;
  const stock = totalOf(variants);
  const hasImages = imageUrls.length > 0 || isLeftOut(product, 'imageUrls');
  const unneeded = hasImages ? ['imageUrl', 'imageUrls'] : ['imageUrl'];
  return [
    {
      ...first,
      stock,
      imageUrl: undefined,
      imageUrls: hasImages ? undefined : first.imageUrls,
      leftOut: [
        ...(first.leftOut ?? []).filter(({ field }) => !unneeded.includes(field)),
        ...stocksLeftOut(variants, stock),
      ],
    },
  ];
}

function candidateOf(
  product: StoreProduct,
  variant: StoreVariant,
  options: ItemOptions,
): Candidate {
  const { cleaner, store, prices } = options;
  const { place, sku, stock, updatedAt } = variant;
  const { title, handle, variants } = product;
  const values = variant.options?.map((value) => lineOf(value, options));
  const keys = {
    handle: handle === undefined || !values ? undefined : variantHandle(handle, values),
    sku: sku === undefined || sku === null ? sku : cleaner.key(sku) || null,
    storeVariantId: variant.id,
    storeProductId: product.id,
  };
  const obstacle = product.obstacle ?? variant.obstacle;
  if (obstacle) return { place, keys, obstacle };
  // If there is none, the reader says why.
  const price = variant.price === undefined ? undefined : prices.read(cleaner.line(variant.price));
  const isNamed = variants.length > 1 || store.namesOnlyVariant;
  const own = cleanTexts(variant, cleaner);
  const imageUrls = own.imageUrls ?? inherited(variant, 'imageUrls', product.imageUrls);
  const first = imageUrls === undefined ? undefined : (imageUrls[0] ?? null);
  const item = stated({
    title: title === '' || !values ? undefined : isNamed ? variantTitle(title, values) : title,
    ...keys,
    description: own.description ?? inherited(variant, 'description', product.description),
    storeStatus: statusOf(product, variant),
    // Not counted and out of stock is 0. Not counted and in stock is no number. A part of one is rounded down.
    storeInventoryQuantity:
      stock === 'out of stock' ? 0 : typeof stock === 'number' ? Math.floor(stock) : undefined,
    sourceUpdatedAt: updatedAt ?? inherited(variant, 'sourceUpdatedAt', product.updatedAt),
    imageUrls,
    imageUrl:
      variants.length > 1 ? (variant.imageUrl ?? inherited(variant, 'imageUrl', first)) : first,
    // A number in another currency is another price.
    ...(typeof price === 'number' && { currencyCode: prices.currency, priceCents: price }),
    source: store.source,
  });
  const leftOut: LeftOutField[] = [
    ...(title === '' && ![product, variant].some((one) => isLeftOut(one, 'title'))
      ? [NO_TITLE]
      : []),
    ...(values ? [] : UNKNOWN_OPTIONS),
    ...(typeof price === 'object' ? [price] : []),
    ...leftOutOf(product, variant),
  ];
  // A value of the product may be that of its variant too.
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
function leftOutOf(product: StoreProduct, variant: StoreVariant): LeftOutField[] {
  const { description, imageUrls, updatedAt: sourceUpdatedAt } = variant;
  const own: JsonObject = { description, imageUrls, sourceUpdatedAt };
  const isHidden = product.status !== undefined && product.status !== 'ACTIVE';
  const unneeded = [
    ...(isHidden ? ['storeStatus'] : []),
    ...(product.variants.length > 1 ? [] : ['imageUrl']),
  ];
  return [
    ...(product.leftOut ?? []).filter(({ field }) => own[field] === undefined),
    ...(variant.leftOut ?? []).filter(({ field }) => !unneeded.includes(field)),
  ];
}

/** What the inventory of all variants lacks besides that of the first one. */
function stocksLeftOut(
  variants: readonly StoreVariant[],
  total: Stock | undefined,
): LeftOutField[] {
  const field = 'storeInventoryQuantity';
  const isCounted = variants.some(({ stock }) => stock !== undefined);
  return variants.flatMap(({ place, stock, leftOut = [] }, index) => {
    const odd = leftOut.filter((one) => one.field === field);
    const isLacking = total === undefined && stock === undefined && odd.length === 0;
    if (isLacking && isCounted) return [{ field, reason: `${place} has none` }];
    return index === 0 ? [] : odd.map(({ reason }) => ({ field, reason: `${place}: ${reason}` }));
  });
}

/** A variant is visible at most as its product is, so nobody knows it without that. */
function statusOf(product: StoreProduct, variant: StoreVariant): StoreStatus | undefined {
  return product.status === 'ACTIVE'
    ? (variant.status ?? inherited(variant, 'storeStatus', product.status))
    : product.status;
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
