import { create } from './create.ts';
import { findDoubles } from './doubles.ts';
import type { Feed } from './feed.ts';
import type { Item } from './item.ts';
import { keyOf, textOf } from './item.ts';
import type { Job, Side } from './job.ts';
import type { News } from './news.ts';
import type { Known } from './state.ts';
import { CHANGING, MAYBE_MISSING } from './state.ts';

/** How many items are saved before the state is stored again. */
const GROUP = 250;

/**
 * Copies what changed in the service to the store.
 * @param news what changed in the store; what is replaced is taken out of it
 * @param winner with `'store'`, what both sides had stays as it is in the store
 */
export async function pull(job: Job, feed: Feed, news: News, winner?: Side): Promise<void> {
  const { store, fields, state, persist, report } = job;
  const { known, waiting } = state;
  const doubles = await findDoubles(job, feed, news);
  keepSpelling(known, news);
  // The key that each product has now, or null if it is deleted.
  const current = new Map<string, string | null>();
  if (feed.isWhole) {
    state.firstSince = feed.firstSince;
    for (const { id } of known.values()) current.set(id, null);
  }
  for (const id of feed.deleted) current.set(id, null);
  const keysBefore = new Map([...known].map(([key, { id }]) => [id, key]));
  const hasNew = [...feed.products.keys(), ...feed.deleted].some((id) => !keysBefore.has(id));
  /** The keys of products that somebody else has created or changed. */
  const theirs = new Set<string>();
  const sides = winner === 'store' ? keysOfSides(job, feed, news) : undefined;
  const products = [...feed.products];
  for (let start = 0; start < products.length; start += GROUP) {
    const fresh: { id: string; key: string; item: Item }[] = [];
    for (const [id, item] of products.slice(start, start + GROUP)) {
      const before = keysBefore.get(id);
      if (item === undefined) {
        current.delete(id);
        report(`${id}: not copied, because it has no SKU`);
        continue;
      }
      // A restore may have undone a change of its SKU. The store has the item under the one that it had before.
      const keepsSku =
        before !== undefined &&
        sides?.store.has(before) &&
        !sides.store.has(keyOf(item.sku)) &&
        !sides.service.has(before);
      const key = keepsSku ? before : keyOf(item.sku);
      if (doubles.has(key)) {
        current.delete(id);
        continue;
      }
      const [text, both, pushed] = [textOf(item, fields), known.get(key), waiting.get(key)];
      const isPushed = pushed !== undefined && text === textOf(pushed, fields);
      const isUnchanged = text === both?.text;
      const isMissing = !isInStore(both) && !sides?.store.has(key);
      const isFresh = !isUnchanged && !isPushed && (sides === undefined || isMissing);
      const sku = (both ?? news.changed.get(key) ?? pushed)?.sku ?? key;
      if (isFresh) {
        fresh.push({ id, key, item: { ...item, sku } });
        theirs.add(key);
        // The store has it again, so its next deletion is somebody else's.
        state.deleting = state.deleting.filter((one) => one !== id);
      }
      // Until the store has saved it.
      const pending = isMissing ? MAYBE_MISSING : CHANGING;
      known.set(key, { id, text: isFresh ? pending : text, sku });
      // What the service refused stays, whatever else of the product has changed.
      if (isPushed || !isUnchanged) waiting.delete(key);
      current.set(id, key);
    }
    // The ids come first: if a product is deleted after a crash, its item is found by the id.
    if (fresh.length > 0) await persist();
    for (const { id, key, item } of fresh) {
      await store.save(item);
      known.set(key, { id, text: textOf(item, fields), sku: item.sku });
      news.changed.delete(key);
      news.deleted.delete(key);
    }
  }
  if (hasNew) await recallCreations(job, theirs);
  state.creating = undefined;
  for (const [key, { id, sku }] of known) {
    const now = current.get(id);
    if (now === undefined || now === key) continue;
    // The mirror itself may have deleted it before a crash, because the store had. The store may have it again.
    const isOwn = now === null && state.deleting.includes(id);
    if (!isOwn && winner !== 'store') {
      await store.remove(sku);
      news.changed.delete(key);
    }
    if (!isOwn) waiting.delete(key);
    known.delete(key);
  }
  state.doubles = doubles;
  state.serviceSince = feed.since;
  state.firstSince = undefined;
  await persist();
}

/** Notes new spellings of SKUs in the store. */
function keepSpelling(known: Map<string, Known>, { changed }: News): void {
  for (const [key, { sku }] of changed) {
    const both = known.get(key);
    if (both && both.sku !== sku) known.set(key, { ...both, sku });
  }
}

/** Whether the store has the item of a product, as far as the mirror knows. */
function isInStore(both: Known | undefined): boolean {
  return both !== undefined && both.text !== MAYBE_MISSING;
}

/** The keys of each side. */
interface Keys {
  readonly service: ReadonlySet<string>;
  /** With those that both sides had: the store may have deleted them. */
  readonly store: ReadonlySet<string>;
}

/** Returns the keys of each side, before the winner `store` decides between their products. */
function keysOfSides({ state }: Job, feed: Feed, { changed }: News): Keys {
  const both = [...state.known].flatMap(([key, one]) => (isInStore(one) ? [key] : []));
  const service = [...feed.products.values()].flatMap((item) => (item ? keyOf(item.sku) : []));
  return { service: new Set(service), store: new Set([...both, ...changed.keys()]) };
}

/**
 * Finds out, after a crash, which products that are new in the service were created by the push that did not end: they
 * may have another SKU by now, or be deleted.
 *
 * If that push never arrived, this is it. So it is left out if it would write over what somebody else has created.
 */
async function recallCreations(job: Job, theirs: ReadonlySet<string>): Promise<void> {
  const { fields, state } = job;
  const { known, waiting, creating } = state;
  if (!creating?.items.some(({ sku }) => waiting.has(keyOf(sku)))) return;
  if (creating.items.some(({ sku }) => theirs.has(keyOf(sku)))) return;
  const results = await create(job, creating);
  for (const [index, item] of creating.items.entries()) {
    const id = results[index]?.id;
    const { sku } = item;
    const key = keyOf(sku);
    if (id && !known.has(key)) known.set(key, { id, text: textOf(item, fields), sku });
  }
}
