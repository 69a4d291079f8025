import { AlreadyExists, problemsText } from '../../errors.ts';
import type { Collection } from '../collection.ts';
import type { PushItem } from './items.ts';
import type { Outcome, Status } from './plan.ts';
import type { Refusal } from './refusal.ts';
import { isRefusal } from './refusal.ts';

/** What was done with an item that is not refused. */
interface AcceptedItem {
  readonly id: string | null;
  readonly status: Status;
}

/** What a plan says of an item. */
interface PlanEntry {
  readonly outcome: Outcome;
  /** The id of the resource that the item matches or, if the plan is recorded, has created. */
  readonly plannedId: string | null;
  /** How many resources it matches. */
  readonly matchCount: number;
}

/** Returns the refusal of an item whose unique value belongs to another resource. */
function takenRefusal({ noun, unique }: Collection, value: string): Refusal {
  const message = `${noun} ${JSON.stringify(value)} already exists`;
  return {
    problems: [{ path: unique?.name ?? '', message }],
    conflict: new AlreadyExists(noun, value),
  };
}

export function plannedResult(
  collection: Collection,
  match: string,
  { sent: { matchValue }, missing, newUnique }: PushItem,
  { outcome, plannedId, matchCount }: PlanEntry,
): AcceptedItem | Refusal {
  const name = collection.noun.toLowerCase();
  const refuse = (message: string): Refusal => ({ problems: [{ path: match, message }] });
  switch (outcome) {
    case 'several':
      return refuse(`${matchCount} ${name}s have the value ${JSON.stringify(matchValue)}`);
    case 'missing':
      return missing.length === 0
        ? refuse(`no ${name} has the value ${JSON.stringify(matchValue)}`)
        : { problems: missing.map((path) => ({ path, message: 'required' })) };
    case 'taken':
      return takenRefusal(collection, newUnique ?? '');
    default:
      return { id: plannedId, status: outcome };
  }
}

/** Returns the result of an item, as clients see it. */
export function toResult(
  item: AcceptedItem | Refusal,
): AcceptedItem | { readonly id: null; readonly status: 'refused'; readonly error: string } {
  if (!isRefusal(item)) return item;
  const { problems, unlisted, conflict } = item;
  return {
    id: null,
    status: 'refused',
    error: conflict?.message ?? problemsText(problems, unlisted),
  };
}
