import { expectOption } from '../options.ts';
import type { Item } from './item.ts';
import type { Job, StoreChanges } from './job.ts';

/**
 * Reads the changes of a store after a token, or all its items.
 * @throws TypeError if the answer cannot be used. Without a token, for example, the next run would see no deletion
 */
export async function readStore(
  { store }: Pick<Job, 'store'>,
  since: string | undefined,
): Promise<StoreChanges<Item>> {
  const answer = await store.changes(since);
  const what = '{ changed, deleted, since }, with a non-empty string as since and strings as SKUs';
  expectOption(isUsable(answer), 'the result of store.changes', what);
  return answer;
}

function isUsable(answer: unknown): boolean {
  const [changed, deleted, since] = ['changed', 'deleted', 'since'].map((name) =>
    memberOf(answer, name),
  );
  if (!Array.isArray(changed) || !Array.isArray(deleted)) return false;
  const isText = (sku: unknown): boolean => typeof sku === 'string';
  const areTexts = deleted.every(isText) && changed.every((item) => isText(memberOf(item, 'sku')));
  return typeof since === 'string' && since !== '' && areTexts;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
