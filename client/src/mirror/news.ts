import type { Feed } from './feed.ts';
import { tells } from './feed.ts';
import type { Item, MirrorField } from './item.ts';
import { keyOf, pick } from './item.ts';
import type { Job, StoreChanges } from './job.ts';
import type { State } from './state.ts';
import { readStore } from './store.ts';

/** What changed in a store since the last push, by key. What the service's changes replace is taken out of it. */
export interface News {
  /** Each changed item, as it is now; any one of them if several have the key. */
  readonly changed: Map<string, Item>;
  /** The keys that the store does not have any more. */
  readonly deleted: Set<string>;
  /** The SKUs of the changed items of each key, as the store spells them. */
  readonly skus: ReadonlyMap<string, readonly string[]>;
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
  const { fields, state } = job;
  const reported = await readStore(job, state.storeSince);
  const isWhole = state.pushesAll || isUnclear(reported, state) || concernsDoubles(feed, state);
  const { changed } = isWhole ? await readStore(job, undefined) : reported;
  const items = byKey(changed, fields);
  const deleted = new Set(reported.deleted.map(keyOf).filter((key) => !items.changed.has(key)));
  return { ...items, deleted, since: reported.since, isWhole };
}

/** Returns items by key, and the SKUs that have each key. */
export function byKey(
  sources: readonly Item[],
  fields: readonly MirrorField[],
): Pick<News, 'changed' | 'skus'> {
  const changed = new Map<string, Item>();
  const skus = new Map<string, string[]>();
  for (const source of sources) {
    const key = keyOf(source.sku);
    changed.set(key, pick(source, fields));
    skus.set(key, [...(skus.get(key) ?? []), source.sku]);
  }
  return { changed, skus };
}

/** Whether a report leaves open how many items of the store have a key: one is spelled in a new way, or repeated. */
function isUnclear(
  { changed, deleted }: StoreChanges<Item>,
  { known, waiting, doubles }: State,
): boolean {
  const skus = changed.map(({ sku }) => sku);
  if (new Set(skus.map(keyOf)).size < skus.length) return true;
  return [...skus, ...deleted].some((sku) => {
    const key = keyOf(sku);
    const both = known.get(key) ?? waiting.get(key);
    return doubles.has(key) || (both !== undefined && both.sku !== sku);
  });
}

/** Whether a product with a doubled key has changed, or had such a key before. */
function concernsDoubles(feed: Feed, { doubles }: State): boolean {
  if (doubles.size === 0) return false;
  const now = [...feed.products.values()].some((item) => item && doubles.has(keyOf(item.sku)));
  return now || [...doubles.values()].some(({ ids }) => ids.some((id) => tells(feed, id)));
}
