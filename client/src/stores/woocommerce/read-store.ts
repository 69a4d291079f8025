import { concurrentMap } from '../../../../common/concurrent-map.ts';
import { mergedFindings } from '../findings.ts';
import { HeldMemory } from '../memory.ts';
import type { JsonObject } from '../json-values.ts';
import { objectOf, writtenOf } from '../json-values.ts';
import type { StoreContent } from '../store-product.ts';
import type { WooCommerceApi } from './api.ts';
import { REQUESTS_AT_ONCE } from './api.ts';
import { discountsOf } from './coupons.ts';
import { placed } from './entries.ts';
import { findingsOf } from './holes.ts';
import { ASKED_FIELDS } from './asked-fields.ts';
import type { List } from './list-reader.ts';
import { ListReader } from './list-reader.ts';
import type { AdaptivePageSize } from './adaptive-page-size.ts';
import { lackedBy, productsOf, variationIdsOf } from './products.ts';
import type { StoreOptions, StoreReading } from '../store.ts';

type OnProgress = StoreOptions['onProgress'];

/** Reads a shop by the lists of its API. @throws Failure if it cannot be read to its end */
export async function readStore(
  api: WooCommerceApi,
  pageSize: AdaptivePageSize,
  { hostname }: URL,
  { collection, onProgress, memory }: StoreOptions,
): Promise<StoreReading> {
  const lists = new ListReader(api, pageSize, new HeldMemory(api, memory));
  const content =
    collection === 'products'
      ? await readProducts(api, lists, onProgress)
      : await readCoupons(api, lists, onProgress);
  return { ...content, domains: [hostname] };
}

async function readProducts(
  api: WooCommerceApi,
  lists: ListReader,
  onProgress: OnProgress,
): Promise<StoreContent> {
  const currency = await readCurrency(api);
  const products = await requiredList(api, lists, 'products', onProgress);
  const variable = products.objects.filter(({ type }) => type === 'variable');
  const count = products.objects.length;
  const variations = await readVariations(lists, variable, (done) =>
    onProgress?.(count + done, count + variable.length),
  );
  return {
    products: productsOf(
      [...products.objects, ...variations.objects].map((object) => placed(object)),
      (id) => `the store does not give all variations of product ${id}`,
    ),
    currency,
    ...mergedFindings(...[...products.holes, ...variations.holes].map(findingsOf)),
  };
}

async function readCoupons(
  api: WooCommerceApi,
  lists: ListReader,
  onProgress: OnProgress,
): Promise<StoreContent> {
  const now = new Date();
  const { objects, holes } = await requiredList(api, lists, 'coupons', onProgress);
  return {
    discounts: discountsOf(
      objects.map((object) => placed(object)),
      now,
    ),
    ...mergedFindings(...holes.map(findingsOf)),
  };
}

/** Nothing in a product names the currency of its price. */
async function readCurrency(api: WooCommerceApi): Promise<string> {
  const answer = await api.ask({ path: '/data/currencies/current', query: { _fields: 'code' } });
  const code = writtenOf(objectOf(answer.json)['code']);
  // Plugins add some with four letters, which no service knows: that is said of the prices.
  if (answer.status === 200 && /^\w+$/.test(code)) return code;
  throw await api.unanswered('does not say which currency its prices have', answer);
}

/** Reads a list that every store has. */
async function requiredList(
  api: WooCommerceApi,
  lists: ListReader,
  nouns: 'products' | 'coupons',
  onPage: OnProgress,
): Promise<List> {
  const path = `/${nouns}`;
  const list = await lists.read({ path, nouns, fields: ASKED_FIELDS[nouns], onPage });
  if (list !== undefined) return list;
  throw await api.unanswered(`has no list of ${nouns}`, await api.ask({ path }));
}

/**
 * Reads the variations of products: by the list of all of them, which stores have from 10.3 on, and product by product those of
 * which that has not all. In a store with remains of other products it is not whole: it counts them, and leaves them out.
 */
async function readVariations(
  lists: ListReader,
  products: readonly JsonObject[],
  onProduct: (done: number) => void,
): Promise<List> {
  const all = { path: '/variations', nouns: 'variations', fields: ASKED_FIELDS.variations };
  const list = products.length === 0 ? [] : await lists.readIfWhole(all);
  const families = new Map(products.map(({ id }): [string, JsonObject[]] => [writtenOf(id), []]));
  for (const one of list ?? []) families.get(writtenOf(one['parent_id']))?.push(one);
  let done = 0;
  const read = await concurrentMap(products, REQUESTS_AT_ONCE, async (product) => {
    const id = writtenOf(product['id']);
    const known = families.get(id) ?? [];
    const isKnown = list !== undefined && variationIdsOf(product) !== undefined;
    const isWhole = isKnown && lackedBy(known, product).length === 0;
    const family = isWhole ? { objects: known, holes: [] } : await readFamily(lists, product);
    onProduct(++done);
    return family;
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    holes: read.flatMap(({ holes }) => holes),
  };
}

async function readFamily(lists: ListReader, product: JsonObject): Promise<List> {
  const id = writtenOf(product['id']);
  const path = `/products/${id}/variations`;
  const nouns = `variations of product ${id}`;
  const list = await lists.read({ path, nouns, fields: ASKED_FIELDS.variations });
  const { objects = [], holes = [] } = list ?? {};
  const shortBy = holes.reduce((sum, { count }) => sum + count, 0);
  return {
    objects: objects.map((variation) => ({ ...variation, parent_id: id })),
    // What the product names is reported by its id.
    holes: shortBy > lackedBy(objects, product).length ? holes : [],
  };
}
