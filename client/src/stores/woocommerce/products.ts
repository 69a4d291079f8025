import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { objectsOf, textOf, writtenOf } from '../members.ts';
import type { Obstacle, Stock, StoreProduct, StoreStatus, StoreVariant } from '../store-product.ts';

/** An object as the API gives it, and where it is in its source. */
export interface Placed {
  readonly place: string;
  readonly object: JsonObject;
}

/** Says why variations of a product are not in the source, as a sentence without its subject. */
export type WhyMissing = (productId: string) => string;

const NO_VARIATIONS: Obstacle = {
  reason: 'it has no variations, and so no price',
  kind: 'unsupported',
};

/** Makes store products of products and variations, in any order. */
export function productsOf(all: readonly Placed[], whyMissing: WhyMissing): StoreProduct[] {
  const flat = all.flatMap(withNested);
  const products = flat.filter(({ object }) => !isVariation(object));
  const families = new Map(
    products.map(({ object }): [string, Placed[]] => [writtenOf(object['id']), []]),
  );
  const parents = parentsOf(products);
  const orphans: StoreProduct[] = [];
  for (const variation of flat) {
    if (!isVariation(variation.object)) continue;
    const parent = parentOf(variation.object, parents);
    const family = families.get(parent);
    if (family) family.push(variation);
    else orphans.push(orphanOf(variation, parent));
  }
  return [
    ...products.map((product) =>
      productOf(product, families.get(writtenOf(product.object['id'])) ?? [], whyMissing),
    ),
    ...orphans,
  ];
}

/** Whether an object is a variation. Older stores leave its type out, and a product has no parent. */
export function isVariation({ type, parent_id: parent }: JsonObject): boolean {
  return type === 'variation' || (type === undefined && Number(parent) > 0);
}

/** Returns a product, and the variations that it has as objects in place of their ids. */
function withNested({ place, object }: Placed): Placed[] {
  const nested = objectsOf(object['variations']).map((variation) => ({
    place: `variation ${writtenOf(variation['id'])}`,
    object: { ...variation, type: 'variation', parent_id: object['id'] },
  }));
  return [{ place, object }, ...nested];
}

/** Returns the product of each variation, by their ids. */
function parentsOf(products: readonly Placed[]): Map<string, string> {
  return new Map(
    products.flatMap(({ object }) =>
      (variationIdsOf(object) ?? []).map((id): [string, string] => [id, writtenOf(object['id'])]),
    ),
  );
}

function parentOf(variation: JsonObject, parents: ReadonlyMap<string, string>): string {
  const parent = writtenOf(variation['parent_id']);
  return parent === '' ? (parents.get(writtenOf(variation['id'])) ?? '') : parent;
}

/** Returns the ids of the variations that a product names, and that are not there. */
export function lackedBy(variations: readonly JsonObject[], product: JsonObject): string[] {
  const there = new Set(variations.map(({ id }) => writtenOf(id)));
  return (variationIdsOf(product) ?? []).filter((id) => !there.has(id));
}

/** Returns the ids of the variations that a product names; undefined if it does not say whether it has any. */
function variationIdsOf({ variations }: JsonObject): string[] | undefined {
  if (!Array.isArray(variations)) return undefined;
  return variations.map((each) => writtenOf(isJsonObject(each) ? each['id'] : each));
}

function orphanOf({ place, object }: Placed, parent: string): StoreProduct {
  const obstacle: Obstacle = {
    reason: parent === '' ? 'its product is not known' : `its product ${parent} is not in the list`,
    kind: 'problem',
  };
  return {
    place,
    id: parent || undefined,
    title: writtenOf(object['name']),
    variants: [{ ...variantOf({ place, object }), obstacle }],
    obstacle,
  };
}

function productOf(
  product: Placed,
  variations: readonly Placed[],
  whyMissing: WhyMissing,
): StoreProduct {
  const { place, object } = product;
  const { status, obstacle } = statusOf(object);
  const common = {
    place,
    id: writtenOf(object['id']) || undefined,
    handle: handleOf(object),
    title: writtenOf(object['name']),
    description: textOf(object['description']),
    status,
    imageUrls: imagesOf(object),
    updatedAt: updatedAtOf(object),
  };
  if (object['type'] === 'variable') {
    const variants = variations.map((each) => variationOf(each, object));
    const missing = missingOf(product, variations, whyMissing);
    const isEmpty = variants.length + missing.length === 0;
    return {
      ...common,
      variants: [...variants, ...missing],
      obstacle: obstacle ?? (isEmpty ? emptyOf(object, whyMissing) : undefined),
    };
  }
  return {
    ...common,
    variants: [variantOf(product)],
    obstacle: obstacle ?? obstacleOfType(object['type']),
  };
}

