import { AlreadyExists, InvalidRequest, problemsText, Unavailable } from '../../errors.ts';
import type { Collection } from '../collection.ts';
import type { PushItem, ReadItems, Refusal } from './items.ts';
import { isRefusal, takenRefusal } from './items.ts';
import type { ListedResource } from '../representation.ts';
import type { Outcome } from './plan.ts';

/** What the plan says of an item. */
export interface PlanEntry {
  readonly outcome: Outcome;
  /** The id of the resource that it matches or creates; null if there is none. */
  readonly id: string | null;
  /** How many resources it matches. */
  readonly matches: number;
}

/** The plan of a push, by the place of an item among those that validation did not refuse. */
export interface Planned {
  readonly plan: readonly PlanEntry[];
  /** Returns the resource of an item; undefined if it has been deleted since. */
  readonly resource: (place: number) => ListedResource | undefined;
}

/** The result of one push item. */
interface PushResult {
  readonly id: string | null;
  readonly status: Outcome | 'refused';
  readonly error?: string;
}

/** The results of a push. */
interface PushResults {
  /** One result per item, in order. */
  readonly results: readonly PushResult[];
  /** The resources of the items that were neither refused nor deleted, in order. */
  readonly resources: readonly ListedResource[];
  /** The refusals, by item index. */
  readonly refusals: ReadonlyMap<number, Refusal>;
}

/**
 * Combines the findings of validation with the plan.
 * @throws Unavailable if the plan lacks an item: the record of the Idempotency-Key expired during the call, which then
 * did nothing
 */
export function resultsOf(
  collection: Collection,
  match: string,
  items: ReadItems,
  { plan, resource }: Planned,
): PushResults {
  const refusals = new Map<number, Refusal>();
  const resources: ListedResource[] = [];
  const refuse = (index: number, refusal: Refusal): PushResult => {
    refusals.set(index, refusal);
    return { id: null, status: 'refused', error: textOf(collection, refusal) };
  };
  let place = -1;
  const results = items.map((item, index): PushResult => {
    if (isRefusal(item)) return refuse(index, item);
    const entry = plan[++place];
    if (entry === undefined) throw new Unavailable();
    const refusal = refusalBy(collection, match, item, entry);
    if (refusal !== undefined) return refuse(index, refusal);
    const { id, outcome: status } = entry;
    // A deletion that matches nothing is unchanged, and has no id.
    const isShown = status === 'created' || (status !== 'deleted' && id !== null);
    const shown = isShown && resource(place);
    if (shown) resources.push(shown);
    return { id, status };
  });
  return { results, resources, refusals };
}

/** Returns why the plan refuses an item; undefined if it does not. */
function refusalBy(
  collection: Collection,
  match: string,
  { value, missing, unique: newUnique }: PushItem,
  { outcome, matches }: PlanEntry,
): Refusal | undefined {
  const name = collection.noun.toLowerCase();
  const quoted = JSON.stringify(value);
  const problem = (message: string): Refusal => ({ problems: [{ path: match, message }] });
  if (outcome === 'several') return problem(`${matches} ${name}s have the value ${quoted}`);
  if (outcome === 'missing') {
    return missing ? { problems: missing } : problem(`no ${name} has the value ${quoted}`);
  }
  return outcome === 'taken' && newUnique !== undefined
    ? takenRefusal(collection, newUnique)
    : undefined;
}

/** Returns a refusal as one text: the sentence of a conflict, or the list of problems. */
function textOf({ noun }: Collection, { problems, unlisted, taken }: Refusal): string {
  return taken === undefined
    ? problemsText(problems, unlisted)
    : new AlreadyExists(noun, taken).message;
}

/** Returns the items that validation refused, by index. */
export function invalidItems(items: ReadItems): Map<number, Refusal> {
  return new Map(
    [...items.entries()].flatMap(([index, item]) => (isRefusal(item) ? [[index, item]] : [])),
  );
}

/** Returns the error of a rejected push: every problem of every item, or the conflict if there are only conflicts. */
export function refusalOf(
  collection: Collection,
  refusals: ReadonlyMap<number, Refusal>,
): AlreadyExists | InvalidRequest {
  const all = [...refusals.values()];
  const [first] = all;
  return first?.taken !== undefined && all.every(({ taken }) => taken !== undefined)
    ? new AlreadyExists(collection.noun, first.taken)
    : problemsOf(collection, refusals);
}

/** Returns the error that names every problem of these items. */
export function problemsOf(
  { keys }: Collection,
  refusals: ReadonlyMap<number, Refusal>,
): InvalidRequest {
  const all = [...refusals];
  return new InvalidRequest(
    all.flatMap(([index, { problems }]) =>
      problems.map(({ path, message }) => ({
        path: path === '' ? `${keys.many}.${index}` : `${keys.many}.${index}.${path}`,
        message,
      })),
    ),
    all.reduce((sum, [, { unlisted = 0 }]) => sum + unlisted, 0),
  );
}
