import { concurrentMap } from '../../../../common/concurrent-map.ts';
import { storedKey } from '../../stored-text.ts';
import { Cleaner } from '../cleaner.ts';
import { decisiveIds } from '../decisive-ids.ts';
import type { JsonObject } from '../json-values.ts';
import { objectOf, objectsOf, textOf, writtenOf } from '../json-values.ts';
import type { WooCommerceApi } from './api.ts';
import { REQUESTS_AT_ONCE } from './api.ts';
import { Failure } from '../../../../common/failure.ts';
import type { AdaptivePageSize } from './adaptive-page-size.ts';
import type { AnyResource, Confirmation } from '../source.ts';
import type { StoreOptions } from '../store.ts';

const TRASH = 'trash';

const NO_IDS = 'it has no id of WooCommerce, so the store cannot be asked about it';

/** WooCommerce's own answers for an id that it does not know. Another error says nothing about the id. */
const UNKNOWN = {
  products: 'woocommerce_rest_product_invalid_id',
  coupons: 'woocommerce_rest_shop_coupon_invalid_id',
} as const;

/** Asks a store once more for resources, at most 100, that its list lacked. @throws Failure as `ask` */
export async function confirmGone(
  api: WooCommerceApi,
  pageSize: AdaptivePageSize,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  const ask =
    options.collection === 'products'
      ? await askAboutProducts(api, pageSize, resources, options)
      : (one: AnyResource) => whyCouponKept(api, one, options);
  return new Map(
    await concurrentMap(
      resources,
      REQUESTS_AT_ONCE,
      async (one) => [one.id, await ask(one)] as const,
    ),
  );
}

/** Asks for products and variations by their ids. Only what is gone, or in the trash, is gone. */
async function askAboutProducts(
  api: WooCommerceApi,
  pageSize: AdaptivePageSize,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<(resource: AnyResource) => Promise<string | undefined>> {
  // One number is either a product or a variation.
  const idsOf = (one: AnyResource): string[] => decisiveIds(one, options, isId).map(({ id }) => id);
  const listed = await findInLists(api, pageSize, new Set(resources.flatMap(idsOf)));
  return async (resource) => {
    const ids = idsOf(resource);
    for (const id of ids) {
      const why = listed.has(id) ? listed.get(id) : whyKept(id, await findOne(api, 'products', id));
      if (why !== undefined) return why;
    }
    return ids.length === 0 ? NO_IDS : undefined;
  };
}

/** Returns why the resource of a product or a variation is kept: the store has it. Undefined if it is gone. */
function whyKept(id: string, found: JsonObject | undefined): string | undefined {
  if (found === undefined) return undefined;
  const what = `${found['type'] === 'variation' ? 'variation' : 'product'} ${id}`;
  return found['type'] === 'variable'
    ? `the store has ${what}, with variations now`
    : `the store has ${what}, although its list lacked it`;
}

async function whyCouponKept(
  api: WooCommerceApi,
  { code, storeDiscountId: id }: AnyResource,
  options: StoreOptions,
): Promise<string | undefined> {
  if (!isId(id)) return NO_IDS;
  const isThere = await hasCoupon(api, writtenOf(code), id, options);
  return isThere ? `the store has coupon ${id}, although its list lacked it` : undefined;
}

/** Asks for a coupon by its code, and then by its id, because only a published one is found by its code. */
async function hasCoupon(
  api: WooCommerceApi,
  code: string,
  id: string,
  { match }: StoreOptions,
): Promise<boolean> {
  const found = await api.ask({ path: '/coupons', query: { code, _fields: 'id' } });
  if (!Array.isArray(found.json)) throw await api.unanswered('gives no list of coupons', found);
  if (found.json.length > 0) return true;
  const coupon = await findOne(api, 'coupons', id);
  if (coupon === undefined || match === 'storeDiscountId') return coupon !== undefined;
  const own = textOf(coupon['code']);
  if (own === undefined) throw api.failure(`does not say which code coupon ${id} has.`);
  // A coupon that has another code by now is another one.
  return storedCode(own) === storedCode(code);
}

/**
 * Finds products by their ids, many at once. What no list has may be there all the same.
 * @returns of each that a list has, why its resource is kept. Of what a store sends, nothing else is held.
 */
async function findInLists(
  api: WooCommerceApi,
  pageSize: AdaptivePageSize,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const status of ['any', TRASH]) {
    let unasked = [...ids].filter((id) => !found.has(id));
    while (unasked.length > 0) {
      const page = await pageSize.fit(async ({ size, tries }) => {
        const [asked, left] = [unasked.slice(0, size), unasked.slice(size)];
        const query = { include: asked.join(), status, _fields: 'id,status,type' };
        const sized = { ...query, per_page: `${size}` };
        const answered = await api.askForMany({ path: '/products', query: sized, tries });
        return answered.found === 'answer' ? { ...answered, left } : answered;
      });
      if (page.found !== 'answer') throw new Failure(page.why);
      for (const one of objectsOf(page.answer.json)) {
        const id = writtenOf(one['id']);
        if (ids.has(id)) found.set(id, whyKept(id, unlessTrash(one)));
      }
      unasked = page.left;
    }
  }
  return found;
}

/** Returns what the store has of an id, if that is not in its trash. @throws Failure if it does not say whether it has it */
async function findOne(
  api: WooCommerceApi,
  collection: keyof typeof UNKNOWN,
  id: string,
): Promise<JsonObject | undefined> {
  const answer = await api.ask({
    path: `/${collection}/${id}`,
    query: { _fields: 'id,status,type,code' },
  });
  const object = objectOf(answer.json);
  if (answer.status === 404 && object['code'] === UNKNOWN[collection]) return undefined;
  if (answer.status === 200 && writtenOf(object['id']) === id) return unlessTrash(object);
  const noun = collection.replace(/s$/, '');
  throw await api.unanswered(`does not say whether it has ${noun} ${id}`, answer);
}

function unlessTrash(one: JsonObject): JsonObject | undefined {
  return one['status'] === TRASH ? undefined : one;
}

/** Whether a value is an id of WooCommerce: products and variations have the same kind. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value);
}

/** Returns a code as the service compares it. */
function storedCode(code: string): string {
  return storedKey(new Cleaner().withoutMarkup(code), 'code');
}
