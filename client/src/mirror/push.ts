import { create } from './create.ts';
import type { Item } from './item.ts';
import { itemOf, pick, textOf } from './item.ts';
import type { Job, StoreChanges } from './job.ts';
import { isStatus } from './job.ts';
import type { Known } from './state.ts';
import { MAYBE_MISSING } from './state.ts';

/** How often a product is read again that changes while it is deleted. */
const TRIES = 5;

/** Copies what changed in the store to the service, and reports what the service refuses. */
export async function push(job: Job): Promise<void> {
  const { products, fields, state, persist, report } = job;
  const { known, waiting } = state;
  const { changed, deleted, since } = await changesOf(job);
  for (const source of changed) {
    const item = pick(source, fields);
    if (known.get(item.sku)?.text === textOf(item, fields)) waiting.delete(item.sku);
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
  if (waiting.size > 0) await persist();
  const results = [
    ...(await create(job, state.creating)),
    ...(await products.push(updated, { match: 'id', lenient: true, minimal: true })),
  ];
  for (const [index, item] of [...created, ...updated].entries()) {
    const result = results[index];
    if (result?.status === 'refused') report(`${item.sku}: ${result.error}`);
    else if (result?.id) {
      known.set(item.sku, { id: result.id, text: textOf(item, fields) });
      waiting.delete(item.sku);
    }
  }
  // After a crash, the deletions of the mirror itself are no news from the service: the store may have the items again.
  state.deleting = deleted.flatMap((sku) => known.get(sku)?.id ?? []);
  if (state.deleting.length > 0) await persist();
  for (const sku of deleted) {
    const both = known.get(sku);
    if (both === undefined) continue;
    if (await remove(job, both)) known.delete(sku);
    // The next pull that reports it brings it back, even if it is again what both sides had.
    else known.set(sku, { id: both.id, text: MAYBE_MISSING });
  }
  state.creating = undefined;
  state.deleting = [];
  state.pushesAll = false;
  state.storeSince = since;
  await persist();
}

/**
 * Returns what changed in the store since the last push, or all its items and what was deleted since then. An item that
 * is there again is not deleted.
 */
async function changesOf({ store, state }: Job): Promise<StoreChanges<Item>> {
  const changes = await store.changes(state.storeSince);
  const { changed } = state.pushesAll ? await store.changes(undefined) : changes;
  const there = new Set(changed.map(({ sku }) => sku));
  return { ...changes, changed, deleted: changes.deleted.filter((sku) => !there.has(sku)) };
}

/**
 * Deletes a product, unless somebody has changed what the mirror copies of it. Returns whether it is gone; if not, the
 * next pull brings it.
 */
async function remove({ products, fields }: Job, { id, text }: Known): Promise<boolean> {
  for (let left = TRIES; ; left--) {
    try {
      const { data, etag } = await products.get(id);
      const item = itemOf(data, fields);
      if (item === undefined || textOf(item, fields) !== text) return false;
      await products.delete(id, { ifMatch: etag });
      return true;
    } catch (error) {
      if (isStatus(error, 404)) return true;
      // Somebody has changed it, perhaps only what the mirror does not copy.
      if (left === 1 || !isStatus(error, 412)) throw error;
    }
  }
}
