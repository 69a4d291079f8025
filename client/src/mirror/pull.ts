import type { Item } from './item.ts';
import { itemOf, textOf } from './item.ts';
import { create } from './create.ts';
import type { Job, Side } from './job.ts';
import type { Known } from './state.ts';
import { CHANGING, MAYBE_MISSING } from './state.ts';

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
  const skusBefore = new Map([...known].map(([sku, { id }]) => [id, sku]));
  let hasNew = false;
  /** The SKUs of products that somebody else has created or changed. */
  const theirs = new Set<string>();
  let since = from;
  const sides = winner === 'store' ? await skusOf(job, from) : undefined;
  for await (const page of products.changes({ since })) {
    if (since === '0') state.firstSince = page.since;
    const fresh: { id: string; item: Item }[] = [];
    for (const product of page.changed) {
      const { id } = product;
      const before = skusBefore.get(id);
      hasNew ||= before === undefined;
      const item = itemOf(product, fields);
      if (item === undefined) {
        current.delete(id);
        report(`${id}: not copied, because it has no SKU`);
        continue;
      }
      // A restore may have undone a change of its SKU. The store has the item under the one that it had before.
      const keepsSku =
        before !== undefined &&
        sides?.store.has(before) &&
        !sides.store.has(item.sku) &&
        !sides.service.has(before);
      const sku = keepsSku ? before : item.sku;
      const [text, both, pushed] = [textOf(item, fields), known.get(sku), waiting.get(sku)];
      const isPushed = pushed !== undefined && text === textOf(pushed, fields);
      const isUnchanged = text === both?.text;
      const isMissing = !isInStore(both) && !sides?.store.has(sku);
      const isFresh = !isUnchanged && !isPushed && (sides === undefined || isMissing);
      if (isFresh) {
        fresh.push({ id, item });
        theirs.add(sku);
        // The store has it again, so its next deletion is somebody else's.
        state.deleting = state.deleting.filter((one) => one !== id);
      }
      // Until the store has saved it.
      const pending = isMissing ? MAYBE_MISSING : CHANGING;
      known.set(sku, { id, text: isFresh ? pending : text });
      // What the service refused stays, whatever else of the product has changed.
      if (isPushed || !isUnchanged) waiting.delete(sku);
      current.set(id, sku);
    }
    for (const id of page.deleted) {
      hasNew ||= !skusBefore.has(id);
      current.set(id, null);
    }
    // The ids come first: if a product is deleted after a crash, its item is found by the id.
    if (fresh.length > 0) await persist();
    for (const { id, item } of fresh) {
      await store.save(item);
      known.set(item.sku, { id, text: textOf(item, fields) });
    }
    since = page.since;
  }
  if (hasNew) await recallCreations(job, theirs);
  state.creating = undefined;
  for (const [sku, { id }] of known) {
    const now = current.get(id);
    if (now === undefined || now === sku) continue;
    // The mirror itself may have deleted it before a crash, because the store had. The store may have it again.
    const isOwn = now === null && state.deleting.includes(id);
    if (!isOwn && winner !== 'store') await store.remove(sku);
    if (!isOwn) waiting.delete(sku);
    known.delete(sku);
  }
  state.serviceSince = since;
  state.firstSince = undefined;
  await persist();
}

/** Whether the store has the item of a product, as far as the mirror knows. */
function isInStore(both: Known | undefined): boolean {
  return both !== undefined && both.text !== MAYBE_MISSING;
}

/** The SKUs of each side. */
interface Skus {
  readonly service: ReadonlySet<string>;
  /** With those that both sides had: the store may have deleted them. */
  readonly store: ReadonlySet<string>;
}

/** Reads the SKUs of both sides, before the winner `store` decides between their products. */
async function skusOf({ products, store, state }: Job, since: string): Promise<Skus> {
  const { changed } = await store.changes(undefined);
  const both = [...state.known].flatMap(([sku, one]) => (isInStore(one) ? [sku] : []));
  const service = new Set<string>();
  for await (const page of products.changes({ since })) {
    for (const { sku } of page.changed) if (sku !== null) service.add(sku);
  }
  return { service, store: new Set([...both, ...changed.map(({ sku }) => sku)]) };
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
  if (!creating?.items.some(({ sku }) => waiting.has(sku))) return;
  if (creating.items.some(({ sku }) => theirs.has(sku))) return;
  const results = await create(job, creating);
  for (const [index, item] of creating.items.entries()) {
    const id = results[index]?.id;
    if (id && !known.has(item.sku)) known.set(item.sku, { id, text: textOf(item, fields) });
  }
}