/** Returns why a product without variations cannot be taken: it has none, or the source has not all of it. */
function emptyOf(product: JsonObject, whyMissing: WhyMissing): Obstacle {
  if (variationIdsOf(product) !== undefined) return NO_VARIATIONS;
  return { reason: whyMissing(writtenOf(product['id'])), kind: 'problem' };
}

/** Returns the variations that a product names and the source lacks, so that what the service has of them stays. */
function missingOf(
  { place, object }: Placed,
  variations: readonly Placed[],
  whyMissing: WhyMissing,
): StoreVariant[] {
  const reason = whyMissing(writtenOf(object['id']));
  return lackedBy(
    variations.map((each) => each.object),
    object,
  ).map((id) => ({
    place: `${place}, variation ${id}`,
    id,
    options: [],
    price: '',
    hasOtherPrice: false,
    obstacle: { reason, kind: 'problem' },
  }));
}

function obstacleOfType(type: unknown): Obstacle | undefined {
  if (type === 'simple') return undefined;
  return { reason: `its type is "${writtenOf(type)}"`, kind: 'unsupported' };
}

const STATUSES: ReadonlyMap<unknown, StoreStatus> = new Map([
  ['publish', 'ACTIVE'],
  ['draft', 'DRAFT'],
  ['pending', 'DRAFT'],
  ['private', 'DRAFT'],
  ['future', 'DRAFT'],
]);

function statusOf({ status }: JsonObject): Pick<StoreProduct, 'status' | 'obstacle'> {
  const known = STATUSES.get(status);
  if (known !== undefined || status === undefined) return { status: known };
  return { obstacle: { reason: `its status is "${writtenOf(status)}"`, kind: 'problem' } };
}

/** What a product without variations and a variation have in common. */
function variantOf({ place, object }: Placed): StoreVariant {
  return {
    place,
    id: writtenOf(object['id']) || undefined,
    sku: 'sku' in object ? writtenOf(object['sku']) || null : undefined,
    options: [],
    price: writtenOf(object['regular_price']),
    hasOtherPrice: writtenOf(object['sale_price']) !== '',
    stock: stockOf(object),
    updatedAt: updatedAtOf(object),
  };
}

function variationOf(variation: Placed, parent: JsonObject): StoreVariant {
  const { object } = variation;
  const { status, obstacle } = statusOf(object);
  const variant = variantOf(variation);
  const image = imagesOf({ images: [object['image']] });
  return {
    ...variant,
    // One without an SKU answers with that of its product.
    sku: variant.sku === writtenOf(parent['sku']) ? null : variant.sku,
    options: optionsOf(object, parent),
    stock: variant.stock ?? stockOf(parent),
    sharesStock: object['manage_stock'] === 'parent',
    description: writtenOf(object['description']) || undefined,
    imageUrls: image?.length === 0 ? undefined : image,
    status,
    obstacle,
  };
}

function stockOf(object: JsonObject): Stock | undefined {
  const { manage_stock: isCounted, stock_quantity: quantity, stock_status: status } = object;
  if (isCounted !== false && typeof quantity === 'number') return quantity;
  if (isCounted !== false || status === undefined) return undefined;
  return status === 'outofstock' ? 'out of stock' : 'in stock';
}

/** Returns one value for each attribute by which the variations of a product differ. An absent one means any. */
function optionsOf(variation: JsonObject, parent: JsonObject): string[] {
  const nameOf = ({ id, name }: JsonObject): string => `${writtenOf(id)} ${writtenOf(name)}`;
  const own = new Map(
    objectsOf(variation['attributes']).map((each) => [nameOf(each), writtenOf(each['option'])]),
  );
  const names = objectsOf(parent['attributes'])
    .filter((each) => each['variation'] === true)
    .map(nameOf);
  return [...new Set([...names, ...own.keys()])].map((name) => own.get(name) ?? '');
}

function imagesOf({ images }: JsonObject): string[] | undefined {
  if (!Array.isArray(images)) return undefined;
  const urls = objectsOf(images).map(({ src }) => writtenOf(src));
  return [...new Set(urls.filter((url) => url !== ''))];
}

/** Returns the slug. WordPress writes letters beyond ASCII in percent-encoding, and gives none to a draft. */
function handleOf({ slug }: JsonObject): string | undefined {
  try {
    return decodeURIComponent(writtenOf(slug)) || undefined;
  } catch {
    return undefined;
  }
}

/** Dates have no zone, and those of this member are in UTC. */
function updatedAtOf({ date_modified_gmt: date }: JsonObject): string | undefined {
  return typeof date === 'string' ? `${date}Z` : undefined;
}
