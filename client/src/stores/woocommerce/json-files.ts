import type { CollectionName } from '../../fields.ts';
import type { JsonObject, JsonValue } from '../json-values.ts';
import type { JsonReader } from '../store.ts';
import { elementsIn, isJsonObject, objectOf } from '../json-values.ts';
import type { PageSizes } from '../doubts.ts';
import { divided, pageDoubts } from '../doubts.ts';
import type { StoreContent } from '../store-product.ts';
import { discountsOf } from './coupons.ts';
import { isCoupon, isVariation, placed } from './entries.ts';
import { productsOf } from './products.ts';
import { Failure } from '../../../../common/failure.ts';

/**
 * Reads lists of the API, which WP-CLI prints as well: coupons, or products, whose variations may be among them, within them,
 * in a list after them, or missing.
 */
export const readWooCommerceJson: JsonReader = (values, isWhole) => {
  // An entry is no document, even if it lacks what it needs: a product has a list of variations too.
  const all = values.flatMap((one) =>
    ['id', 'regular_price'].some((name) => name in objectOf(one.value))
      ? [one]
      : elementsIn(one, ['products', 'variations', 'coupons']),
  );
  const is = (test: (object: JsonObject) => boolean): boolean =>
    all.some(({ value }) => isJsonObject(value) && test(value));
  if (is(isCoupon)) return listContent('coupon-codes', all, isWhole);
  if (is(isPriced)) return listContent('products', all, isWhole);
  if (is(isError)) {
    throw new Failure('The file is an answer of a WordPress with an error, and no list.');
  }
  return undefined;
};

const whyLacking = (id: string): string =>
  `its variations are missing: add what /wp-json/wc/v3/products/${id}/variations?per_page=100 gives, or "wp wc product_variation list ${id} --format=json"`;

const PAGE_SIZES: PageSizes = { usual: [10, 100], largest: 100 };

function isPriced(object: JsonObject): boolean {
  return 'regular_price' in object && 'id' in object;
}

function isError({ code, message, data }: JsonObject): boolean {
  return typeof code === 'string' && typeof message === 'string' && isJsonObject(data);
}

function listContent(
  collection: CollectionName,
  values: readonly JsonValue[],
  isWhole: boolean,
): StoreContent {
  const isOfProducts = collection === 'products';
  const { own, doubts } = isOfProducts
    ? divided(values, isPriced, 'a product of WooCommerce')
    : divided(values, isCoupon, 'a coupon of WooCommerce');
  const listed = own.filter(({ object }) => !isVariation(object));
  const pages = isWhole ? [] : pageDoubts(listed, PAGE_SIZES, collection);
  const named = own.map(({ place, object }) => placed(object, place));
  return {
    collection,
    products: isOfProducts ? productsOf(named, whyLacking) : [],
    discounts: isOfProducts ? [] : discountsOf(named, new Date()),
    doubts: [...doubts, ...pages],
  };
}
