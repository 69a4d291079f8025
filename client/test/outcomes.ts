import type { SyncReport } from '../src/index.ts';
import { BrandApiError } from '../src/index.ts';

/** The report of a sync that did nothing. */
export const NOTHING: SyncReport = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  withheld: 0,
  unmatched: 0,
  kept: [],
  refused: [],
};

/** Returns the error of a promise, which must reject with a BrandApiError. */
export async function failure(promise: Promise<unknown>): Promise<BrandApiError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('value' in outcome) throw new Error(`No error but ${JSON.stringify(outcome.value)}`);
  if (!(outcome.error instanceof BrandApiError)) throw outcome.error;
  return outcome.error;
}

/** Collects all items of an async iterable. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}
