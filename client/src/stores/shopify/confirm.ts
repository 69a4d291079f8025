import { decisiveIds } from '../decisive-ids.ts';
import type { AdminApi } from './api.ts';
import { typeIn } from './ids.ts';
import type { JsonObject } from '../json.ts';
import { isJsonObject, textOf } from '../json.ts';
import { discountsByCode, NODES } from './queries.ts';
import type { AnyResource, Confirmation } from '../source.ts';
import { confirmationOf } from '../source.ts';
import type { StoreOptions } from '../store.ts';

/**
 * Asks a shop once more for resources that its list lacked.
 * @param resources at most 100
 * @throws Failure if it does not answer for all of them
 */
export async function confirmGone(
  api: AdminApi,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  const asked = resources.map((resource) => ({
    id: String(resource['id']),
    ...keysOf(resource, options),
  }));
  const ids = await existingIds(
    api,
    asked.flatMap((one) => one.ids),
  );
  const codes = await existingCodes(
    api,
    asked.flatMap((one) => one.codes),
  );
  return confirmationOf(
    asked.map((one) => {
      if (one.ids.length + one.codes.length === 0) return [one.id, NO_ID];
      const [there] = [
        ...one.codes.filter((code) => codes.has(code)).map(() => 'the code'),
        ...one.ids.filter((id) => ids.has(id)),
      ];
      const kept = there && `the store has ${there}, although its list lacked it`;
      return [one.id, kept];
    }),
  );
}

/** What a shop is asked about a resource, which is gone if the shop has none of it. */
interface ResourceKeys {
  readonly ids: readonly string[];
  readonly codes: readonly string[];
}

const NO_ID = 'it has no id of Shopify, so the store cannot be asked about it';

/** Returns what is asked about a resource; nothing if the shop cannot be asked. */
function keysOf(resource: AnyResource, options: StoreOptions): ResourceKeys {
  if (options.collection === 'products') {
    const isId = (value: unknown, of: 'product' | 'variant'): value is string =>
      typeIn(value) === (of === 'product' ? 'Product' : 'ProductVariant');
    // An id of Shopify names its type.
    return { ids: decisiveIds(resource, options, isId).map((one) => one.id), codes: [] };
  }
  const { storeDiscountId: id, code } = resource;
  // One that people made in the service is of no store.
  if (!isDiscountId(id)) return { ids: [], codes: [] };
  // A discount has several codes, so that it is there does not say that the code is.
  return { ids: options.match === 'storeDiscountId' ? [id] : [], codes: [String(code)] };
}

function isDiscountId(id: unknown): id is string {
  return typeIn(id)?.startsWith('Discount') ?? false;
}

/** Returns the ids that the shop has. */
async function existingIds(api: AdminApi, all: readonly string[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(all)];
  if (ids.length === 0) return new Set();
  const { nodes } = await api.query(NODES, { ids });
  if (!Array.isArray(nodes) || nodes.length !== ids.length) throw incomplete(api);
  return new Set(
    ids.filter((id, index) => {
      const node: unknown = nodes[index];
      if (node === null) return false;
      if (isJsonObject(node) && textOf(node['id']) === id) return true;
      throw incomplete(api);
    }),
  );
}

/** Returns the codes that the shop has, in any case of their letters. */
async function existingCodes(
  api: AdminApi,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set();
  const variables = Object.fromEntries(codes.map((code, index) => [`c${index}`, code]));
  const data: JsonObject = await api.query(discountsByCode(codes.length), variables);
  return new Set(
    codes.filter((_, index) => {
      const node = data[`c${index}`];
      if (node === null) return false;
      if (isJsonObject(node) && isDiscountId(node['id'])) return true;
      throw incomplete(api);
    }),
  );
}

function incomplete(api: AdminApi): Error {
  return api.failure(
    'did not say of each missing resource whether it has it. Run the command again.',
  );
}
