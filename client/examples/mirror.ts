// The README shows this file. There the import is from 'brand-integration-client'.
import type { BrandClient } from '../src/index.ts';
import { BrandApiError } from '../src/index.ts';

/** What both sides keep of a product. Its SKU identifies it. */
export interface Item {
  readonly sku: string;
  readonly title: string;
  readonly priceCents: number;
}

/** Your side. It keeps values exactly as they are given. */
export interface Store {
  /** What changed since a token, as it is now, the SKUs of what was deleted, and the token to continue from. */
  changes(since: string): Promise<{ changed: Item[]; deleted: string[]; since: string }>;
  /** Creates or changes an item. */
  save(item: Item): Promise<void>;
  /** Deletes an item, if it is there. */
  remove(sku: string): Promise<void>;
}

/** How far the mirror is. Start with '0', '0' and two empty maps. */
export interface MirrorState {
  storeSince: string;
  serviceSince: string;
  /** What both sides have, by SKU. A change to what is known already is an echo. */
  readonly known: Map<string, { readonly id: string; readonly text: string }>;
  /** Changes of the store that are being pushed, or that the service refused, by SKU. */
  readonly waiting: Map<string, Item>;
  /** The creations that are being pushed. After a crash, the same request gives the same ids. */
  creating?: { readonly key: string; readonly items: readonly Item[] } | undefined;
}

export interface Mirror {
  readonly products: BrandClient['products'];
  readonly store: Store;
  readonly state: MirrorState;
  /** Stores the state, as a whole. Load it from there for the next run. */
  readonly persist: (state: MirrorState) => Promise<void>;
  /** Called for what cannot be copied. Refused items are tried again in the next run. */
  readonly report: (problem: string) => void;
}

/**
 * Brings a store and the service in step, in both directions. If both changed an item, the service's change wins.
 * @param winner whose products are right after a 410, if the service lacks or has changed what both sides had
 */
export async function mirror(job: Mirror, winner?: 'service' | 'store'): Promise<void> {
  const { products, state } = job;
  // Pull first: the push then knows which changes of the store are out of date.
  try {
    await pull(job, state.serviceSince);
  } catch (error) {
    if (!isStatus(error, 410)) throw error;
    if (winner === undefined) await refuseLoss(products, state);
    if (winner === 'store') state.storeSince = '0';
    await pull(job, '0', winner);
  }
  await push(job);
}

async function pull(job: Mirror, from: string, winner?: 'service' | 'store'): Promise<void> {
  const { products, store, state, persist, report } = job;
  const { known, waiting } = state;
  // The SKU that each product has now, or null if it is deleted. From the beginning, what does not appear is deleted.
  const current = new Map<string, string | null>();
  if (from === '0') for (const { id } of known.values()) current.set(id, null);
  let since = from;
  for await (const page of products.changes({ since })) {
    const fresh: { id: string; item: Item }[] = [];
    for (const { id, sku, title, priceCents } of page.changed) {
      if (sku === null) {
        current.delete(id);
        report(`${id}: not copied, because it has no SKU`);
        continue;
      }
      const item = { sku, title, priceCents };
      const [text, before, pushed] = [textOf(item), known.get(sku), waiting.get(sku)];
      const isEcho = text === before?.text || (pushed !== undefined && text === textOf(pushed));
      const isFresh = !isEcho && !(winner === 'store' && before !== undefined);
      if (isFresh) fresh.push({ id, item });
      known.set(sku, { id, text: isFresh ? '' : text });
      waiting.delete(sku);
      current.set(id, sku);
    }
    for (const id of page.deleted) current.set(id, null);
    // The ids come first: if a product is deleted after a crash, its item is found by the id.
    if (fresh.length > 0) await persist(state);
    for (const { id, item } of fresh) {
      await store.save(item);
      known.set(item.sku, { id, text: textOf(item) });
    }
    since = page.since;
  }
  await recallCreations(job, current);
  for (const [sku, { id }] of known) {
    const now = current.get(id);
    if (now === undefined || now === sku) continue;
    if (winner !== 'store') await store.remove(sku);
    known.delete(sku);
    waiting.delete(sku);
  }
  state.serviceSince = since;
  await persist(state);
}

