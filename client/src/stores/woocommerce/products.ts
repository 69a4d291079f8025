import type { JsonObject, PlacedObject } from '../json-values.ts';
import {
  isJsonObject,
  isWritten,
  numberOf,
  objectOf,
  objectsOf,
  writtenOf,
} from '../json-values.ts';
import type { LeftOutField, Omission } from '../source.ts';
import type { Stock, StoreProduct, StoreStatus, StoreVariant } from '../store-product.ts';
import { Values } from '../values.ts';
import { isVariation, obstacleOfType, phpList, placed } from './entries.ts';

/** Says why variations of a product are not in the source, as a sentence without its subject. */
type WhyLacking = (productId: string) => string;

/** A product or a variation, with the members that the API gives it. */
export interface Entry extends PlacedObject {
  /** What could not be read of it before. */
  readonly leftOut?: readonly LeftOutField[] | undefined;
  /** The images of a variation, of which the API gives only one. */
  readonly images?: readonly JsonObject[] | undefined;
}

/** Makes store products of products and variations, in any order. */
export function productsOf(all: readonly PlacedObject[], whyLacking: WhyLacking): StoreProduct[] {
  const flat = withoutRepeatedVariations(all.flatMap(withNested));
  const products = flat.filter(({ object }) => !isVariation(object));
  const families = new Map(products.map(({ object }): [string, Entry[]] => [idOf(object), []]));
  // A variation may not say whose it is.
  const parents = new Map(
    products.flatMap(({ object }) =>
      (variationIdsOf(object) ?? []).map((id) => [id, idOf(object)] as const),
    ),
  );
  const orphans: StoreProduct[] = [];
  for (const variation of flat) {
    const { object } = variation;
    if (!isVariation(object)) continue;
    const parent = writtenOf(object['parent_id']) || parents.get(idOf(object));
    const family = families.get(parent ?? '');
    if (family) family.push(variation);
    else if (parent === undefined) orphans.push(orphanOf(variation, 'its product is not known'));
    else orphans.push(orphanOf(variation, `its product ${parent} is not in the list`, parent));
  }
  return [
    ...products.map((one) => productOf(one, families.get(idOf(one.object)) ?? [], whyLacking)),
    ...orphans,
  ];
}

function idOf({ id }: JsonObject): string {
  return writtenOf(id);
}

/** Returns a product, and the variations that it has as objects in place of their ids. */
function withNested({ place, object }: PlacedObject): PlacedObject[] {
  const nested = objectsOf(phpList(object['variations'])).map((variation) =>
    placed({ ...variation, type: 'variation', parent_id: object['id'] }, place),
  );
  return [{ place, object }, ...nested];
}

/** A variation may stand in the list of products too, which gives it without its own image. One is one. */
function withoutRepeatedVariations(all: readonly PlacedObject[]): PlacedObject[] {
  const taken = new Map<string, JsonObject>();
  for (const { object } of all) {
    const id = idOf(object);
    const other = taken.get(id);
    const isBetter = other === undefined || (!('image' in other) && 'image' in object);
    if (isVariation(object) && isBetter) taken.set(id, object);
  }
  return all.filter(({ object }) => {
    const id = idOf(object);
    return !isVariation(object) || id === '' || taken.get(id) === object;
  });
}

/** Returns the ids of the variations that a product names, and that are not there. */
export function lackedBy(variations: readonly JsonObject[], product: JsonObject): string[] {
  const there = new Set(variations.map(idOf));
  return (variationIdsOf(product) ?? []).filter((id) => !there.has(id));
}

/** Returns the ids of the variations that a product names; undefined if it does not say whether it has any. */
export function variationIdsOf({ variations }: JsonObject): string[] | undefined {
  return phpList(variations)?.map((each) => writtenOf(isJsonObject(each) ? each['id'] : each));
}

/** Returns a variation whose product is not in the source. @param product the id of that, if it is known */
export function orphanOf(variation: Entry, reason: string, product?: string): StoreProduct {
  const obstacle = { reason };
  return {
    place: variation.place,
    id: product,
    // Without that of its product, nobody knows its handle.
    title: '',
    variants: [{ ...simpleOf(variation), obstacle }],
    obstacle,
  };
}

export function productOf(
  product: Entry,
  variations: readonly Entry[],
  whyLacking: WhyLacking,
): StoreProduct {
  const { place, object } = product;
  const values = new Values();
  const common = {
    place,
    id: idOf(object) || undefined,
    handle: handleOf(object, values),
    title: values.text('title', object['name']) ?? '',
    description: values.text('description', object['description']),
    status: values.word('storeStatus', object['status'], STATUSES),
    imageUrls: imagesOf(object['images'], values),
    updatedAt: updatedAtOf(object, values),
    leftOut: values.leftOut,
  };
  const variants = variations.map((each) => variationOf(each, object));
  const lacking = lackingOf(product, variations, whyLacking);
  if (object['type'] === 'variable') {
    const all = [...variants, ...lacking];
    const obstacle = all.length > 0 ? undefined : emptyOf(object, whyLacking);
    // What the service has of it before it gets its first variation stays.
    const isOne = obstacle?.kind === 'unsupported';
    return { ...common, variants: isOne ? [simpleOf(product)] : all, obstacle };
  }
  const obstacle = object['type'] === 'simple' ? undefined : obstacleOfType(object['type']);
  // Of another type, what the service has of its variations stays too.
  const others = obstacle === undefined ? [] : [...variants, ...lacking];
  return { ...common, variants: [simpleOf(product), ...others], obstacle };
}

