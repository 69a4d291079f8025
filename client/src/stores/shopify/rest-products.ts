import type {
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
  Stock,
} from '../store-product.ts';
import { gid } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json.ts';
import { numberOf, objectOf, objectsOf, textOf, writtenOf } from '../json.ts';
import { Values } from '../values.ts';
import { DEFAULT_TITLE, STATUSES } from './statuses.ts';

/** Whether an object is a product of the REST API: it has its variants, and numbers as ids. */
export function isRestProduct(value: JsonObject): boolean {
  return Array.isArray(value['variants']) && 'title' in value && !isGraphql(value);
}

function isGraphql({ id }: JsonObject): boolean {
  return typeof id === 'string' && id.startsWith('gid:');
}

/** Reads a list of the REST API. */
export function readRestProducts(products: readonly PlacedObject[]): StoreContent {
  return {
    products: products.map(productOf),
    discounts: [],
    doubts: products.some(({ object }) => isOfStorefront(object)) ? [STOREFRONT] : [],
    notes: [],
  };
}

const STOREFRONT =
  'The list is that of the storefront, which has only what is published. Use --from shopify for the whole catalogue.';

/** Whether a product is from the list of the storefront, which says whether a variant can be bought, and no number. */
function isOfStorefront(product: JsonObject): boolean {
  return objectsOf(product['variants']).some(hasNoNumber);
}

function hasNoNumber(variant: JsonObject): boolean {
  return 'available' in variant && !('inventory_quantity' in variant);
}

const OPTIONS = ['option1', 'option2', 'option3'] as const;

function productOf({ place, object: product }: PlacedObject): StoreProduct {
  const variants = objectsOf(product['variants']);
  const values = new Values();
  const images = imagesOf(product, values);
  const optionCount = optionCountOf(variants);
  return {
    place,
    id: idOf('Product', product),
    handle: values.filledText('handle', product['handle']),
    title: values.text('title', product['title']) ?? '',
    description:
      product['body_html'] === null ? '' : values.text('description', product['body_html']),
    status: restStatus(product, values),
    imageUrls: images && [...new Set(images.map(({ url }) => url))],
    updatedAt: values.text('sourceUpdatedAt', product['updated_at']),
    leftOut: values.leftOut,
    variants: variants.map((variant) => variantOf(variant, optionCount, images ?? [], place)),
    obstacle: obstacleOf(product, variants),
  };
}

function obstacleOf(
  product: JsonObject,
  variants: readonly JsonObject[],
): StoreProduct['obstacle'] {
  if (variants.length === 0) return { reason: 'its variants are missing', kind: 'problem' };
  const inexact = [product, ...variants].find(
    (one) => typeof one['id'] === 'number' && !Number.isSafeInteger(one['id']),
  );
  if (inexact === undefined || textOf(inexact['admin_graphql_api_id']) !== undefined) return;
  return { reason: 'its id is a number that is not exact', kind: 'problem' };
}

function idOf(type: string, object: JsonObject): string | undefined {
  return textOf(object['admin_graphql_api_id']) ?? gid(type, object['id']);
}

function restStatus(product: JsonObject, values: Values): StoreStatus | undefined {
  if ('status' in product) return values.word('storeStatus', product['status'], STATUSES);
  // Before 2020, a product was published or it was not.
  if (!('published_at' in product)) return undefined;
  return product['published_at'] === null ? 'DRAFT' : 'ACTIVE';
}

interface Image {
  readonly id: unknown;
  readonly url: string;
}

function imagesOf(product: JsonObject, values: Values): Image[] | undefined {
  return values
    .objects('imageUrls', product['images'])
    ?.toSorted((a, b) => (numberOf(a['position']) ?? 0) - (numberOf(b['position']) ?? 0))
    .flatMap(({ id, src }) => {
      const url = values.text('imageUrls', src);
      return url === undefined ? [] : [{ id, url }];
    });
}

/** A product has as many options as the last one that a variant has a value of. */
function optionCountOf(variants: readonly JsonObject[]): number {
  const [only, second] = variants;
  if (second === undefined && only?.['option1'] === DEFAULT_TITLE) return 0;
  return [3, 2, 1].find((count) => variants.some((one) => one[`option${count}`] != null)) ?? 0;
}

function variantOf(
  variant: JsonObject,
  optionCount: number,
  images: readonly Image[],
  place: string,
): StoreVariant {
  const image = images.find(({ id }) => id === variant['image_id'] && id != null);
  const values = new Values();
  return {
    place,
    id: idOf('ProductVariant', variant),
    sku: values.sku(variant),
    options: optionsOf(variant, optionCount),
    price: values.price(variant['price']),
    hasOtherPrice: writtenOf(variant['compare_at_price']) !== '',
    stock: stockOf(variant, values),
    leftOut: values.leftOut,
    imageUrl: image?.url ?? textOf(objectOf(variant['featured_image'])['src']),
  };
}

/** Returns undefined if one of them cannot be read. */
function optionsOf(variant: JsonObject, optionCount: number): string[] | undefined {
  const values = OPTIONS.slice(0, optionCount).map((name) => variant[name] ?? '');
  return values.every((value) => typeof value === 'string' || typeof value === 'number')
    ? values.map(String)
    : undefined;
}

function stockOf(variant: JsonObject, values: Values): Stock | undefined {
  if (variant['inventory_management'] === null) return 'in stock';
  if (hasNoNumber(variant)) return variant['available'] === false ? 'out of stock' : 'in stock';
  return values.quantity('storeInventoryQuantity', variant['inventory_quantity']);
}
