import type { BrandSession } from '../../db/brand-session.ts';
import { requireEntry } from '../../db/columns.ts';
import { NO_KEY } from '../../db/idempotency-records.ts';
import type { ItemParameter, ItemParameters } from '../../db/json-items.ts';
import { packItems } from '../../db/json-items.ts';
import type { Row, SqlValue, ValuesFor } from '../../db/statement.ts';
import { bind, newStem } from '../../db/statement.ts';
import { IdempotencyKeyReused, InvalidRequest, Unavailable } from '../../errors.ts';
import { checkAll } from '../../http/checks.ts';
import { fingerprint, readIdempotencyKey } from '../../http/idempotency.ts';
import { jsonResponse } from '../../http/json-response.ts';
import { readPreferences } from '../../http/prefer.ts';
import { ProblemList } from '../../http/validation.ts';
import { cached } from '../../lazy.ts';
import type { Collection } from '../collection.ts';
import type { ReadLarge } from '../list/large-resources.ts';
import { inlineLimitFor, jsonsById, largeResources } from '../list/large-resources.ts';
import type { Part } from '../list/response.ts';
import { inParts, listResponse } from '../list/response.ts';
import type { PostOperation } from '../post-parameters.ts';
import type { ListedResource } from '../representation.ts';
import { jsonIn, listedResource } from '../representation.ts';
import { checkedRow } from '../row-limit.ts';
import { itemsOf } from '../validate-list.ts';
import type { PushItem, ReadItems } from './items.ts';
import { isRefusal, readItems } from './items.ts';
import type { PushForm } from './plan.ts';
import { itemText, OUTCOMES } from './plan.ts';
import type { PlanEntry, Planned } from './results.ts';
import { invalidItems, problemsOf, refusalOf, resultsOf } from './results.ts';
import { pushStatements } from './statements.ts';

/** A push to run. */
interface Push {
  /** The field that items match by. */
  readonly match: string;
  /** The items that validation did not refuse. In SQL, an item's number is its place in this list. */
  readonly sent: readonly SentItem[];
  readonly ifNewer: boolean;
  /** Whether to write the accepted items even if others are refused. */
  readonly lenient: boolean;
  /** Whether anything may be written: always if lenient, otherwise only if no item is invalid. */
  readonly mayWrite: boolean;
  /** Whether to omit the resources from the response. */
  readonly minimal: boolean;
}

/** An item and its index in the request. */
interface SentItem {
  readonly item: PushItem;
  readonly index: number;
}

/** What a call found or did. */
interface PushCall extends Planned {
  /** Reads the JSON texts of large resources, by id. */
  readonly readLarge: ReadLarge;
  /** Whether the plan is recorded: otherwise nothing was written. */
  readonly isRecorded?: boolean;
  /** Whether an earlier request with the same Idempotency-Key did the work. */
  readonly isReplay?: boolean;
  /** Whether that request was another one. */
  readonly isKeyReused?: boolean;
}

/**
 * POST with `match`: updates or deletes the resources that items match, and creates a resource for items that match
 * none. All or none; with `Prefer: handling=lenient`, all items that are not refused.
 */
