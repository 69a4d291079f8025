import type { Feed } from './feed.ts';
import { tells } from './feed.ts';
import { itemOf, keyOf } from './item.ts';
import type { Job } from './job.ts';
import { isStatus } from './job.ts';
import type { News } from './news.ts';
import type { Double } from './state.ts';
import { idsOf } from './state.ts';

/**
 * Finds and reports the keys that several items of the store or several resources have: which of them belong together is
 * for a person to decide. Takes these items out of the news. Of a key that has become unique, adds the item and the
 * resource to what is copied: both may have changed meanwhile.
 *
 * Returns the keys that are doubled now. The state keeps the old ones until the pull has ended: if it does not, the next
 * run needs them.
 */
export async function findDoubles(job: Job, feed: Feed, news: News): Promise<Map<string, Double>> {
  const { state, report } = job;
  const { known, waiting } = state;
  const doubles = new Map<string, Double>();
  for (const [key, ids] of resourcesByKey(job, feed, news)) {
    const before = state.doubles.get(key);
    const spellings = news.spellings.get(key) ?? (news.isWhole ? [] : (before?.spellings ?? []));
    if (ids.length > 1 || spellings.length > 1) {
      doubles.set(key, { spellings, ids });
      // If one side does not have it any more, the mirror forgets that both had it. So it deletes nothing later.
      const { id } = known.get(key) ?? {};
      if (news.deleted.has(key) || (id !== undefined && !ids.includes(id))) known.delete(key);
      for (const map of [waiting, news.changed, news.deleted]) map.delete(key);
    } else if (before !== undefined) {
      const item = news.changed.get(key);
      if (item) waiting.set(key, item);
      for (const id of ids) await addResource(job, feed, key, id);
    }
  }
  for (const [key, { spellings, ids }] of doubles) {
    const quoted = spellings.map((spelling) => JSON.stringify(spelling));
    if (spellings.length > 1) report(problem(job, key, 'items of the store', quoted));
    if (ids.length > 1) report(problem(job, key, job.nouns, ids));
  }
  // A pull that breaks off has stored that these are in the news no more. Without this, the next would copy one of them.
  state.doubles = new Map([...state.doubles, ...doubles]);
  const left = idsOf(doubles);
  for (const [key, { id }] of known) {
    if (!left.has(id) || doubles.has(key)) continue;
    report(`${key}: not copied, because ${id} has another ${job.key} now`);
  }
  return doubles;
}

/** Returns the ids of the resources that have each key that the feed has, that was doubled, or that the store has twice. */
function resourcesByKey(job: Job, feed: Feed, { spellings }: News): Map<string, string[]> {
  const { known, doubles } = job.state;
  const repeated = [...spellings].flatMap(([key, { length }]) => (length > 1 ? key : []));
  const found = new Map([...doubles.keys(), ...repeated].map((key) => [key, new Set<string>()]));
  for (const [id, item] of feed.resources) {
    if (item === undefined) continue;
    const key = keyOf(item.spelling, job);
    found.set(key, (found.get(key) ?? new Set()).add(id));
  }
  const left = idsOf(doubles);
  for (const [key, ids] of found) {
    for (const id of doubles.get(key)?.ids ?? []) if (!tells(feed, id)) ids.add(id);
    const { id } = known.get(key) ?? {};
    // It may have got a doubled key, and not this one.
    if (id !== undefined && !tells(feed, id) && !left.has(id)) ids.add(id);
  }
  return new Map([...found].map(([key, ids]) => [key, [...ids]]));
}

/** Adds a resource to a feed, as it is now, unless it has another key by now: then the next feed has it. */
async function addResource(job: Job, feed: Feed, key: string, id: string): Promise<void> {
  if (feed.resources.has(id)) return;
  try {
    const item = itemOf((await job.collection.get(id)).data, job);
    if (item && keyOf(item.spelling, job) === key) feed.resources.set(id, item);
  } catch (error) {
    if (!isStatus(error, 404)) throw error;
  }
}

function problem(job: Job, key: string, what: string, which: readonly string[]): string {
  const { length } = which;
  return `${key}: not copied, because ${length} ${what} have this ${job.key}: ${which.join(', ')}`;
}
