// The README shows this file. There the import is from 'brand-integration-client'.
import type { BrandClient } from '../src/index.ts';
import { BrandApiError } from '../src/index.ts';

/** What both sides keep of a product. Its SKU identifies it, and never changes. */
export interface Item {
  readonly sku: string;
  readonly title: string;
  readonly priceCents: number;
}

/** Your side. */
export interface Store {
  /** What changed since a token, as it is now, the SKUs of what was deleted, and the token to continue from. */
  changes(since: string): Promise<{ changed: Item[]; deleted: string[]; since: string }>;
  /** Creates or changes an item. */
  save(item: Item): Promise<void>;
  /** Deletes an item, if it is there. */
  remove(sku: string): Promise<void>;
}

/** How far the mirror is. Save it after each call; start with '0', '0' and an empty map. */
export interface MirrorState {
  storeSince: string;
  serviceSince: string;
  /** What both sides have, by SKU. A change to what is known already is an echo. */
  readonly known: Map<string, { readonly id: string; readonly text: string }>;
}

type Products = BrandClient['products'];

/** Brings a store and the service in step, in both directions. If both changed an item, the store's change wins. */
export async function mirror(products: Products, store: Store, state: MirrorState): Promise<void> {
  await pushChanges(products, store, state);
  try {
    await pullChanges(products, store, state);
  } catch (error) {
    if (!(error instanceof BrandApiError && error.status === 410)) throw error;
    state.serviceSince = '0';
    await pullChanges(products, store, state);
  }
}

async function pushChanges(products: Products, store: Store, state: MirrorState): Promise<void> {
  const { changed, deleted, since } = await store.changes(state.storeSince);
  const items = changed.filter((item) => state.known.get(item.sku)?.text !== textOf(item));
  const results = await products.push(items, { match: 'sku', lenient: true, minimal: true });
  for (const [index, item] of items.entries()) {
    const result = results[index];
    // eslint-disable-next-line no-console -- where your program reports problems
    if (result?.status === 'refused') console.warn(`${item.sku}: ${result.error}`);
    else if (result?.id) state.known.set(item.sku, { id: result.id, text: textOf(item) });
  }
  for (const sku of deleted) {
    const { id } = state.known.get(sku) ?? {};
    if (id !== undefined) await products.delete(id).catch(ignoreMissing);
    state.known.delete(sku);
  }
  state.storeSince = since;
}

async function pullChanges(products: Products, store: Store, state: MirrorState): Promise<void> {
  let since = state.serviceSince;
  // From the beginning, what does not appear was deleted.
  const missing = new Set(since === '0' ? [...state.known.values()].map(({ id }) => id) : []);
  for await (const page of products.changes({ since })) {
    for (const { id, sku, title, priceCents } of page.changed) {
      if (sku === null) continue;
      const item = { sku, title, priceCents };
      if (state.known.get(sku)?.text !== textOf(item)) await store.save(item);
      state.known.set(sku, { id, text: textOf(item) });
      missing.delete(id);
    }
    for (const id of page.deleted) missing.add(id);
    since = page.since;
  }
  for (const [sku, { id }] of state.known) {
    if (!missing.has(id)) continue;
    await store.remove(sku);
    state.known.delete(sku);
  }
  state.serviceSince = since;
}

function textOf({ sku, title, priceCents }: Item): string {
  return JSON.stringify([sku, title, priceCents]);
}

/** What is to be deleted may be gone already. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof BrandApiError && error.status === 404)) throw error;
}
