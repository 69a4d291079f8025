import { create } from './create.ts';
import { itemOf, keyOf, sourceOf, textOf } from './item.ts';
import type { Job } from './job.ts';
import type { News } from './news.ts';
import type { Known } from './state.ts';
import { idsOf, MAYBE_MISSING } from './state.ts';

/** How what the mirror knows by id is pushed. An unknown id is refused, so what was just deleted is not created again. */
const BY_ID = { match: 'id', lenient: true, minimal: true } as const;

/**
 * Copies what changed in the store to the service, and reports what the service refuses.
 * @param news what changed in the store, without what the pull has replaced
 */
export async function push(job: Job, news: News): Promise<void> {
  const { collection, state, persist, report } = job;
  const { known, waiting } = state;
  for (const [key, item] of news.changed) {
    if (known.get(key)?.text === textOf(item, job)) waiting.delete(key);
    else waiting.set(key, item);
  }
  for (const key of news.deleted) waiting.delete(key);
  const gone = [...news.deleted].flatMap((key) => {
    const both = known.get(key);
    return both ? { key, ...both } : [];
  });
  // These resources have got a key that is not theirs alone. To push their items would bring the old one back.
  const left = idsOf(state.doubles);
  const created = [...waiting].filter(([key]) => !known.has(key)).map(([, item]) => item);
  const updated = [...waiting].flatMap(([key, item]) => {
    const { id } = known.get(key) ?? {};
    return id === undefined || left.has(id) ? [] : [{ id, item }];
  });
  state.creating = { key: crypto.randomUUID(), items: created };
  // After a crash, the deletions of the mirror itself are no news from the service: the store may have the items again.
  state.deleting = gone.map(({ id }) => id);
  if (waiting.size + gone.length > 0) await persist();
  const deletions = await deletionsOf(job, gone, left);
  const changes = updated.map(({ id, item }) => ({ ...sourceOf(item, job), id }));
  // Before the creations, because a new item may take over the coupon code of one that is deleted or changed.
  const pushed = await collection.push([...deletions, ...changes], BY_ID);
  const results = [...pushed.slice(deletions.length), ...(await create(job, state.creating))];
  for (const [index, item] of [...updated.map((one) => one.item), ...created].entries()) {
    const [result, { spelling }] = [results[index], item];
    if (result?.status === 'refused') report(`${spelling}: ${result.error}`);
    else if (result?.id) {
      known.set(keyOf(spelling, job), { id: result.id, text: textOf(item, job), spelling });
      waiting.delete(keyOf(spelling, job));
    }
  }
  state.creating = undefined;
  state.deleting = [];
  state.pushesAll = false;
  state.storeSince = news.since;
  await persist();
}

/**
 * Returns the items that delete what the store has deleted, and forgets it. What somebody has changed meanwhile stays. A
 * change between this reading and the push is lost, because a deletion in a push has no `If-Match`.
 * @param left the ids of resources that stay, because they have doubled keys; each is new to the store once it has its own
 */
async function deletionsOf(
  job: Job,
  gone: readonly (Known & { readonly key: string })[],
  left: ReadonlySet<string>,
): Promise<{ readonly id: string; readonly deleted: true }[]> {
  // Changes that name no field write nothing, and show all resources as they are with one request.
  const ids = gone.map(({ id }) => ({ id }));
  const shown = await job.collection.push(ids, { match: 'id', lenient: true });
  return gone.flatMap(({ key, ...both }, index) => {
    const { id, text } = both;
    const now = shown[index];
    job.state.known.delete(key);
    // A product that is not found is gone already.
    if (left.has(id) || now === undefined || now.status === 'refused') return [];
    const item = 'resource' in now && now.resource ? itemOf(now.resource, job) : undefined;
    if (item && textOf(item, job) === text) return { id, deleted: true };
    // The next pull that reports it brings it back, even if it is again what both sides had.
    job.state.known.set(key, { ...both, text: MAYBE_MISSING });
    return [];
  });
}
