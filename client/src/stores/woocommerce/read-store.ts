import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { writtenOf } from '../members.ts';
import type { StoreContent } from '../store-product.ts';
import type { WooCommerceApi } from './api.ts';
import { discountOf } from './coupons.ts';
import { placeOf } from './json.ts';
import { askForEach, readList, readListIfWhole } from './lists.ts';
import type { Placed } from './products.ts';
import { productsOf } from './products.ts';
import type { StoreOptions } from '../source.ts';

// Only what is read: an answer is a quarter as large, and the addresses of people that a coupon has are never sent.

const OF_BOTH = [
  'id',
  'type',
  'status',
  'sku',
  'regular_price',
  'sale_price',
  'manage_stock',
  'stock_quantity',
  'stock_status',
  'attributes',
  'date_modified_gmt',
] as const;
const OF_PRODUCTS = [...OF_BOTH, 'name', 'slug', 'description', 'images', 'variations'].join();
const OF_VARIATIONS = [...OF_BOTH, 'parent_id', 'description', 'image'].join();
const OF_COUPONS = [
  'id',
  'code',
  'amount',
  'status',
  'date_expires',
  'date_expires_gmt',
  'discount_type',
  'description',
  'usage_count',
  'usage_limit',
  'free_shipping',
].join();

type OnProgress = StoreOptions['onProgress'];

/** Reads all products of a store, with their variations. @throws Failure if it cannot be read to its end */
export async function readProducts(
  api: WooCommerceApi,
  onProgress: OnProgress,
): Promise<StoreContent> {
  const currency = await readCurrency(api);
  const products = await requiredList(api, '/products', OF_PRODUCTS, 'products', onProgress);
  const variable = products
    .filter(({ type }) => type === 'variable')
    .map(({ id }) => writtenOf(id));
  const variations = await readVariations(api, variable, (done) =>
    onProgress?.(products.length + done, products.length + variable.length),
  );
  return {
    format: 'woocommerce',
    // The lists are complete, so nothing has to be fetched besides.
    products: productsOf([...placed(products), ...placed(variations)], () => undefined),
    discounts: [],
    currency,
    doubts: [],
    notes: [],
  };
}

/** Reads all coupons. @throws Failure if they cannot be read to their end */
export async function readCoupons(
  api: WooCommerceApi,
  now: Date,
  onProgress: OnProgress,
): Promise<StoreContent> {
  const coupons = await requiredList(api, '/coupons', OF_COUPONS, 'coupons', onProgress);
  return {
    format: 'woocommerce',
    products: [],
    discounts: placed(coupons).map((coupon) => discountOf(coupon, now)),
    doubts: [],
    notes: [],
  };
}

/** Nothing in a product names the currency of its price. */
async function readCurrency(api: WooCommerceApi): Promise<string> {
  const { body } = await api.ask({ path: '/data/currencies/current', query: { _fields: 'code' } });
  const code = isJsonObject(body) ? writtenOf(body['code']) : '';
  if (/^[A-Z]{3}$/.test(code)) return code;
  throw api.failure('does not say which currency its prices have. Is WooCommerce there?');
}

async function requiredList(
  api: WooCommerceApi,
  path: string,
  fields: string,
  nouns: string,
  onPage: OnProgress,
): Promise<JsonObject[]> {
  const objects = await readList(api, { path, query: { _fields: fields } }, { nouns, onPage });
  if (objects === undefined) throw api.failure(`has no list of ${nouns}.`);
  return objects;
}

/**
 * Reads the variations of products: all by one list, which stores have from 10.3 on, or else product by product. That list counts
 * variations whose product is gone, and leaves them out, so in a store with such remains its pages are too short.
 */
async function readVariations(
  api: WooCommerceApi,
  products: readonly string[],
  onProduct: (done: number) => void,
): Promise<JsonObject[]> {
  if (products.length === 0) return [];
  const query = { _fields: OF_VARIATIONS };
  const nouns = 'variations';
  const all = await readListIfWhole(api, { path: '/variations', query }, { nouns });
  if (all !== undefined) {
    const parents = new Set(products);
    return all.filter(({ parent_id: parent }) => parents.has(writtenOf(parent)));
  }
  let done = 0;
  const lists = await askForEach(products, async (id) => {
    const path = `/products/${id}/variations`;
    const list = await readList(api, { path, query }, { nouns: `${nouns} of product ${id}` });
    onProduct(++done);
    // The product may be gone by now.
    return (list ?? []).map((variation) => ({ ...variation, parent_id: id }));
  });
  return lists.flat();
}

function placed(objects: readonly JsonObject[]): Placed[] {
  return objects.map((object) => ({ place: placeOf(object) ?? '', object }));
}