export function pushOperation(collection: Collection): PostOperation {
  const { keys } = collection;
  const { report, write } = pushCalls(collection);

  return async (c, body, readParameters) => {
    const { headers } = c.req.raw;
    const [match = ''] = c.req.queries('match') ?? [];
    const isDryRun = c.req.queries('dryRun')?.[0] === 'true';
    // Also needed if a check fails, to report their problems too.
    let items: ReadItems = [];
    const readBody = (): void => {
      const problems = new ProblemList();
      items = readItems(collection, match, itemsOf(collection, body.take(), problems));
      problems.refuse();
    };
    const readKey = (): string | undefined => (isDryRun ? undefined : readIdempotencyKey(headers));
    const [{ ifNewer }, , key] = withItemProblems(
      collection,
      () => checkAll(c, readParameters, readBody, readKey),
      () => items,
    );
    const { lenient, minimal, applied } = readPreferences(headers);

    const invalid = invalidItems(items);
    const mayWrite = lenient || invalid.size === 0;
    const sent = [...items.entries()].flatMap(([index, item]) =>
      isRefusal(item) ? [] : { item, index },
    );
    const push = { match, sent, ifNewer, lenient, mayWrite, minimal };
    // `match` and `ifNewer` are part of the request's identity; preferences are not.
    const target = `${c.req.path}?match=${match}${ifNewer ? '&ifNewer=true' : ''}`;
    const call =
      isDryRun || !(mayWrite || key !== undefined)
        ? await report(c.get('session'), push)
        : await write(c.get('session'), push, key, key && (await fingerprint(target, body.bytes)));
    // The order of errors: invalid items, then a key that another request used, then taken values.
    if (call.isKeyReused) {
      throw !lenient && [...invalid.values()].some(({ taken }) => taken === undefined)
        ? problemsOf(collection, invalid)
        : new IdempotencyKeyReused();
    }

    const { results, resources, refusals } = resultsOf(collection, match, items, call);
    if (refusals.size > 0 && !lenient && !call.isReplay) throw refusalOf(collection, refusals);
    // The key's record expired between two statements of the call. The next try does the work.
    if (key !== undefined && !call.isRecorded) throw new Unavailable();
    if (call.isReplay) c.header('Idempotent-Replayed', 'true');
    if (applied !== undefined) c.header('Preference-Applied', applied);
    const rest = `"results":${JSON.stringify(results)}}`;
    if (minimal) return jsonResponse(c, `{${rest}`);
    return listResponse(c, {
      before: `{"${keys.many}":[`,
      parts: partsOnceDone(resources, call.readLarge),
      after: `],${rest}`,
    });
  };
}

/**
 * Yields the resources of a push in parts. If further calls to D1 read some of them, an empty part comes first, so that
 * the response begins before these calls: if they fail, the body is aborted, but what was done does not end in an error.
 */
async function* partsOnceDone(
  resources: readonly ListedResource[],
  readLarge: ReadLarge,
): AsyncGenerator<Part, void> {
  if (resources.some(({ json }) => typeof json === 'number')) yield { text: '', isLast: false };
  yield* inParts(resources, readLarge);
}

/**
 * Runs the checks of the request itself. If one fails, the invalid items are reported too; otherwise the database may
 * refuse further items, so they do not end the request yet.
 */
function withItemProblems<T>(collection: Collection, check: () => T, items: () => ReadItems): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    const { problems, unlisted } = problemsOf(collection, invalidItems(items()));
    throw new InvalidRequest([...error.problems, ...problems], error.unlisted + unlisted);
  }
}

/** The two ways to run a push. Each makes one call to D1. */
interface PushCalls {
  /** Finds the plan without writing. */
  readonly report: (session: BrandSession, push: Push) => Promise<PushCall>;
  /**
   * Does what the plan says; once per Idempotency-Key.
   * @param fingerprint of the request with that key
   * @throws Unavailable
   */
  readonly write: (
    session: BrandSession,
    push: Push,
    idempotencyKey?: string,
    fingerprint?: string,
  ) => Promise<PushCall>;
}

function pushCalls(collection: Collection): PushCalls {
  const readLargeFor = largeResources(collection);
  const statementsFor = cached((match: string) =>
    pushStatements(collection, requireEntry(collection.matches, match)),
  );

  const reportRows = async (
    session: BrandSession,
    push: Push,
    inline: number,
  ): Promise<readonly Row[]> => {
    const { form, values } = parametersOf(push, ({ item }, place) =>
      itemText(collection, place, item, withoutId(item)),
    );
    const unkeyed = { idempotencyKey: null, fingerprint: null, stem: '' };
    const { rows } = await session.run([
      bind(statementsFor(push.match).report(form), { ...values, ...unkeyed, inline }),
    ]);
    return rows[0] ?? [];
  };

  /** The text of an item as it is written. Throws PayloadTooLarge. */
  const textOf = ({ item, index }: SentItem, place: number): string =>
    checkedRow(collection, index, itemText(collection, place, item, item.defaults));

  return {
    async report(session, push) {
      // The limits are those of the write, whose texts are longer.
      parametersOf(push, textOf);
      const rows = await reportRows(session, push, inlineLimitOf(push));
      return {
        ...reported(rows),
        // The large resources as the push would change them.
        readLarge: async (lengths, room) => {
          const sent = rows.flatMap(({ n, old_id }) => {
            const one = push.sent[Number(n)];
            const value = String(old_id);
            return one && lengths.has(value) ? { ...one, item: { ...one.item, value } } : [];
          });
          const inline = inlineLimitFor(sent.length, room);
          const large = await reportRows(session, { ...push, match: 'id', sent }, inline);
          return jsonsById(large, 'old_id');
        },
      };
    },

    async write(session, push, idempotencyKey = NO_KEY, fingerprint = '') {
      const { record, deletions, write, report, resources, recorded } = statementsFor(push.match);
      const { form, values, written } = parametersOf(push, textOf);
      const inline = inlineLimitOf(push);
      const all = { ...values, idempotencyKey, fingerprint, stem: newStem(), inline };
      const work = [
        bind(record(form), all),
        ...(form.deletes ? deletions.map((deletion) => bind(deletion, all)) : []),
        bind(write({ ...form, parameters: written.count }), { ...all, ...written.values }),
        bind(report(form), all),
      ];
      const { rows, keyRow } = await session.run(
        // With `return=minimal` the response omits the resources.
        push.minimal ? work : [...work, bind(resources, all)],
        bind(recorded, all),
        idempotencyKey !== NO_KEY,
      );
      const readLarge = readLargeFor(session);
      const isOurs = Boolean(keyRow['has_written']);
      const isReplay = !isOurs && idempotencyKey !== NO_KEY && keyRow['results'] !== null;
      if (!isOurs && !isReplay) return { ...reported(rows[work.length - 1] ?? []), readLarge };
      const plan = planOfRecord(keyRow['results'] ?? null);
      const byId = new Map(rows[work.length]?.map((row) => [row['id'], listedResource(row)]));
      return {
        plan,
        resource: (place) => byId.get(plan[place]?.id ?? null),
        readLarge,
        isRecorded: true,
        isReplay,
        isKeyReused: isReplay && keyRow['fingerprint'] !== fingerprint,
      };
    },
  };
}

