import { create } from './create.ts';
import { findDoubles } from './doubles.ts';
import type { Feed } from './feed.ts';
import type { Item } from './item.ts';
import { keyOf, sourceOf, textOf } from './item.ts';
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
  const { store, state, persist, report } = job;
  const { known, waiting } = state;
  const doubles = await findDoubles(job, feed, news);
  keepSpelling(known, news);
  // The key that each resource has now, or null if it is deleted.
  const current = new Map<string, string | null>();
  if (feed.isWhole) {
    state.firstSince = feed.firstSince;
    for (const { id } of known.values()) current.set(id, null);
  }
  for (const id of feed.deleted) current.set(id, null);
  const keysBefore = new Map([...known].map(([key, { id }]) => [id, key]));
  const hasNew = [...feed.resources.keys(), ...feed.deleted].some((id) => !keysBefore.has(id));
  /** The keys of resources that somebody else has created or changed. */
  const theirs = new Set<string>();
  const sides = winner === 'store' ? keysOfSides(job, feed, news) : undefined;
  const resources = [...feed.resources];
  for (let start = 0; start < resources.length; start += GROUP) {
    const fresh: { id: string; key: string; item: Item }[] = [];
    for (const [id, item] of resources.slice(start, start + GROUP)) {
      const before = keysBefore.get(id);
      if (item === undefined) {
        current.delete(id);
        report(`${id}: not copied, because it has no ${job.key}`);
        continue;
      }
      const own = keyOf(item.spelling, job);
      // A restore may have undone a change of its key. The store has the item under the one that it had before.
      const keepsKey =
        before !== undefined &&
        sides?.store.has(before) &&
        !sides.store.has(own) &&
        !sides.service.has(before);
      const key = keepsKey ? before : own;
      if (doubles.has(key)) {
        current.delete(id);
        continue;
      }
      const [text, both, pushed] = [textOf(item, job), known.get(key), waiting.get(key)];
      const isPushed = pushed !== undefined && text === textOf(pushed, job);
      const isUnchanged = text === both?.text;
      const isMissing = !isInStore(both) && !sides?.store.has(key);
      const isFresh = !isUnchanged && !isPushed && (sides === undefined || isMissing);
      const spelling = (both ?? news.changed.get(key) ?? pushed)?.spelling ?? item.spelling;
      if (isFresh) {
        fresh.push({ id, key, item: { ...item, spelling } });
        theirs.add(key);
        // The store has it again, so its next deletion is somebody else's.
        state.deleting = state.deleting.filter((one) => one !== id);
      }
      // Until the store has saved it.
      const pending = isMissing ? MAYBE_MISSING : CHANGING;
      known.set(key, { id, text: isFresh ? pending : text, spelling });
      // What the service refused stays, whatever else of the resource has changed.
      if (isPushed || !isUnchanged) waiting.delete(key);
      current.set(id, key);
    }
    // The ids come first: if a resource is deleted after a crash, its item is found by the id.
    if (fresh.length > 0) await persist();
    for (const { id, key, item } of fresh) {
      await store.save(sourceOf(item, job));
      known.set(key, { id, text: textOf(item, job), spelling: item.spelling });
      news.changed.delete(key);
      news.deleted.delete(key);
    }
  }
  if (hasNew) await recallCreations(job, theirs);
  state.creating = undefined;
  for (const [key, { id, spelling }] of known) {
    const now = current.get(id);
    if (now === undefined || now === key) continue;
    // The mirror itself may have deleted it before a crash, because the store had. The store may have it again.
    const isOwn = now === null && state.deleting.includes(id);
    if (!isOwn && winner !== 'store') {
      await store.remove(spelling);
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

/** Notes new spellings of keys in the store. */
function keepSpelling(known: Map<string, Known>, { changed }: News): void {
  for (const [key, { spelling }] of changed) {
    const both = known.get(key);
    if (both && both.spelling !== spelling) known.set(key, { ...both, spelling });
  }
}

/** Whether the store has the item of a resource, as far as the mirror knows. */
function isInStore(both: Known | undefined): boolean {
  return both !== undefined && both.text !== MAYBE_MISSING;
}

/** The keys of each side. */
interface Keys {
  readonly service: ReadonlySet<string>;
  /** With those that both sides had: the store may have deleted them. */
  readonly store: ReadonlySet<string>;
}

/** Returns the keys of each side, before the winner `store` decides between their items. */
function keysOfSides(job: Job, feed: Feed, { changed }: News): Keys {
  const both = [...job.state.known].flatMap(([key, one]) => (isInStore(one) ? [key] : []));
  const service = [...feed.resources.values()].flatMap((item) =>
    item ? keyOf(item.spelling, job) : [],
  );
  return { service: new Set(service), store: new Set([...both, ...changed.keys()]) };
}

/**
 * Finds out, after a crash, which resources that are new in the service were created by the push that did not end: they
 * may have another key by now, or be deleted.
 *
 * If that push never arrived, this is it. So it is left out if it would write over what somebody else has created.
 */
async function recallCreations(job: Job, theirs: ReadonlySet<string>): Promise<void> {
  const { known, waiting, creating } = job.state;
  const keys = creating?.items.map(({ spelling }) => keyOf(spelling, job)) ?? [];
  if (creating === undefined || !keys.some((key) => waiting.has(key))) return;
  if (keys.some((key) => theirs.has(key))) return;
  const results = await create(job, creating);
  for (const [index, item] of creating.items.entries()) {
    const id = results[index]?.id;
    const { spelling } = item;
    const key = keyOf(spelling, job);
    if (id && !known.has(key)) known.set(key, { id, text: textOf(item, job), spelling });
  }
}