/** Finds out, after a crash, whether a product that is deleted now was created by the push that did not end. */
async function recallCreations(
  { products, state }: Mirror,
  current: ReadonlyMap<string, string | null>,
): Promise<void> {
  const { known, creating } = state;
  const ids = new Set([...known.values()].map(({ id }) => id));
  if (creating !== undefined && [...current.keys()].some((id) => !ids.has(id))) {
    const results = await create(products, creating);
    for (const [index, item] of creating.items.entries()) {
      const id = results[index]?.id;
      if (id && !known.has(item.sku)) known.set(item.sku, { id, text: textOf(item) });
    }
  }
  state.creating = undefined;
}

async function push({ products, store, state, persist, report }: Mirror): Promise<void> {
  const { known, waiting } = state;
  const { changed, deleted, since } = await store.changes(state.storeSince);
  for (const item of changed) {
    if (known.get(item.sku)?.text === textOf(item)) waiting.delete(item.sku);
    else waiting.set(item.sku, item);
  }
  for (const sku of deleted) waiting.delete(sku);
  const created = [...waiting.values()].filter(({ sku }) => !known.has(sku));
  // By id, because an unknown id is refused: a product that was just deleted is not created again.
  const updated = [...waiting.values()].flatMap((item) => {
    const { id } = known.get(item.sku) ?? {};
    return id === undefined ? [] : [{ ...item, id }];
  });
  state.creating = { key: crypto.randomUUID(), items: created };
  if (waiting.size > 0) await persist(state);
  const results = [
    ...(await create(products, state.creating)),
    ...(await products.push(updated, { match: 'id', lenient: true, minimal: true })),
  ];
  for (const [index, item] of [...created, ...updated].entries()) {
    const result = results[index];
    if (result?.status === 'refused') report(`${item.sku}: ${result.error}`);
    else if (result?.id) {
      known.set(item.sku, { id: result.id, text: textOf(item) });
      waiting.delete(item.sku);
    }
  }
  for (const sku of deleted) {
    const both = known.get(sku);
    if (both !== undefined && (await remove(products, both))) known.delete(sku);
  }
  state.creating = undefined;
  state.storeSince = since;
  await persist(state);
}

async function create(
  products: Mirror['products'],
  { key, items }: NonNullable<MirrorState['creating']>,
): ReturnType<Mirror['products']['push']> {
  const options = { match: 'sku', lenient: true, minimal: true, idempotencyKey: key } as const;
  return products.push(items, options);
}

/** Deletes a product, unless somebody has changed it. Returns whether it is gone; if not, the next pull brings it. */
async function remove(
  products: Mirror['products'],
  { id, text }: { readonly id: string; readonly text: string },
): Promise<boolean> {
  try {
    const { data, etag } = await products.get(id);
    if (textOf(data) !== text) return false;
    await products.delete(id, { ifMatch: etag });
  } catch (error) {
    if (isStatus(error, 412)) return false;
    if (!isStatus(error, 404)) throw error;
  }
  return true;
}

/** @throws Error if the service has lost or changed what both sides had, as after a restored backup */
async function refuseLoss(products: Mirror['products'], { known }: MirrorState): Promise<void> {
  const texts = new Map<string, string>();
  for await (const { changed } of products.changes()) {
    for (const product of changed) texts.set(product.id, textOf(product));
  }
  const differences = [...known].flatMap(([sku, { id, text }]) => {
    const now = texts.get(id);
    return now === text
      ? []
      : [`${sku} ${now === undefined ? 'would be removed' : 'would change'}`];
  });
  if (differences.length === 0) return;
  throw new Error(`410: choose whose products are right. In the store, ${differences.join(', ')}.`);
}

function textOf(item: { sku: string | null; title: string; priceCents: number }): string {
  return JSON.stringify([item.sku, item.title, item.priceCents]);
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof BrandApiError && error.status === status;
}
