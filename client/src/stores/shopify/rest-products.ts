import type { Omission } from '../source.ts';
import type { StoreContent, StoreProduct } from '../store-product.ts';
import type { JsonObject, JsonValue, PlacedObject } from '../json-values.ts';
import { numberOf, objectsOf, textOf, writtenOf } from '../json-values.ts';
import type { PageSizes } from '../doubts.ts';
import { divided, IF_WHOLE, pageDoubts } from '../doubts.ts';
import { BULK } from './wrong-exports.ts';
import { Values } from '../values.ts';
import { productOf } from './products.ts';

/** Whether an object is a product of the REST API: it has its variants, and numbers as ids. */
export function isRestProduct(value: JsonObject): boolean {
  const { id } = value;
  const isGraphql = typeof id === 'string' && id.startsWith('gid:');
  return Array.isArray(value['variants']) && 'title' in value && !isGraphql;
}

const PAGE_SIZES: PageSizes = { usual: [50, 250], largest: 250 };

/** How many variants of a product it gives at most. */
const MOST_VARIANTS = 100;

/** Reads a list of the REST API. @param isWhole whether it is complete though it is as long as a page */
export function readRestProducts(values: readonly JsonValue[], isWhole: boolean): StoreContent {
  const { own, doubts } = divided(values, isRestProduct, 'a product of Shopify');
  if (!isWhole) doubts.push(...pageDoubts(own, PAGE_SIZES, 'products'));
  for (const { place, object } of own) {
    if (isWhole || objectsOf(object['variants']).length !== MOST_VARIANTS) continue;
    const title = textOf(object['title']) ?? place;
    doubts.push({
      sentence: `${title} has exactly ${MOST_VARIANTS} variants, as many as the REST API gives. ${BULK} ${IF_WHOLE}`,
    });
  }
  if (own.some(({ object }) => objectsOf(object['variants']).some(hasNoNumber))) {
    doubts.push({
      sentence:
        'The list is that of the storefront, which has only what is published. Use --from shopify for the whole catalogue.',
    });
  }
  return { products: own.map(restProduct), doubts };
}

/** Whether a variant is from the list of the storefront, which says whether it can be bought, and no number. */
function hasNoNumber(variant: JsonObject): boolean {
  return 'available' in variant && !('inventory_quantity' in variant);
}

const OPTIONS = ['option1', 'option2', 'option3'] as const;

/** Gives a product and its variants the members that they have in the GraphQL API. */
function restProduct({ place, object: product }: PlacedObject): StoreProduct {
  const variants = objectsOf(product['variants']);
  const values = new Values();
  const images = values
    .objects('imageUrls', product['images'])
    ?.toSorted((a, b) => (numberOf(a['position']) ?? 0) - (numberOf(b['position']) ?? 0));
  const options = optionsOf(variants);
  const node = {
    ...product,
    id: idOf('Product', product),
    descriptionHtml: product['body_html'] === null ? '' : product['body_html'],
    status: statusOf(product),
    updatedAt: product['updated_at'],
    hasOnlyDefaultVariant: options.length === 0,
  };
  const variantNodes = variants.map((variant) => {
    const media = objectsOf([ownImage(variant, images)]);
    return { place, media, object: variantNode(variant, options) };
  });
  const read = productOf({ place, object: node, media: images }, variantNodes);
  const isInexact = [product, ...variants].some(
    (one) => typeof one['id'] === 'number' && idOf('', one) === undefined,
  );
  return {
    ...read,
    leftOut: [...values.leftOut, ...(read.leftOut ?? [])],
    obstacle: read.obstacle ?? (isInexact ? INEXACT : undefined),
  };
}

/** Returns the image of a variant. One that is none of its product cannot be read: it is not that of another. */
function ownImage(
  { image_id: own, featured_image: featured }: JsonObject,
  images: readonly JsonObject[] | undefined,
): unknown {
  const name = writtenOf(own);
  const found = images?.find(({ id }) => name !== '' && writtenOf(id) === name) ?? featured;
  return found ?? (own == null || images === undefined ? undefined : { image_id: own });
}

const INEXACT: Omission = { reason: 'its id is a number that is not exact' };

/** The options of a product: as many as the last one that a variant has a value of. */
function optionsOf(variants: readonly JsonObject[]): readonly string[] {
  const last = OPTIONS.findLastIndex((name) => variants.some((one) => one[name] != null));
  return OPTIONS.slice(0, last + 1);
}

function variantNode(variant: JsonObject, options: readonly string[]): JsonObject {
  const unnumbered = variant['available'] === false ? 0 : null;
  return {
    ...variant,
    id: idOf('ProductVariant', variant),
    compareAtPrice: variant['compare_at_price'],
    selectedOptions: options.map((name) => ({ value: variant[name] ?? '' })),
    inventoryItem: { tracked: variant['inventory_management'] !== null },
    inventoryQuantity: hasNoNumber(variant) ? unnumbered : variant['inventory_quantity'],
  };
}

/** Returns the id that the GraphQL API has for a number; undefined if the number is absent or not exact. */
function idOf(type: string, { id, admin_graphql_api_id: gid }: JsonObject): string | undefined {
  const isExact = typeof id === 'string' ? /^\d+$/.test(id) : Number.isSafeInteger(id);
  return textOf(gid) ?? (isExact ? `gid://shopify/${type}/${String(id)}` : undefined);
}

/** Before 2020, a product was published or it was not. */
function statusOf(product: JsonObject): unknown {
  if ('status' in product || !('published_at' in product)) return product['status'];
  return product['published_at'] === null ? 'draft' : 'active';
}
