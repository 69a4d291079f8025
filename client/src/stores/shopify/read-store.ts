import type { CollectionName } from '../fields.ts';
import type { AdminApi } from './api.ts';
import { versionNote } from './api.ts';
import { readBulkFile } from './bulk-file.ts';
import { runBulkOperation } from './bulk-operation.ts';
import { completeLists } from './complete-lists.ts';
import { ShopifyObjects } from './graphql-objects.ts';
import { placeOf } from './ids.ts';
import { HeldMemory } from '../memory.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import { ABOUT_SHOP, ALL_DISCOUNTS, ALL_PRODUCTS } from './queries.ts';
import type { StoreOptions, StoreReading } from '../store.ts';

/** What is asked for in a bulk operation, and the scope that the app needs for it. */
const READINGS: Readonly<Record<CollectionName, { query: string; scope: string }>> = {
  products: { query: ALL_PRODUCTS, scope: 'read_products' },
  'coupon-codes': { query: ALL_DISCOUNTS, scope: 'read_discounts' },
};

/** How many lines are read between two reports of progress. */
const STEP = 500;

/** Reads a shop by a bulk operation of its Admin API. @throws Failure if it cannot be read to its end */
export async function readShop(
  api: AdminApi,
  { hostname }: URL,
  options: StoreOptions,
): Promise<StoreReading> {
  const { collection, signal, onProgress } = options;
  const { query, scope } = READINGS[collection];
  const { currency, primaryDomain } = await askAbout(api, scope);
  const readAt = new Date();
  const result = await runBulkOperation(api, query, {
    signal,
    onCount: (count) => onProgress?.(count),
  });
  let objects = new ShopifyObjects();
  let held = new HeldMemory(api);
  await readBulkFile(result, options, () => {
    objects = new ShopifyObjects();
    held = new HeldMemory(api);
    let lines = 0;
    return (object) => {
      held.add(object);
      objects.add(object, placeOf(textOf(object['id']) ?? ''));
      if (++lines % STEP === 0) onProgress?.(lines, result.count);
    };
  });
  const skipped = await completeLists(api, objects, held);
  const content = objects.content(readAt);
  const { otherVersion } = api;
  const notes = otherVersion === undefined ? [] : [versionNote(otherVersion)];
  return {
    content: { ...content, currency, skipped, notes: [...content.notes, ...notes] },
    readAt,
    domains: [hostname, ...(primaryDomain === undefined ? [] : [primaryDomain])],
  };
}

/**
 * Returns the currency of the prices, and the domain that customers see.
 * @throws Failure if the app has not the scope that it needs
 */
async function askAbout(
  api: AdminApi,
  scope: string,
): Promise<{ readonly currency: string; readonly primaryDomain: string | undefined }> {
  const { shop, currentAppInstallation } = await api.query(ABOUT_SHOP);
  const scopes = objectsOf(objectOf(currentAppInstallation)['accessScopes']).map(({ handle }) =>
    textOf(handle),
  );
  // Who may write may read.
  if (!scopes.includes(scope) && !scopes.includes(scope.replace('read_', 'write_'))) {
    throw api.failure(
      `does not let this app read what is needed: it lacks the scope ${scope}. Add it to the app, and have the change approved in the shop.`,
    );
  }
  const currency = textOf(objectOf(shop)['currencyCode']);
  if (currency === undefined) throw api.failure('did not say its currency.');
  return { currency, primaryDomain: textOf(objectOf(objectOf(shop)['primaryDomain'])['host']) };
}
