import { concurrentMap } from '../../../common/concurrent-map.ts';

/** How many databases are asked at the same time: each call of wrangler is a process. */
const AT_ONCE = 4;

/** Does the same on all databases, or for all that a call of a database is made for, and returns the results in their order. */
export async function onDatabases<T, R>(
  all: readonly T[],
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  return concurrentMap(all, AT_ONCE, act);
}