/** Returns what the rows of `report` say. */
function reported(rows: readonly Row[]): Planned {
  const plan: PlanEntry[] = [];
  const resources: ListedResource[] = [];
  for (const row of rows) {
    const place = Number(row['n']);
    plan[place] = planEntry([place, row['outcome'], row['old_id'], row['matches']]);
    resources[place] = { id: String(row['old_id']), json: jsonIn(row) };
  }
  return { plan, resource: (place) => resources[place] };
}

/** Parses the results of a record: JSON that `record` wrote. */
function planOfRecord(results: SqlValue): PlanEntry[] {
  const parsed: unknown = JSON.parse(String(results));
  return Array.isArray(parsed) ? parsed.map(planEntry) : [];
}

/** @param entry the place of an item, its outcome, the id of its resource, and how many it matches */
function planEntry(entry: unknown): PlanEntry {
  const parts: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const [, outcome, id, matches] = parts;
  return {
    outcome: OUTCOMES[Number(outcome)] ?? 'unchanged',
    id: typeof id === 'string' ? id : null,
    matches: Number(matches),
  };
}

/** Returns the value of `inlineLimit`: with `return=minimal`, no resource is short enough to be read. */
function inlineLimitOf({ minimal, sent }: Push): number {
  return minimal ? -1 : inlineLimitFor(sent.length);
}

/** Returns the defaults of an item for a dry run. The new resource has no id yet, so a default that is the id is null. */
function withoutId({ defaults, candidateId }: PushItem): PushItem['defaults'] {
  return (
    defaults &&
    Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, value === candidateId ? null : value]),
    )
  );
}

/**
 * Returns the items as statement parameters, and the other values that follow from the request.
 * @param textOf returns the text of an item at its place
 */
function parametersOf(
  { sent, lenient, mayWrite, ifNewer }: Push,
  textOf: (sent: SentItem, place: number) => string,
): {
  readonly form: PushForm;
  readonly values: ValuesFor<ItemParameter | 'sought' | 'lenient' | 'mayWrite' | 'ifNewer'>;
  /** The items but the deletions, which cost a read row wherever they are sent. */
  readonly written: ItemParameters;
} {
  const texts = sent.map(textOf);
  const packed = packItems(texts);
  const deletes = sent.some(({ item }) => item.deletes);
  const named = new Set(sent.flatMap(({ item }) => Object.keys(item.named)));
  return {
    form: {
      parameters: packed.count,
      named: [...named].sort(),
      deletes,
    },
    written: deletes ? packItems(texts.filter((_, place) => !sent[place]?.item.deletes)) : packed,
    values: {
      ...packed.values,
      sought: JSON.stringify(sent.map(({ item }) => item.value)),
      lenient: Number(lenient),
      mayWrite: Number(mayWrite),
      ifNewer: Number(ifNewer),
    },
  };
}
