import { AlreadyExists, InvalidRequest, problemsText, Unavailable } from '../../errors.ts';
import type { Collection } from '../collection.ts';
import type { PushItem, ReadItems, Refusal } from './items.ts';
import { isRefusal, takenRefusal } from './items.ts';
import type { Outcome } from './plan.ts';
import { OUTCOMES } from './plan.ts';
import type { PlanRow } from './statements.ts';

/** What the plan says of an item. */
export interface PlanEntry {
  readonly outcome: Outcome;
  /** The id of the resource that it matches or creates; null if there is none. */
  readonly id: string | null;
  /** How many resources it matches. */
  readonly matches: number;
}

/** Returns a plan that is not recorded. What would be created has no id yet. */
export function planOfRows(rows: readonly PlanRow[]): PlanEntry[] {
  const plan: PlanEntry[] = [];
  for (const { n, outcome, matchedId: id, matches } of rows)
    plan[n] = { outcome: outcomeOf(outcome), id, matches };
  return plan;
}

/** Parses the plan in a record: JSON that the service wrote. It is empty if the record is that of a creation. */
export function planOfRecord(results: string | null): PlanEntry[] {
  const entries: unknown = JSON.parse(results ?? '[]');
  return Array.isArray(entries) ? entries.flatMap(entryOf) : [];
}

/** @param entry the place of an item, its outcome, the id of its resource, and how many it matches */
function entryOf(entry: unknown): PlanEntry | [] {
  if (!Array.isArray(entry)) return [];
  const members: readonly unknown[] = entry;
  const [, outcome, id, matches] = members;
  return {
    outcome: outcomeOf(Number(outcome)),
    id: typeof id === 'string' ? id : null,
    matches: Number(matches),
  };
}

function outcomeOf(number: number): Outcome {
  const outcome = OUTCOMES[number];
  if (outcome === undefined) throw new Error(`There is no outcome ${number}.`);
  return outcome;
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
  /** The refusals, by item index. */
  readonly refusals: ReadonlyMap<number, Refusal>;
}

/**
 * Combines the findings of validation with the plan.
 * @param plan by the places of the items that validation did not refuse
 * @throws Unavailable if the plan lacks an item: the record of the Idempotency-Key expired during the call, which then
 * did nothing
 */
export function resultsOf(
  collection: Collection,
  match: string,
  items: ReadItems,
  plan: readonly PlanEntry[],
): PushResults {
  const refusals = new Map<number, Refusal>();
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
    return refusal === undefined ? { id: entry.id, status: entry.outcome } : refuse(index, refusal);
  });
  return { results, refusals };
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
