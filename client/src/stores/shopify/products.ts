import type { Stock, StoreProduct, StoreStatus, StoreVariant } from '../store-product.ts';
import { typeOf } from './ids.ts';
import type { JsonObject, PlacedObject } from '../json-values.ts';
import { isWritten, numberOf, objectOf, objectsOf, textOf, writtenOf } from '../json-values.ts';
import { Values } from '../values.ts';

/** A product or a variant with the members of the GraphQL API, and what it shows. */
interface ShopifyNode extends PlacedObject {
  /** Undefined if nobody asked for it. */
  readonly media: readonly JsonObject[] | undefined;
}

/** The statuses of products. GraphQL writes them in capitals, REST and CSV in small letters. */
export const STATUSES: ReadonlyMap<string, StoreStatus> = new Map([
  ['active', 'ACTIVE'],
  ['archived', 'ARCHIVED'],
  ['draft', 'DRAFT'],
  ['unlisted', 'UNLISTED'],
]);

/** What Shopify calls the only variant of a product without options. */
export const DEFAULT_TITLE = 'Default Title';

/** Returns the product that a node and those of its variants describe. */
export function productOf(node: ShopifyNode, variants: readonly ShopifyNode[]): StoreProduct {
  const { place, object: product } = node;
  const values = new Values();
  return {
    place,
    id: textOf(product['id']),
    handle: values.filledText('handle', product['handle']),
    title: values.text('title', product['title']) ?? '',
    description: values.text('description', product['descriptionHtml'] ?? product['bodyHtml']),
    status: values.word('storeStatus', product['status'], STATUSES),
    imageUrls: imagesOf(node, values),
    updatedAt: values.time('sourceUpdatedAt', product['updatedAt']),
    variants: variants.map((one) => variantOf(one, product, variants.length)),
    leftOut: values.leftOut,
    obstacle: variants.length === 0 ? { reason: 'its variants are missing' } : undefined,
  };
}

function variantOf(
  { place, object: variant, media }: ShopifyNode,
  product: JsonObject,
  count: number,
): StoreVariant {
  const values = new Values();
  const nodes = objectsOf(objectOf(variant['media'])['nodes']);
  const [own = { image: variant['image'] ?? null }] = [...(media ?? []), ...nodes];
  return {
    place,
    id: textOf(variant['id']),
    sku: values.sku(variant),
    options: product['hasOnlyDefaultVariant'] === true ? [] : optionsOf(variant, count),
    price: values.price(variant['price']),
    hasOtherPrice: writtenOf(variant['compareAtPrice']) !== '',
    stock: stockOf(variant, values),
    imageUrl: urlsOf('imageUrl', [own], values)?.[0],
    leftOut: values.leftOut,
  };
}

/** Returns undefined if one of them cannot be read. */
function optionsOf(variant: JsonObject, count: number): string[] | undefined {
  const { selectedOptions: selected } = variant;
  const values = objectsOf(selected).map(({ value }) => value);
  const isRead = Array.isArray(selected) && selected.length === values.length;
  if (selected != null && !(isRead && values.every(isWritten))) return undefined;
  // The title of a variant is made of its values.
  const all = values.length > 0 ? values.map(writtenOf) : writtenOf(variant['title']).split(' / ');
  return count === 1 && all.join('') === DEFAULT_TITLE ? [] : all;
}

function stockOf(variant: JsonObject, values: Values): Stock | undefined {
  const { inventoryItem, inventoryQuantity: quantity } = variant;
  if (objectOf(inventoryItem)['tracked'] === false || quantity === null) return 'in stock';
  return values.quantity('storeInventoryQuantity', quantity);
}

/** Returns all images of a product, first the main one; undefined, so that they stay, if one of them is missing. */
function imagesOf({ object: product, media }: ShopifyNode, values: Values): string[] | undefined {
  if (media === undefined) return undefined;
  const count = numberOf(objectOf(product['mediaCount'])['count']) ?? 0;
  if (media.length < count) {
    const reason = `the shop counts ${count} images and videos, and gives ${media.length}: look at those of the product in its admin`;
    values.leaveOut({ field: 'imageUrls', reason });
    return undefined;
  }
  const main = imageIn(objectOf(product['featuredMedia']));
  const urls = urlsOf('imageUrls', media, values);
  return urls && [...new Set([...(main ? [main] : []), ...urls])];
}

/** Returns the addresses of the images among what is shown; undefined if one cannot be read. */
function urlsOf(field: string, media: readonly JsonObject[], values: Values): string[] | undefined {
  const urls = media.map(imageIn);
  const odd = media[urls.indexOf(undefined)];
  const found = odd === undefined ? urls.filter((url) => typeof url === 'string') : undefined;
  return values.read('an image with an address', field, odd, found);
}

/** Returns the address of an image; null if it is a video, or not ready or failed; undefined if it cannot be read. */
function imageIn(medium: JsonObject): string | null | undefined {
  // An image that is no medium is one of the older kinds.
  const { image = medium } = medium;
  const type = typeOf(medium);
  if (image === null || (type !== undefined && !type.includes('Image'))) return null;
  const { url, originalSrc, src } = objectOf(image);
  return textOf(url ?? originalSrc ?? src);
}

/** The types of what a product shows besides images. */
const NO_IMAGES: ReadonlySet<unknown> = new Set(['Video', 'ExternalVideo', 'Model3d']);

/** Whether an object is of what a product or a variant shows. */
export function isMedium(object: JsonObject): boolean {
  const type = typeOf(object);
  return type === 'MediaImage' || NO_IMAGES.has(type) || typeof imageIn(object) === 'string';
}
