import { expectOption } from '../options.ts';
import type { Item, ItemFields } from './item.ts';
import { itemOf } from './item.ts';
import type { Job, StoreChanges } from './job.ts';

/**
 * Reads the changes of a store after a token, or all its items.
 * @throws TypeError if the answer cannot be used. Without a token, for example, the next run would see no deletion
 */
export async function readStore(
  job: Pick<Job, 'store' | keyof ItemFields>,
  since: string | undefined,
): Promise<StoreChanges<Item>> {
  const answer = changesIn(await job.store.changes(since), job);
  const what = `{ changed, deleted, since }, with a non-empty string as since and strings as ${job.key}`;
  expectOption(answer !== undefined, 'the result of store.changes', what);
  return answer;
}

/** Returns the changes in an answer of a store, or undefined if it cannot be used. */
function changesIn(answer: unknown, by: ItemFields): StoreChanges<Item> | undefined {
  const [changed, deleted, since] = ['changed', 'deleted', 'since'].map((name) =>
    memberOf(answer, name),
  );
  if (!Array.isArray(changed) || !Array.isArray(deleted)) return undefined;
  if (typeof since !== 'string' || since === '') return undefined;
  const items = changed.map((item: unknown) =>
    typeof item === 'object' && item !== null ? itemOf(item, by) : undefined,
  );
  const isItem = (item: Item | undefined): item is Item => item !== undefined;
  const isText = (key: unknown): key is string => typeof key === 'string';
  return items.every(isItem) && deleted.every(isText)
    ? { changed: items, deleted, since }
    : undefined;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
