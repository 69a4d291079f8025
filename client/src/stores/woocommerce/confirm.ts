import { storedKey } from '../../stored.ts';
import { Cleaner } from '../clean.ts';
import { isJsonObject } from '../json-values.ts';
import { objectsOf, writtenOf } from '../members.ts';
import type { WooCommerceApi } from './api.ts';
import { askForEach } from './lists.ts';
import type { AnyResource, Confirmation } from '../source.ts';

const TRASH = 'trash';

const NO_IDS = 'it has no id of WooCommerce, so the store cannot be asked about it';

/** What the store says of an id: a status, or that there is none. */
type Found = { readonly status: string; readonly type: string } | 'gone';

/** Asks for products and variations by their ids. Only what is gone, or in the trash, is gone. */
export async function confirmProducts(
  api: WooCommerceApi,
  resources: readonly AnyResource[],
): Promise<Confirmation> {
  const asked = resources.map((resource) => {
    const variant = idIn(resource['storeVariantId']);
    return {
      id: writtenOf(resource['id']),
      variant,
      product: idIn(resource['storeProductId']) ?? variant,
    };
  });
  const products = await findProducts(
    api,
    asked.flatMap(({ product }) => product ?? []),
  );
  const reasons = new Map<string, string>();
  const gone: string[] = [];
  await askForEach(asked, async ({ id, product, variant }) => {
    if (product === undefined) {
      reasons.set(id, NO_IDS);
      return;
    }
    const isVariation = variant !== undefined && variant !== product;
    const found = products.get(product) ?? 'gone';
    const own = found !== 'gone' && isVariation ? await findOne(api, variant) : found;
    if (own === 'gone') gone.push(id);
    else
      reasons.set(id, reasonOf(own, isVariation ? `variation ${variant}` : `product ${product}`));
  });
  return { gone, reasons };
}

function reasonOf({ type }: Exclude<Found, 'gone'>, what: string): string {
  return type === 'variable'
    ? `the store has ${what}, with variations now`
    : `the store has ${what}, although its list lacked it`;
}

/** Asks for coupons by their codes, and then by their ids, because only published ones are found by their codes. */
export async function confirmCoupons(
  api: WooCommerceApi,
  resources: readonly AnyResource[],
): Promise<Confirmation> {
  const reasons = new Map<string, string>();
  const gone: string[] = [];
  await askForEach(resources, async (resource) => {
    const [id, code] = [writtenOf(resource['id']), writtenOf(resource['code'])];
    const coupon = idIn(resource['storeDiscountId']);
    if (coupon === undefined) reasons.set(id, NO_IDS);
    else if (await hasCoupon(api, code, coupon)) {
      reasons.set(id, `the store has coupon ${coupon}, although its list lacked it`);
    } else gone.push(id);
  });
  return { gone, reasons };
}

async function hasCoupon(api: WooCommerceApi, code: string, id: string): Promise<boolean> {
  const { body } = await api.ask({ path: '/coupons', query: { code, _fields: 'id' } });
  if (!Array.isArray(body)) throw api.failure('answered with no list of coupons.');
  if (body.length > 0) return true;
  const found = await api.ask({ path: `/coupons/${id}`, query: { _fields: 'id,code,status' } });
  if (isInvalidId(found.status, found.body)) return false;
  const coupon = isJsonObject(found.body) ? found.body : {};
  // A coupon that has another code by now is another one.
  return coupon['status'] !== TRASH && storedCode(writtenOf(coupon['code'])) === storedCode(code);
}

/** Finds products by their ids: many at once, and one by one those that no list has. */
async function findProducts(
  api: WooCommerceApi,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const status of ['any', TRASH]) {
    const missing = [...new Set(ids)].filter((id) => !found.has(id));
    if (missing.length === 0) break;
    const { body } = await api.ask({
      path: '/products',
      query: { include: missing.join(), status, per_page: '100', _fields: 'id,status,type' },
    });
    for (const { id, ...product } of objectsOf(body)) found.set(writtenOf(id), foundOf(product));
  }
  const missing = [...new Set(ids)].filter((id) => !found.has(id));
  await askForEach(missing, async (id) => found.set(id, await findOne(api, id)));
  return found;
}

async function findOne(api: WooCommerceApi, id: string): Promise<Found> {
  const { status, body } = await api.ask({
    path: `/products/${id}`,
    query: { _fields: 'id,status,type' },
  });
  if (isInvalidId(status, body)) return 'gone';
  if (isJsonObject(body) && writtenOf(body['id']) === id) return foundOf(body);
  throw api.failure(`does not say whether it has product ${id}.`);
}

function foundOf(product: Readonly<Record<string, unknown>>): Found {
  const { status, type } = product;
  return status === TRASH ? 'gone' : { status: writtenOf(status), type: writtenOf(type) };
}

function isInvalidId(status: number, body: unknown): boolean {
  const code = isJsonObject(body) ? writtenOf(body['code']) : '';
  return status === 404 && /^woocommerce_rest_\w+_invalid_id$/.test(code);
}

/** Returns an id of WooCommerce; undefined if a value is none. */
function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value) ? value : undefined;
}

/** Returns a code as the service compares it. */
function storedCode(code: string): string {
  return storedKey(new Cleaner().plain(code), 'code');
}
