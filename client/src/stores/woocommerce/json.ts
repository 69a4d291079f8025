import type { JsonObject, JsonReader, JsonValue } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { writtenOf } from '../members.ts';
import type { StoreContent } from '../store-product.ts';
import { discountsOf } from './coupons.ts';
import type { PlacedObject } from './products.ts';
import { isVariation, productsOf } from './products.ts';
import { Failure } from '../failure.ts';

const PRODUCTS = 'Use what /wp-json/wc/v3/products gives, or "wp wc product list --format=json".';

/** Forms of WordPress and WooCommerce that are read by mistake, by members that no other form has. */
const OTHER_FORMS: readonly { readonly members: readonly string[]; readonly name: string }[] = [
  { members: ['prices', 'is_purchasable'], name: "products of WooCommerce's Store API" },
  { members: ['title', 'guid', 'type', 'link'], name: 'posts of WordPress' },
  { members: ['line_items', 'order_key'], name: 'orders of WooCommerce' },
];

/**
 * Reads lists of the API, which WP-CLI prints as well: coupons, or products, whose variations may be among them, within them,
 * in a list after them, or missing.
 */
export const readWooCommerceJson: JsonReader = (values) => {
  const all = values.flatMap(listed);
  const is = (test: (object: JsonObject) => boolean): boolean =>
    all.some(({ value }) => isJsonObject(value) && test(value));
  if (is(isCoupon)) return listContent('coupon-codes', all);
  if (is(isPriced)) return listContent('products', all);
  if (is(isError)) {
    throw new Failure('The file is an answer of a WordPress with an error, and no list.');
  }
  const other = OTHER_FORMS.find(({ members }) =>
    is((one) => members.every((name) => name in one)),
  );
  if (other) throw new Failure(`The file has ${other.name}. ${PRODUCTS}`);
  if (is((one) => 'stock_status' in one || ('catalog_visibility' in one && 'slug' in one))) {
    throw new Failure(`The products in the file have no regular_price. ${PRODUCTS}`);
  }
  return undefined;
};

function isCoupon(object: JsonObject): boolean {
  return 'discount_type' in object && 'code' in object;
}

function isPriced(object: JsonObject): boolean {
  return 'regular_price' in object && 'id' in object;
}

function isError({ code, message, data }: JsonObject): boolean {
  return typeof code === 'string' && typeof message === 'string' && isJsonObject(data);
}

/** Returns the elements of the lists in a document, or the value itself. */
function listed(one: JsonValue): JsonValue[] {
  const { value } = one;
  if (!isJsonObject(value) || isPriced(value)) return [one];
  const lists = [value['products'], value['variations'], value['coupons']].filter(Array.isArray);
  if (lists.length === 0) return [one];
  return lists.flatMap((list: readonly unknown[], index) =>
    list.map((each) => ({ value: each, place: `${one.place}, list ${index + 1}` })),
  );
}

function listContent(
  collection: 'products' | 'coupon-codes',
  values: readonly JsonValue[],
): StoreContent {
  const isOwn = collection === 'products' ? isPriced : isCoupon;
  const own: PlacedObject[] = [];
  const doubts: string[] = [];
  for (const { value, place } of values) {
    const object = isJsonObject(value) ? value : {};
    if (isOwn(object)) own.push({ place: placeOf(object) ?? place, object });
    else doubts.push(`What is at ${place} is not one of WooCommerce's ${nouns(collection)}.`);
  }
  const now = new Date();
  return {
    collection,
    products: collection === 'products' ? productsOf(own, whyMissing) : [],
    discounts: collection === 'products' ? [] : discountsOf(own, now),
    doubts,
    notes: [],
  };
}

function nouns(collection: 'products' | 'coupon-codes'): string {
  return collection === 'products' ? 'products' : 'coupons';
}

/** Returns what to call a product, variation or coupon, if it has an id. */
export function placeOf(object: JsonObject): string | undefined {
  const id = writtenOf(object['id']);
  if (id === '') return undefined;
  if (isCoupon(object)) return `coupon ${id}`;
  return `${isVariation(object) ? 'variation' : 'product'} ${id}`;
}

function whyMissing(id: string): string {
  return `its variations are missing: add what /wp-json/wc/v3/products/${id}/variations?per_page=100 gives, or "wp wc product_variation list ${id} --format=json"`;
}
