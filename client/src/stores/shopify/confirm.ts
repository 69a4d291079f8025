import { decisiveIds } from '../decisive-ids.ts';
import type { AdminApi } from './api.ts';
import { typeIn } from './ids.ts';
import { isJsonObject } from '../json-values.ts';
import { discountsByCode, NODES } from './queries.ts';
import type { AnyResource, Confirmation } from '../source.ts';
import type { StoreOptions } from '../store.ts';

/** Asks a shop once more for resources, at most 100, that its list lacked. @throws Failure if it does not answer for all of them */
export async function confirmGone(
  api: AdminApi,
  resources: readonly AnyResource[],
  options: StoreOptions,
): Promise<Confirmation> {
  const asked = resources.map((resource) => ({
    id: resource.id,
    ...keysOf(resource, options),
  }));
  const ids = [...new Set(asked.flatMap((one) => one.ids))];
  const { nodes } = ids.length === 0 ? { nodes: [] } : await api.query(NODES, { ids });
  const idsThere = existing(api, ids, nodes, (id, key) => id === key);
  const codes = asked.flatMap((one) => one.codes);
  const names = codes.map((_, index) => `c${index}`);
  const variables = Object.fromEntries(names.map((name, index) => [name, codes[index]]));
  const found = codes.length === 0 ? {} : await api.query(discountsByCode(names), variables);
  const answers = names.map((name) => found[name]);
  const codesThere = existing(api, codes, answers, isDiscountId);
  return new Map(
    asked.map((one) => {
      if (one.ids.length + one.codes.length === 0) return [one.id, NO_ID] as const;
      const hasCode = one.codes.some((code) => codesThere.has(code));
      const there = hasCode ? 'the code' : one.ids.find((id) => idsThere.has(id));
      return [one.id, there && `the store has ${there}, although its list lacked it`];
    }),
  );
}

const NO_ID = 'it has no id of Shopify, so the store cannot be asked about it';

/** Returns what a shop is asked about a resource, which is gone if the shop has none of it; nothing if it cannot be asked. */
function keysOf(
  resource: AnyResource,
  options: StoreOptions,
): { readonly ids: readonly string[]; readonly codes: readonly string[] } {
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

/**
 * Returns the keys that a shop has.
 * @param nodes its answers: one for each key, or null
 * @throws Failure if it does not answer for all of them
 */
function existing(
  api: AdminApi,
  keys: readonly string[],
  nodes: unknown,
  isOf: (id: unknown, key: string) => boolean,
): ReadonlySet<string> {
  const answers: readonly unknown[] =
    Array.isArray(nodes) && nodes.length === keys.length ? nodes : [];
  const there = keys.filter((key, index) => {
    const node = answers[index];
    if (node === null) return false;
    if (isJsonObject(node) && isOf(node['id'], key)) return true;
    throw api.failure(
      'did not say of each missing resource whether it has it. Run the command again.',
    );
  });
  return new Set(there);
}
