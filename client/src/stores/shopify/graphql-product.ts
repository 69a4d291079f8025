import type { StoreProduct, StoreVariant, Stock } from '../store-product.ts';
import { numberIn, typeIn } from './ids.ts';
import type { JsonObject } from '../json-values.ts';
import { numberOf, objectOf, objectsOf, textOf, writtenOf } from '../members.ts';
import { DEFAULT_TITLE, statusOf } from './statuses.ts';

/** A product of the GraphQL API, with what belongs to it. */
export interface ProductNode {
  readonly place: string;
  readonly product: JsonObject;
  readonly variants: readonly VariantNode[];
  /** Undefined if nobody asked for images. */
  readonly imageUrls: readonly string[] | undefined;
}

/** A variant of the GraphQL API, with the first of its images. */
export interface VariantNode {
  readonly place: string;
  readonly variant: JsonObject;
  readonly imageUrl: string | undefined;
}

/** Returns the product of a store that a product of the GraphQL API describes. */
export function productOf({ place, product, variants, imageUrls }: ProductNode): StoreProduct {
  const title = textOf(product['title']) ?? '';
  return {
    place,
    id: textOf(product['id']),
    handle: textOf(product['handle']),
    title,
    description: textOf(product['descriptionHtml']) ?? textOf(product['bodyHtml']),
    status: statusOf(product['status']),
    imageUrls,
    updatedAt: textOf(product['updatedAt']),
    variants: variants.map((one) => variantOf(one, product, variants.length)),
    obstacle: obstacleOf(title, variants.length),
  };
}

function obstacleOf(title: string, count: number): StoreProduct['obstacle'] {
  if (title === '') return { reason: 'it has no title', kind: 'problem' };
  if (count === 0) return { reason: 'its variants are missing', kind: 'problem' };
  return undefined;
}

function variantOf(
  { place, variant, imageUrl }: VariantNode,
  product: JsonObject,
  count: number,
): StoreVariant {
  return {
    place,
    id: textOf(variant['id']),
    sku: 'sku' in variant ? textOf(variant['sku']) || null : undefined,
    options: product['hasOnlyDefaultVariant'] === true ? [] : optionsOf(variant, count),
    price: writtenOf(variant['price']),
    hasOtherPrice: writtenOf(variant['compareAtPrice']) !== '',
    stock: stockOf(variant),
    imageUrl: imageUrl ?? imageIn(objectsOf(objectOf(variant['media'])['nodes'])[0] ?? variant),
  };
}

function optionsOf(variant: JsonObject, count: number): string[] {
  const values = objectsOf(variant['selectedOptions']).map(({ value }) => textOf(value) ?? '');
  // The title of a variant is made of its values.
  const all = values.length > 0 ? values : (textOf(variant['title']) ?? '').split(' / ');
  return count === 1 && all.join('') === DEFAULT_TITLE ? [] : all;
}

function stockOf(variant: JsonObject): Stock | undefined {
  const { inventoryItem, inventoryQuantity: quantity } = variant;
  if (objectOf(inventoryItem)['tracked'] === false || quantity === null) return 'in stock';
  return numberOf(quantity);
}

/** Returns the address of an image: of a medium, which has none until it is ready, or of one of the older kinds. */
export function imageIn(value: JsonObject): string | undefined {
  const image = 'image' in value ? objectOf(value['image']) : value;
  return textOf(image['url']) ?? textOf(image['originalSrc']) ?? textOf(image['src']);
}

const NOUNS: Readonly<Record<string, string>> = {
  Product: 'product',
  ProductVariant: 'variant',
  DiscountRedeemCode: 'code',
};

/** How an object is called in a report, if there is no line to name. */
export function placeOf(id: string): string {
  return `${NOUNS[typeIn(id) ?? ''] ?? 'object'} ${numberIn(id)}`;
}
