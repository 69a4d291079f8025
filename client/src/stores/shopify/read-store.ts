import type { CollectionName } from '../../fields.ts';
import type { AdminApi } from './api.ts';
import { readBulkFile, runBulkOperation } from './bulk-operation.ts';
import type { ListName } from './graphql-objects.ts';
import { ShopifyObjects } from './graphql-objects.ts';
import { placeOf } from './ids.ts';
import { skippedPart } from '../findings.ts';
import { HeldMemory } from '../memory.ts';
import type { SkippedPart } from '../source.ts';
import type { JsonObject, PlacedObject } from '../json-values.ts';
import { isJsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';
import { ABOUT_SHOP, ALL_DISCOUNTS, ALL_PRODUCTS, PAGES } from './queries.ts';
import type { StoreOptions, StoreReading } from '../store.ts';

/** What is asked for in a bulk operation, and the scope that the app needs for it. */
const BULK_QUERIES: Readonly<Record<CollectionName, { query: string; scope: string }>> = {
  products: { query: ALL_PRODUCTS, scope: 'read_products' },
  'coupon-codes': { query: ALL_DISCOUNTS, scope: 'read_discounts' },
};

/** How many lines are read between two reports of progress. */
const STEP = 500;

/** Reads a shop by a bulk operation of its Admin API. @throws Failure if it cannot be read to its end */
export async function readStore(
  api: AdminApi,
  shop: URL,
  options: StoreOptions,
): Promise<StoreReading> {
  const { collection, signal, onProgress } = options;
  const { query, scope } = BULK_QUERIES[collection];
  const { hostname } = shop;
  const { currency, domain } = await askAbout(api, scope);
  const now = new Date();
  const onCount = (count: number): void => onProgress?.(count);
  const result = await runBulkOperation(api, query, { signal, onCount });
  let objects = new ShopifyObjects();
  const held = new HeldMemory(api, options.memory);
  await readBulkFile(result, shop, options, () => {
    objects = new ShopifyObjects();
    held.free();
    let lines = 0;
    return (object, bytes) => {
      held.hold({ bytes });
      objects.add({ place: placeOf(object['id']), object });
      if (++lines % STEP === 0) onProgress?.(lines, result.count);
    };
  });
  const skipped = await completeLists(api, objects, held);
  const notes = api.versionNote === undefined ? [] : [api.versionNote];
  return {
    ...objects.content(now),
    currency,
    skipped,
    notes,
    domains: domain === undefined ? [hostname] : [hostname, domain],
  };
}

/**
 * Returns the currency of the prices, and the domain that customers see, if there is one.
 * @throws Failure if the app has not the scope that it needs
 */
async function askAbout(
  api: AdminApi,
  scope: string,
): Promise<{ readonly currency: string; readonly domain: string | undefined }> {
  const { shop, currentAppInstallation } = await api.query(ABOUT_SHOP);
  const scopes = objectsOf(objectOf(currentAppInstallation)['accessScopes']).map(
    ({ handle }) => handle,
  );
  // Who may write may read.
  if (!scopes.includes(scope) && !scopes.includes(scope.replace('read_', 'write_'))) {
    throw api.failure(
      `does not let this app read what is needed: it lacks the scope ${scope}. Add it to the app, and have the change approved in the shop.`,
    );
  }
  const currency = textOf(objectOf(shop)['currencyCode']);
  if (currency === undefined) throw api.failure('did not say its currency.');
  return { currency, domain: textOf(objectOf(objectOf(shop)['primaryDomain'])['host']) };
}

/**
 * Reads the lists page by page that a bulk operation cut off.
 * @returns what the shop counts and does not give all the same
 * @throws Failure if that is not possible
 */
async function completeLists(
  api: AdminApi,
  objects: ShopifyObjects,
  held: HeldMemory,
): Promise<SkippedPart[]> {
  const short: SkippedPart[] = [];
  for (const { name, id, count } of objects.shortLists()) {
    const list: PlacedObject[] = [];
    for await (const object of membersOf(api, held, name, id)) {
      list.push({ place: placeOf(object['id']), object });
    }
    objects.replace(name, id, list);
    // Images that are missing are reported with their product.
    if (name === 'media' || list.length >= count) continue;
    const reason = `The shop counts ${count} ${name} of ${placeOf(id)}, and gives ${list.length}.`;
    short.push(skippedPart(null, { reason }));
  }
  return short;
}

async function* membersOf(
  api: AdminApi,
  held: HeldMemory,
  name: ListName,
  id: string,
): AsyncGenerator<JsonObject, void> {
  const seen = new Set<unknown>();
  for (let after: unknown = null; ;) {
    seen.add(after);
    const { data, bytes } = await api.measuredQuery(PAGES[name], { id, after });
    const { node } = data;
    held.hold({ bytes });
    // It was deleted meanwhile.
    if (node === null) return;
    const owner = objectOf(node);
    const connection = objectOf(owner['discount'] ?? owner)[name];
    if (!isJsonObject(connection)) throw api.failure(`did not answer with the ${name} of ${id}.`);
    yield* objectsOf(connection['nodes']);
    const { hasNextPage, endCursor } = objectOf(connection['pageInfo']);
    if (hasNextPage !== true) return;
    if (typeof endCursor !== 'string' || seen.has(endCursor)) {
      throw api.failure(`does not show all ${name} of ${id}.`);
    }
    after = endCursor;
  }
}
