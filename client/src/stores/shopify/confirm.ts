import type { CollectionName } from '../fields.ts';
import type { AdminApi } from './admin-api.ts';
import { isIdOf, typeIn } from './ids.ts';
import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import { textOf } from '../members.ts';
import { discountsByCode, NODES } from './queries.ts';
import type { AnyResource, Confirmation } from '../source.ts';

/**
 * Asks a shop once more for resources that its list lacked.
 * @param resources at most 100
 * @throws Failure if it does not answer for all of them
 */
export async function confirmGone(
  api: AdminApi,
  collection: CollectionName,
  resources: readonly AnyResource[],
): Promise<Confirmation> {
  const gone: string[] = [];
  const reasons = new Map<string, string>();
  const asked = resources.flatMap((resource) => {
    const question = questionOf(collection, resource);
    if (typeof question !== 'string') return [{ resource, question }];
    reasons.set(String(resource['id']), question);
    return [];
  });
  const isThere =
    collection === 'products'
      ? await nodesAreThere(
          api,
          asked.map(({ question }) => question.value),
        )
      : await codesAreThere(
          api,
          asked.map(({ question }) => question.value),
        );
  for (const [index, { resource, question }] of asked.entries()) {
    const id = String(resource['id']);
    if (isThere[index] === false) gone.push(id);
    else reasons.set(id, `the store has ${question.name}, although its list lacked it`);
  }
  return { gone, reasons };
}

interface Question {
  readonly value: string;
  /** How a sentence calls it. */
  readonly name: string;
}

const NO_ID = 'it has no id of Shopify, so the store cannot be asked about it';

/** Returns what is asked about a resource, or why nothing can be asked. */
function questionOf(collection: CollectionName, resource: AnyResource): Question | string {
  const { storeVariantId, storeProductId, storeDiscountId, code } = resource;
  if (collection !== 'products') {
    // One that people made in the service is of no store.
    const isOfShopify = typeIn(storeDiscountId)?.startsWith('Discount') ?? false;
    return isOfShopify ? { value: String(code), name: 'the code' } : NO_ID;
  }
  if (isIdOf('ProductVariant', storeVariantId)) {
    return { value: storeVariantId, name: storeVariantId };
  }
  // A product without a known variant is there as long as its product is.
  if (storeVariantId == null && isIdOf('Product', storeProductId)) {
    return { value: storeProductId, name: storeProductId };
  }
  return NO_ID;
}

/** Returns for each id whether the shop has it. */
async function nodesAreThere(api: AdminApi, ids: readonly string[]): Promise<boolean[]> {
  if (ids.length === 0) return [];
  const { nodes } = await api.query(NODES, { ids });
  if (!Array.isArray(nodes) || nodes.length !== ids.length) throw incomplete(api);
  return nodes.map((node: unknown, index) => {
    if (node === null) return false;
    if (isJsonObject(node) && textOf(node['id']) === ids[index]) return true;
    throw incomplete(api);
  });
}

/** Returns for each code whether the shop has it, in any case of its letters. */
async function codesAreThere(api: AdminApi, codes: readonly string[]): Promise<boolean[]> {
  if (codes.length === 0) return [];
  const variables = Object.fromEntries(codes.map((code, index) => [`c${index}`, code]));
  const data: JsonObject = await api.query(discountsByCode(codes.length), variables);
  return codes.map((_, index) => {
    const node = data[`c${index}`];
    if (node === null) return false;
    if (isJsonObject(node)) return true;
    throw incomplete(api);
  });
}

function incomplete(api: AdminApi): Error {
  return api.failure(
    'did not say of each missing resource whether it has it. Run the command again.',
  );
}
