import { create } from './create.ts';
import { itemOf, keyOf, textOf } from './item.ts';
import type { Job } from './job.ts';
import { isStatus } from './job.ts';
import type { News } from './news.ts';
import type { Known } from './state.ts';
import { idsOf, MAYBE_MISSING } from './state.ts';

/** How often a product is read again that changes while it is deleted. */
const TRIES = 5;

/**
 * Copies what changed in the store to the service, and reports what the service refuses.
 * @param news what changed in the store, without what the pull has replaced
 */
export async function push(job: Job, news: News): Promise<void> {
  const { products, fields, state, persist, report } = job;
  const { known, waiting } = state;
  for (const [key, item] of news.changed) {
    if (known.get(key)?.text === textOf(item, fields)) waiting.delete(key);
    else waiting.set(key, item);
  }
  for (const key of news.deleted) waiting.delete(key);
  // These products have got a key that is not theirs alone. To push their items would bring the old one back.
  const left = idsOf(state.doubles);
  const created = [...waiting].filter(([key]) => !known.has(key)).map(([, item]) => item);
  // By id, because an unknown id is refused: a product that was just deleted is not created again.
  const updated = [...waiting].flatMap(([key, item]) => {
    const { id } = known.get(key) ?? {};
    return id === undefined || left.has(id) ? [] : [{ ...item, id }];
  });
  state.creating = { key: crypto.randomUUID(), items: created };
  if (waiting.size > 0) await persist();
  const results = [
    ...(await create(job, state.creating)),
    ...(await products.push(updated, { match: 'id', lenient: true, minimal: true })),
  ];
  for (const [index, item] of [...created, ...updated].entries()) {
    const [result, { sku }] = [results[index], item];
    if (result?.status === 'refused') report(`${sku}: ${result.error}`);
    else if (result?.id) {
      known.set(keyOf(sku), { id: result.id, text: textOf(item, fields), sku });
      waiting.delete(keyOf(sku));
    }
  }
  // After a crash, the deletions of the mirror itself are no news from the service: the store may have the items again.
  state.deleting = [...news.deleted].flatMap((key) => known.get(key)?.id ?? []);
  if (state.deleting.length > 0) await persist();
  for (const key of news.deleted) {
    const both = known.get(key);
    if (both === undefined) continue;
    // A product that has a doubled key stays, and is new to the store once it has its own.
    if (left.has(both.id) || (await remove(job, both))) known.delete(key);
    // The next pull that reports it brings it back, even if it is again what both sides had.
    else known.set(key, { ...both, text: MAYBE_MISSING });
  }
  state.creating = undefined;
  state.deleting = [];
  state.pushesAll = false;
  state.storeSince = news.since;
  await persist();
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
