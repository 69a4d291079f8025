import type {
  StoreContent,
  StoreProduct,
  StoreStatus,
  StoreVariant,
  Stock,
} from '../store-product.ts';
import { gid } from './ids.ts';
import type { JsonObject } from '../json-values.ts';
import { numberOf, objectOf, objectsOf, textOf, writtenOf } from '../members.ts';
import { DEFAULT_TITLE, statusOf } from './statuses.ts';

/** Whether an object is a product of the REST API: it has its variants, and numbers as ids. */
export function isRestProduct(value: JsonObject): boolean {
  return Array.isArray(value['variants']) && 'title' in value && !isGraphql(value);
}

function isGraphql({ id }: JsonObject): boolean {
  return typeof id === 'string' && id.startsWith('gid:');
}

/** Reads a list of the REST API. @param products each with its place, such as `item 3` */
export function readRestProducts(
  products: readonly { readonly place: string; readonly product: JsonObject }[],
): StoreContent {
  return {
    format: 'shopify',
    products: products.map(({ place, product }) => productOf(product, place)),
    discounts: [],
    doubts: [],
    notes: [],
  };
}

const OPTIONS = ['option1', 'option2', 'option3'] as const;

function productOf(product: JsonObject, place: string): StoreProduct {
  const variants = objectsOf(product['variants']);
  const images = imagesOf(product);
  const optionCount = optionCountOf(variants);
  return {
    place,
    id: idOf('Product', product),
    handle: textOf(product['handle']),
    title: textOf(product['title']) ?? '',
    description: product['body_html'] === null ? '' : textOf(product['body_html']),
    status: restStatus(product),
    imageUrls: images && [...new Set(images.map(({ url }) => url))],
    updatedAt: textOf(product['updated_at']),
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

function restStatus(product: JsonObject): StoreStatus | undefined {
  if ('status' in product) return statusOf(product['status']);
  // Before 2020, a product was published or it was not.
  if (!('published_at' in product)) return undefined;
  return product['published_at'] === null ? 'DRAFT' : 'ACTIVE';
}

interface Image {
  readonly id: unknown;
  readonly url: string;
}

function imagesOf(product: JsonObject): Image[] | undefined {
  if (!Array.isArray(product['images'])) return undefined;
  return objectsOf(product['images'])
    .sort((a, b) => (numberOf(a['position']) ?? 0) - (numberOf(b['position']) ?? 0))
    .flatMap(({ id, src }) => (typeof src === 'string' ? [{ id, url: src }] : []));
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
  return {
    place,
    id: idOf('ProductVariant', variant),
    sku: 'sku' in variant ? textOf(variant['sku']) || null : undefined,
    options: OPTIONS.slice(0, optionCount).map((name) => textOf(variant[name]) ?? ''),
    price: writtenOf(variant['price']),
    hasOtherPrice: writtenOf(variant['compare_at_price']) !== '',
    stock: stockOf(variant),
    imageUrl: image?.url ?? textOf(objectOf(variant['featured_image'])['src']),
  };
}

function stockOf(variant: JsonObject): Stock | undefined {
  if (variant['inventory_management'] === null) return 'in stock';
  const quantity = variant['inventory_quantity'];
  return typeof quantity === 'number' ? quantity : undefined;
}
