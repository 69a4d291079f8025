import type { Candidate, Result } from './candidates.ts';
import { problem } from './candidates.ts';
import type { Cleaner } from './clean.ts';
import { variantHandle, variantTitle } from './handles.ts';
import type { Prices } from './prices.ts';
import { slugInAnyScript } from './slug.ts';
import type {
  Stock,
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
} from './store-product.ts';
import type { Item } from './source.ts';

/** How to make items of the products of a store. */
export interface ItemOptions {
  readonly format: StoreContent['format'];
  readonly source: string;
  readonly currency: string;
  readonly prices: Prices;
  readonly cleaner: Cleaner;
  readonly variants: 'all' | 'first';
}

/** What was made of the products of a store. */
export interface Made {
  readonly candidates: readonly Candidate[];
  /** How many items have another price, which is not read. */
  readonly otherPrices: number;
  /** How many items have no inventory because the store does not count it. */
  readonly uncounted: number;
  /** How many products have more variants than the one that is read. */
  readonly reduced: number;
}

/** Makes an item of each variant, or of each product if only its first variant is read. */
export function candidatesOf(products: readonly StoreProduct[], options: ItemOptions): Made {
  const candidates: Candidate[] = [];
  let [otherPrices, uncounted, reduced] = [0, 0, 0];
  for (const product of products) {
    const { variants } = product;
    const common = commonOf(product, options);
    if (variants.length === 0) candidates.push(withoutVariants(product, common));
    const isReduced = options.variants === 'first' && variants.length > 1;
    for (const variant of options.variants === 'first' ? variants.slice(0, 1) : variants) {
      const stock = isReduced ? totalOf(variants) : variant.stock;
      const candidate = candidateOf(product, variant, stock, common, options);
      candidates.push(candidate);
      if ('obstacle' in candidate.result) continue;
      if (variant.hasOtherPrice) otherPrices++;
      if (stock === 'in stock') uncounted++;
      if (isReduced) reduced++;
    }
  }
  return { candidates, otherPrices, uncounted, reduced };
}

/** What the variants of a product have in common, with clean texts. */
interface Common {
  readonly title: string;
  readonly handle: string | null;
  readonly description: string | undefined;
  readonly imageUrls: readonly string[] | undefined;
  readonly isForeign: boolean;
}

function commonOf(product: StoreProduct, { cleaner }: ItemOptions): Common {
  const { description, imageUrls, obstacle } = product;
  const title = cleaner.plain(product.title);
  const handle = cleaner.line(product.handle ?? '') || slugInAnyScript(title);
  return {
    title,
    handle: handle === '' ? null : handle,
    description: description === undefined ? undefined : cleaner.text(description),
    imageUrls: imageUrls?.map((url) => cleaner.line(url)),
    isForeign: obstacle?.kind === 'unsupported',
  };
}

function withoutVariants({ place, id, obstacle }: StoreProduct, common: Common): Candidate {
  const { handle, isForeign } = common;
  const keys = { handle, storeProductId: id };
  const result = obstacle ? { obstacle } : problem('it has no variants');
  return { place, keys, result, isForeign };
}

function candidateOf(
  product: StoreProduct,
  variant: StoreVariant,
  stock: Stock | undefined,
  common: Common,
  options: ItemOptions,
): Candidate {
  const { cleaner } = options;
  const isFirst = options.variants === 'first';
  const values = isFirst ? [] : variant.options.map((value) => cleaner.plain(value));
  const { sku } = variant;
  const keys = {
    handle: common.handle === null ? null : variantHandle(common.handle, values),
    sku: sku === undefined || sku === null ? sku : cleaner.line(sku) || null,
    storeVariantId: variant.id,
    storeProductId: product.id,
  };
  const result = resultOf(product, variant, options, common, (priceCents) => ({
    title: isNamed(product, options) ? variantTitle(common.title, values) : common.title,
    ...(keys.handle !== null && { handle: keys.handle }),
    ...statedMembers({
      sku: keys.sku,
      storeVariantId: keys.storeVariantId,
      storeProductId: keys.storeProductId,
      description: cleanText(variant.description, cleaner) ?? common.description,
      storeStatus: statusOf(product.status, variant.status),
      storeInventoryQuantity: quantityOf(stock),
      sourceUpdatedAt: variant.updatedAt ?? product.updatedAt,
    }),
    ...imagesOf(product, variant, common, options),
    currencyCode: options.currency,
    source: options.source,
    priceCents,
  }));
  return { place: variant.place, keys, result, isForeign: common.isForeign };
}

/** @param make makes the item, with a price in minor units */
function resultOf(
  { variants, ...product }: StoreProduct,
  variant: StoreVariant,
  options: ItemOptions,
  common: Common,
  make: (priceCents: number) => Item,
): Result {
  // The inventory of all variants counts, if only the first one is read.
  const read = options.variants === 'first' ? variants : [variant];
  const obstacle = product.obstacle ?? read.find((one) => one.obstacle !== undefined)?.obstacle;
  if (obstacle) return { obstacle };
  if (common.title === '') return problem('it has no title');
  const price = options.prices.read(variant.price.trim());
  return typeof price === 'number' ? { item: make(price) } : { obstacle: price };
}

/** Whether the title names the variant. WooCommerce names a variation even if it is the only one. */
function isNamed({ variants }: StoreProduct, { format }: ItemOptions): boolean {
  return variants.length > 1 || format === 'woocommerce';
}

/** Leaves out what is not in the source: a field that an item does not name stays as it is. */
function statedMembers(members: Item): Item {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function cleanText(text: string | undefined, cleaner: Cleaner): string | undefined {
  return text === undefined ? undefined : cleaner.text(text);
}

/** A variant is visible at most as its product is. */
function statusOf(
  product: StoreStatus | undefined,
  variant: StoreStatus | undefined,
): StoreStatus | undefined {
  return product === undefined || product === 'ACTIVE' ? (variant ?? product) : product;
}

function imagesOf(
  { variants }: StoreProduct,
  variant: StoreVariant,
  common: Common,
  options: ItemOptions,
): Item {
  const isFirst = options.variants === 'first';
  const own = variant.imageUrls?.map((url) => options.cleaner.line(url));
  const hasCommon = (common.imageUrls ?? []).length > 0;
  const imageUrls = isFirst && hasCommon ? common.imageUrls : (own ?? common.imageUrls);
  const single = variants.length > 1 && !isFirst ? variant.imageUrl : undefined;
  const imageUrl = single ?? imageUrls?.[0] ?? null;
  return imageUrls === undefined && imageUrl === null ? {} : statedMembers({ imageUrls, imageUrl });
}

/** Not counted and out of stock is 0. Not counted and in stock is no number. */
function quantityOf(stock: Stock | undefined): number | undefined {
  if (stock === 'out of stock') return 0;
  return stock === 'in stock' ? undefined : stock;
}

/** The inventory of all variants. What several of them share counts once. */
function totalOf(variants: readonly StoreVariant[]): Stock | undefined {
  const shared = variants.find(({ sharesStock }) => sharesStock === true);
  const counted = variants.filter((one) => one.sharesStock !== true || one === shared);
  const stocks = counted.map(({ stock }) => stock);
  if (stocks.includes('in stock')) return 'in stock';
  const quantities = stocks.map(quantityOf);
  return quantities.includes(undefined)
    ? undefined
    : quantities.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}
