import type { AlreadyExists, Problem } from '../../errors.ts';
import { InvalidRequest } from '../../errors.ts';
import type { Collection } from '../collection.ts';

export interface Refusal {
  readonly problems: readonly Problem[];
  readonly unlisted?: number;
  /** The conflict, if the only reason is that another resource has the value of the unique field. */
  readonly conflict?: AlreadyExists;
}

/** Whether an item is refused, by validation or by the plan. */
export function isRefusal(item: object): item is Refusal {
  return 'problems' in item;
}

/**
 * Returns the error of a push with refused items: every problem of every item, or the conflict if there are only
 * conflicts. It is undefined if no item is refused.
 */
export function refusalOf(
  collection: Collection,
  items: readonly object[],
): AlreadyExists | InvalidRequest | undefined {
  const [first, ...others] = items.filter(isRefusal);
  if (first === undefined) return undefined;
  return others.every(({ conflict }) => conflict) && first.conflict
    ? first.conflict
    : problemsOf(collection, items);
}

/** Returns the error that names every problem of these items. */
export function problemsOf({ keys }: Collection, items: readonly object[]): InvalidRequest {
  return new InvalidRequest(
    items.flatMap((item, index) =>
      (isRefusal(item) ? item.problems : []).map((problem) => ({
        ...problem,
        path: [keys.many, index, problem.path || []].flat().join('.'),
      })),
    ),
    items.filter(isRefusal).reduce((sum, { unlisted = 0 }) => sum + unlisted, 0),
  );
}
