import type { Problem } from '../../errors.ts';
import { AlreadyExists, InvalidRequest, problemsText } from '../../errors.ts';
import type { Collection } from '../collection.ts';
import type { PushItem } from './items.ts';
import type { Outcome, PlanEntry } from './plan.ts';
import { OUTCOMES } from './plan.ts';

/** Why an item is refused. */
export interface Refusal {
  readonly problems: readonly Problem[];
  /** The number of further problems. */
  readonly unlisted?: number;
  /** The conflict, if the only reason is that another resource has the value of the unique field. */
  readonly conflict?: AlreadyExists;
}

/** What was done with an item that is not refused. */
interface Done {
  readonly id: string | null;
  readonly status: Outcome;
}

/** Whether an item is refused, by validation or by the plan. */
export function isRefusal(item: object): item is Refusal {
  return 'problems' in item;
}

/** Returns the refusal of an item whose unique value belongs to another resource. */
function takenRefusal({ noun, unique }: Collection, value: string): Refusal {
  const message = `${noun} ${JSON.stringify(value)} already exists`;
  return {
    problems: [{ path: unique?.name ?? '', message }],
    conflict: new AlreadyExists(noun, value),
  };
}

/** Returns what the plan says of an item. */
export function plannedResult(
  collection: Collection,
  match: string,
  { value, missing, unique: newUnique }: PushItem,
  { outcome, plannedId, matches }: PlanEntry,
): Done | Refusal {
  const name = collection.noun.toLowerCase();
  const refuse = (message: string): Refusal => ({ problems: [{ path: match, message }] });
  const status = OUTCOMES[outcome];
  switch (status) {
    case 'several':
      return refuse(`${matches} ${name}s have the value ${JSON.stringify(value)}`);
    case 'missing':
      return missing.length === 0
        ? refuse(`no ${name} has the value ${JSON.stringify(value)}`)
        : { problems: missing.map((path) => ({ path, message: 'required' })) };
    case 'taken':
      return takenRefusal(collection, newUnique ?? '');
    case undefined:
      throw new Error(`There is no outcome ${outcome}.`);
    default:
      return { id: plannedId, status };
  }
}

/** Returns the result of an item, as clients see it. */
export function shownResult(
  item: Done | Refusal,
): Done | { readonly id: null; readonly status: 'refused'; readonly error: string } {
  if (!isRefusal(item)) return item;
  const { problems, unlisted, conflict } = item;
  return {
    id: null,
    status: 'refused',
    error: conflict?.message ?? problemsText(problems, unlisted),
  };
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
      (isRefusal(item) ? item.problems : []).map(({ path, message }) => ({
        path: path === '' ? `${keys.many}.${index}` : `${keys.many}.${index}.${path}`,
        message,
      })),
    ),
    items.filter(isRefusal).reduce((sum, { unlisted = 0 }) => sum + unlisted, 0),
  );
}
