import { storedKey } from '../../stored.ts';
import { Cleaner } from '../clean.ts';
import { decisiveIds } from '../decisive-ids.ts';
import { objectOf, objectsOf, textOf, writtenOf } from '../json.ts';
import type { WooCommerceApi } from './api.ts';
import { askForEach } from './lists.ts';
import { askInPages, SmallerPages } from './pages.ts';
import type { AnyResource, Confirmation } from '../source.ts';
import { confirmationOf } from '../source.ts';
import type { StoreOptions } from '../store.ts';

const TRASH = 'trash';

const NO_IDS = 'it has no id of WooCommerce, so the store cannot be asked about it';

/** WooCommerce's own answers for an id that it does not know. Another error says nothing about the id. */
const UNKNOWN = {
  products: 'woocommerce_rest_product_invalid_id',
  coupons: 'woocommerce_rest_shop_coupon_invalid_id',
} as const;

type EntryKind = keyof typeof UNKNOWN;

/** What the store has of an id; undefined if it says that it has nothing, or has it in its trash. */
type FoundEntry = Readonly<Record<string, unknown>> | undefined;

/** Asks a store once more for resources, at most 100, that its list lacked. @throws Failure as `ask` */
export function confirmGone(
  api: WooCommerceApi,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  return options.collection === 'products'
    ? confirmProducts(api, resources, options)
    : confirmCoupons(api, resources, options);
}

/** Asks for products and variations by their ids. Only what is gone, or in the trash, is gone. */
async function confirmProducts(
  api: WooCommerceApi,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  const asked = resources.map((resource) => ({
    id: writtenOf(resource['id']),
    product: resource['storeProductId'],
    // One number is either a product or a variation.
    ids: decisiveIds(resource, options, isId).map((one) => one.id),
  }));
  const found = await findInLists(
    api,
    asked.flatMap(({ ids, product }) => ids.filter((each) => each === (product ?? each))),
  );
  const others = new Set(asked.flatMap(({ ids }) => ids).filter((id) => !found.has(id)));
  await askForEach([...others], async (id) => found.set(id, await findOne(api, 'products', id)));
  return confirmationOf(
    asked.map(({ id, ids }) => {
      if (ids.length === 0) return [id, NO_IDS];
      const [kept] = ids.flatMap((each) => {
        const one = found.get(each);
        return one === undefined ? [] : [whyKept(each, one)];
      });
      return [id, kept];
    }),
  );
}

function whyKept(id: string, { type }: Exclude<FoundEntry, undefined>): string {
  const what = `${type === 'variation' ? 'variation' : 'product'} ${id}`;
  return type === 'variable'
    ? `the store has ${what}, with variations now`
    : `the store has ${what}, although its list lacked it`;
}

/** Asks for coupons by their codes, and then by their ids, because only published ones are found by their codes. */
async function confirmCoupons(
  api: WooCommerceApi,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  const answers = await askForEach(
    resources,
    async (resource): Promise<[id: string, kept: string | undefined]> => {
      const [id, code] = [writtenOf(resource['id']), writtenOf(resource['code'])];
      const coupon = resource['storeDiscountId'];
      if (!isId(coupon)) return [id, NO_IDS];
      const isThere = await hasCoupon(api, code, coupon, options);
      return [
        id,
        isThere ? `the store has coupon ${coupon}, although its list lacked it` : undefined,
      ];
    },
  );
  return confirmationOf(answers);
}

async function hasCoupon(
  api: WooCommerceApi,
  code: string,
  id: string,
  { match }: StoreOptions,
): Promise<boolean> {
  const found = await api.ask({ path: '/coupons', query: { code, _fields: 'id' } });
  if (!Array.isArray(found.body)) throw await api.unclear('gives no list of coupons', found);
  if (found.body.length > 0) return true;
  const coupon = await findOne(api, 'coupons', id);
  if (coupon === undefined || match === 'storeDiscountId') return coupon !== undefined;
  const own = textOf(coupon['code']);
  if (own === undefined) throw api.failure(`does not say which code coupon ${id} has.`);
  // A coupon that has another code by now is another one.
  return storedCode(own) === storedCode(code);
}

/** Finds products by their ids, many at once. What no list has may be there all the same. */
async function findInLists(
  api: WooCommerceApi,
  ids: readonly string[],
): Promise<Map<string, FoundEntry>> {
  const found = new Map<string, FoundEntry>();
  for (const status of ['any', TRASH]) {
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    for (let at = 0; at < missing.length;) {
      const size = api.pageSize.now;
      const part = missing.slice(at, at + size);
      const query = { include: part.join(), status, _fields: 'id,status,type' };
      try {
        const { body } = await askInPages(api, { path: '/products', query }, size);
        for (const one of objectsOf(body)) found.set(writtenOf(one['id']), unlessTrash(one));
        at += size;
      } catch (error) {
        if (!(error instanceof SmallerPages)) throw error;
      }
    }
  }
  return found;
}

/** @throws Failure if the store does not say whether it has it */
async function findOne(
  api: WooCommerceApi,
  collection: EntryKind,
  id: string,
): Promise<FoundEntry> {
  const answer = await api.ask({
    path: `/${collection}/${id}`,
    query: { _fields: 'id,status,type,code' },
  });
  const { status } = answer;
  const object = objectOf(answer.body);
  if (status === 404 && object['code'] === UNKNOWN[collection]) return undefined;
  if (status === 200 && writtenOf(object['id']) === id) return unlessTrash(object);
  const noun = collection.replace(/s$/, '');
  throw await api.unclear(`does not say whether it has ${noun} ${id}`, answer);
}

function unlessTrash(one: Exclude<FoundEntry, undefined>): FoundEntry {
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
