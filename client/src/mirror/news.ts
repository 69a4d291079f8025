import type { Feed } from './feed.ts';
import { tells } from './feed.ts';
import type { Item, ItemFields } from './item.ts';
import { keyOf } from './item.ts';
import type { Job, StoreChanges } from './job.ts';
import { readStore } from './store.ts';

/** What changed in a store since the last push, by key. What the service's changes replace is taken out of it. */
export interface News {
  /** Each changed item, as it is now; any one of them if several have the key. */
  readonly changed: Map<string, Item>;
  /** The keys that the store does not have any more. */
  readonly deleted: Set<string>;
  /** How the store spells the keys of the changed items, by key. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
  /** The token to continue from. */
  readonly since: string;
  /** Whether `changed` has all items of the store. */
  readonly isWhole: boolean;
}

/**
 * Reads what changed in the store. Reads all its items if what it reports could concern several items with one key, or
 * if the next push needs them.
 */
export async function readNews(job: Job, feed: Feed): Promise<News> {
  const { state } = job;
  const reported = await readStore(job, state.storeSince);
  const isWhole = state.pushesAll || isUnclear(reported, job) || concernsDoubles(feed, job);
  const { changed } = isWhole ? await readStore(job, undefined) : reported;
  const items = byKey(changed, job);
  const keys = reported.deleted.map((spelling) => keyOf(spelling, job));
  const deleted = new Set(keys.filter((key) => !items.changed.has(key)));
  return { ...items, deleted, since: reported.since, isWhole };
}

/** Returns items by key, and how each key is spelled. */
export function byKey(items: readonly Item[], by: ItemFields): Pick<News, 'changed' | 'spellings'> {
  const changed = new Map<string, Item>();
  const spellings = new Map<string, string[]>();
  for (const item of items) {
    const key = keyOf(item.spelling, by);
    changed.set(key, item);
    spellings.set(key, [...(spellings.get(key) ?? []), item.spelling]);
  }
  return { changed, spellings };
}

/** Whether a report leaves open how many items of the store have a key: one is spelled in a new way, or repeated. */
function isUnclear({ changed, deleted }: StoreChanges<Item>, job: Job): boolean {
  const { known, waiting, doubles } = job.state;
  const spellings = changed.map(({ spelling }) => spelling);
  if (new Set(spellings.map((one) => keyOf(one, job))).size < spellings.length) return true;
  return [...spellings, ...deleted].some((spelling) => {
    const key = keyOf(spelling, job);
    const both = known.get(key) ?? waiting.get(key);
    return doubles.has(key) || (both !== undefined && both.spelling !== spelling);
  });
}

/** Whether a resource with a doubled key has changed, or had such a key before. */
function concernsDoubles(feed: Feed, job: Job): boolean {
  const { doubles } = job.state;
  if (doubles.size === 0) return false;
  const items = [...feed.resources.values()];
  const now = items.some((item) => item && doubles.has(keyOf(item.spelling, job)));
  return now || [...doubles.values()].some(({ ids }) => ids.some((id) => tells(feed, id)));
}
