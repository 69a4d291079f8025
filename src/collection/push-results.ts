import { AlreadyExists, problemsText, Unavailable } from '../errors.ts';
import type { Collection } from './collection.ts';
import type { Push, PushOutcome, ItemReport } from './push-calls.ts';
import type { PushItem, Refusal } from './push-items.ts';
import { isRefusal, takenRefusal } from './push-items.ts';
import type { ListedResource } from './representation.ts';

/** The result of one push item. */
export interface PushResult {
  readonly id: string | null;
  readonly status: 'created' | 'updated' | 'unchanged' | 'refused';
  readonly error?: string;
}

/** The response to a push. */
export interface PushResults {
  /** One result per item, in order. */
  readonly results: readonly PushResult[];
  /** The resources of the items that were not refused, in order. */
  readonly resources: readonly ListedResource[];
  /** The refusals, by item index. */
  readonly refusals: ReadonlyMap<number, Refusal>;
}

/**
 * Combines the findings of validation with the reports of the database.
 * @throws Unavailable if the record of the Idempotency-Key expired during the call, which then did nothing
 */
export function resultsOf(
  collection: Collection,
  { items, match }: Push,
  { reports, resource }: PushOutcome,
): PushResults {
  const refusals = new Map<number, Refusal>();
  const resources: ListedResource[] = [];
  const refuse = (index: number, refusal: Refusal): PushResult => {
    refusals.set(index, refusal);
    return { id: null, status: 'refused', error: textOf(collection, refusal) };
  };
  const results = items.map((item, index): PushResult => {
    if (isRefusal(item)) return refuse(index, item);
    const report = reports.get(index);
    // The Idempotency-Key's record expired between two statements of the call.
    if (report === undefined) throw new Unavailable();
    const refusal = refusalBy(collection, match, item, report);
    if (refusal !== undefined) return refuse(index, refusal);
    // A replay shows resources as they are now, without those deleted in the meantime.
    const shown = resource(item.mark, report);
    if (shown !== undefined) resources.push(shown);
    if (report.matches === 0 || report.wasCreated) {
      return { id: report.id ?? item.mark, status: 'created' };
    }
    return { id: report.id, status: report.differs ? 'updated' : 'unchanged' };
  });
  return { results, resources, refusals };
}

/** Returns why the database refuses an item; undefined if it does not. */
function refusalBy(
  { noun, unique }: Collection,
  match: string,
  { value, defaults, missing, unique: newUnique }: PushItem,
  { matches, isTaken }: ItemReport,
): Refusal | undefined {
  const name = noun.toLowerCase();
  const quoted = JSON.stringify(value);
  const problem = (message: string): Refusal => ({ problems: [{ path: match, message }] });
  if (matches > 1) return problem(`${matches} ${name}s have the value ${quoted}`);
  if (matches === 0 && defaults === undefined) {
    return missing ? { problems: missing } : problem(`no ${name} has the value ${quoted}`);
  }
  return isTaken && unique && newUnique !== undefined
    ? takenRefusal(noun, unique.field, newUnique)
    : undefined;
}

/** Returns a refusal as one text: the sentence of a conflict, or the list of problems. */
function textOf({ noun }: Collection, { problems, unlisted, taken }: Refusal): string {
  return taken === undefined
    ? problemsText(problems, unlisted)
    : new AlreadyExists(noun, taken).message;
}
