import type { StoreProduct, StoreVariant, Stock } from '../store-product.ts';
import { digitsIn, typeIn } from './ids.ts';
import type { JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf, writtenOf } from '../json.ts';
import { Values } from '../values.ts';
import { DEFAULT_TITLE, STATUSES } from './statuses.ts';

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
  const values = new Values();
  return {
    place,
    id: textOf(product['id']),
    handle: values.filledText('handle', product['handle']),
    title: values.text('title', product['title']) ?? '',
    description: values.text('description', product['descriptionHtml'] ?? product['bodyHtml']),
    status: values.word('storeStatus', product['status'], STATUSES),
    imageUrls,
    updatedAt: values.text('sourceUpdatedAt', product['updatedAt']),
    variants: variants.map((one) => variantOf(one, product, variants.length)),
    leftOut: values.leftOut,
    obstacle:
      variants.length === 0 ? { reason: 'its variants are missing', kind: 'problem' } : undefined,
  };
}

function variantOf(
  { place, variant, imageUrl }: VariantNode,
  product: JsonObject,
  count: number,
): StoreVariant {
  const values = new Values();
  return {
    place,
    id: textOf(variant['id']),
    sku: values.sku(variant),
    options: product['hasOnlyDefaultVariant'] === true ? [] : optionsOf(variant, count),
    price: values.price(variant['price']),
    hasOtherPrice: writtenOf(variant['compareAtPrice']) !== '',
    stock: stockOf(variant, values),
    leftOut: values.leftOut,
    imageUrl: imageUrl ?? imageIn(objectsOf(objectOf(variant['media'])['nodes'])[0] ?? variant),
  };
}

function optionsOf(variant: JsonObject, count: number): string[] | undefined {
  const { selectedOptions: selected } = variant;
  const values = objectsOf(selected).map(({ value }) => writtenOf(value));
  if (selected != null && !(Array.isArray(selected) && !values.includes(''))) return undefined;
  // The title of a variant is made of its values.
  const all = values.length > 0 ? values : (textOf(variant['title']) ?? '').split(' / ');
  return count === 1 && all.join('') === DEFAULT_TITLE ? [] : all;
}

function stockOf(variant: JsonObject, values: Values): Stock | undefined {
  const { inventoryItem, inventoryQuantity: quantity } = variant;
  if (objectOf(inventoryItem)['tracked'] === false || quantity === null) return 'in stock';
  return values.quantity('storeInventoryQuantity', quantity);
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
  return `${NOUNS[typeIn(id) ?? ''] ?? 'object'} ${digitsIn(id)}`;
}
