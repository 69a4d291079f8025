import type { Item } from './item.ts';
import { itemOf, textOf } from './item.ts';
import { create } from './create.ts';
import type { Job, Side } from './job.ts';

/**
 * Copies what changed in the service to the store.
 * @param from the token to start from; with `'0'`, a product that does not appear is deleted
 * @param winner with `'store'`, what both sides had stays as it is in the store
 */
export async function pull(job: Job, from: string, winner?: Side): Promise<void> {
  const { products, store, fields, state, persist, report } = job;
  const { known, waiting } = state;
  // The SKU that each product has now, or null if it is deleted.
  const current = new Map<string, string | null>();
  if (from === '0') for (const { id } of known.values()) current.set(id, null);
  let since = from;
  for await (const page of products.changes({ since })) {
    const fresh: { id: string; item: Item }[] = [];
    for (const product of page.changed) {
      const { id } = product;
      const item = itemOf(product, fields);
      if (item === undefined) {
        current.delete(id);
        report(`${id}: not copied, because it has no SKU`);
        continue;
      }
      const { sku } = item;
      const [text, before, pushed] = [textOf(item, fields), known.get(sku), waiting.get(sku)];
      const isEcho =
        text === before?.text || (pushed !== undefined && text === textOf(pushed, fields));
      const isFresh = !isEcho && !(winner === 'store' && before !== undefined);
      if (isFresh) fresh.push({ id, item });
      known.set(sku, { id, text: isFresh ? '' : text });
      waiting.delete(sku);
      current.set(id, sku);
    }
    for (const id of page.deleted) current.set(id, null);
    // The ids come first: if a product is deleted after a crash, its item is found by the id.
    if (fresh.length > 0) await persist();
    for (const { id, item } of fresh) {
      await store.save(item);
      known.set(item.sku, { id, text: textOf(item, fields) });
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
  await persist();
}

/** Finds out, after a crash, whether a product that is deleted now was created by the push that did not end. */
async function recallCreations(
  job: Job,
  current: ReadonlyMap<string, string | null>,
): Promise<void> {
  const { fields, state } = job;
  const { known, creating } = state;
  const ids = new Set([...known.values()].map(({ id }) => id));
  if (creating !== undefined && [...current.keys()].some((id) => !ids.has(id))) {
    const results = await create(job, creating);
    for (const [index, item] of creating.items.entries()) {
      const id = results[index]?.id;
      if (id && !known.has(item.sku)) known.set(item.sku, { id, text: textOf(item, fields) });
    }
  }
  state.creating = undefined;
}