/** Returns why a product without variations cannot be taken: it has none, or the source has not all of it. */
function emptyOf(product: JsonObject, whyLacking: WhyLacking): Omission {
  return variationIdsOf(product) === undefined
    ? { reason: whyLacking(idOf(product)) }
    : { reason: 'it has no variations, and so no price', kind: 'unsupported' };
}

/** Returns the variations that a product names and the source lacks, so that what the service has of them stays. */
function lackingOf(
  { place, object }: Entry,
  variations: readonly Entry[],
  whyLacking: WhyLacking,
): StoreVariant[] {
  const reason = whyLacking(idOf(object));
  return lackedBy(
    variations.map((each) => each.object),
    object,
  ).map((id) => ({
    place: `${place}, variation ${id}`,
    id,
    options: undefined,
    price: '',
    hasOtherPrice: false,
    obstacle: { reason },
  }));
}

const STATUSES: ReadonlyMap<string, StoreStatus> = new Map([
  ['publish', 'ACTIVE'],
  ['draft', 'DRAFT'],
  ['pending', 'DRAFT'],
  ['private', 'DRAFT'],
  ['future', 'DRAFT'],
]);

function simpleOf(product: Entry): StoreVariant {
  const values = new Values();
  return { ...variantOf(product, values), stock: stockOf(product.object, values) };
}

/** What a product without variations and a variation have in common. */
function variantOf({ place, object, leftOut = [] }: Entry, values: Values): StoreVariant {
  values.leaveOut(...leftOut);
  return {
    place,
    id: idOf(object) || undefined,
    sku: values.sku(object),
    options: [],
    price: values.price(object['regular_price']),
    hasOtherPrice: writtenOf(object['sale_price']) !== '',
    updatedAt: updatedAtOf(object, values),
    leftOut: values.leftOut,
  };
}

function variationOf(variation: Entry, parent: JsonObject): StoreVariant {
  const { object } = variation;
  const values = new Values();
  const variant = variantOf(variation, values);
  const sharesStock = object['manage_stock'] === 'parent';
  const own = object['image'] == null ? [] : [object['image']];
  const images = imagesOf(variation.images ?? own, values);
  return {
    ...variant,
    // One without an SKU answers with that of its product.
    sku: variant.sku === writtenOf(parent['sku']) ? null : variant.sku,
    options: optionsOf(object, parent),
    stock: sharesStock
      ? (numberOf(object['stock_quantity']) ?? stockOf(parent, values))
      : stockOf(object, values),
    sharesStock,
    description: values.text('description', object['description']) || undefined,
    imageUrls: images?.length === 0 ? undefined : images,
    status: values.word('storeStatus', object['status'], STATUSES),
  };
}

const STOCK: ReadonlyMap<string, Stock> = new Map<string, Stock>([
  ['instock', 'in stock'],
  ['onbackorder', 'in stock'],
  ['outofstock', 'out of stock'],
]);

/** Plugins write `manage_stock` in other ways. */
const UNCOUNTED: ReadonlySet<unknown> = new Set([false, 'no', 'false', '0', 0, '']);

function stockOf(object: JsonObject, values: Values): Stock | undefined {
  const { manage_stock: isCounted, stock_quantity: written, stock_status: status } = object;
  return UNCOUNTED.has(isCounted)
    ? values.word('storeInventoryQuantity', status, STOCK)
    : values.quantity('storeInventoryQuantity', written);
}

/**
 * Returns one value for each attribute by which the variations of a product differ. An absent one means any.
 * @returns undefined if they cannot be read
 */
function optionsOf(variation: JsonObject, parent: JsonObject): string[] | undefined {
  const { attributes: written } = variation;
  const attributes = phpList(written) ?? written;
  const isRead =
    Array.isArray(attributes) && attributes.every((each) => isWritten(objectOf(each)['option']));
  if (attributes !== undefined && !isRead) return undefined;
  const nameOf = ({ id, name }: JsonObject): string => `${writtenOf(id)} ${writtenOf(name)}`;
  const own = new Map(
    objectsOf(attributes).map((each) => [nameOf(each), writtenOf(each['option'])]),
  );
  const names = objectsOf(phpList(parent['attributes']))
    .filter((each) => each['variation'] === true)
    .map(nameOf);
  return [...new Set([...names, ...own.keys()])].map((name) => own.get(name) ?? '');
}

function imagesOf(images: unknown, values: Values): string[] | undefined {
  const urls = values.objects('imageUrls', phpList(images) ?? images)?.map((image) => {
    // An image of another form, which is not the same as none.
    const src = values.read('an image with an address', 'imageUrls', image, image['src']);
    return values.text('imageUrls', src) ?? '';
  });
  return urls && [...new Set(urls.filter((url) => url !== ''))];
}

/** Returns the slug. WordPress writes letters beyond ASCII in percent-encoding, and gives none to a draft. */
function handleOf({ slug }: JsonObject, values: Values): string | undefined {
  const text = values.text('handle', slug);
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return values.read<string>('percent-encoding', 'handle', slug, undefined);
  }
}

/** Dates have no zone, and those of this member are in UTC. */
function updatedAtOf({ date_modified_gmt: date }: JsonObject, values: Values): string | undefined {
  return values.time('sourceUpdatedAt', date, 'Z');
}
