import { AlreadyExists, problemsText } from '../../errors.ts';
import type { Collection } from '../collection.ts';
import type { PushItem } from './items.ts';
import type { PlanOutcome, PlanEntry } from './layout.ts';
import { OUTCOMES } from './layout.ts';
import type { Refusal } from './refusal.ts';
import { isRefusal } from './refusal.ts';

/** What was done with an item that is not refused. */
interface AcceptedItem {
  readonly id: string | null;
  readonly status: PlanOutcome;
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
  { matchValue, missing, newUnique }: PushItem,
  { outcome, plannedId, matchCount }: PlanEntry,
): AcceptedItem | Refusal {
  const name = collection.noun.toLowerCase();
  const refuse = (message: string): Refusal => ({ problems: [{ path: match, message }] });
  const status = OUTCOMES[outcome];
  switch (status) {
    case 'several':
      return refuse(`${matchCount} ${name}s have the value ${JSON.stringify(matchValue)}`);
    case 'missing':
      return missing.length === 0
        ? refuse(`no ${name} has the value ${JSON.stringify(matchValue)}`)
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
