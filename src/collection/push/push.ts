import type { Context } from 'hono';
import { requireEntry } from '../../db/columns.ts';
import { NO_KEY } from '../../db/idempotency-records.ts';
import { packItems } from '../../db/json-items.ts';
import { variants } from '../../db/statement.ts';
import { IdempotencyKeyReused, InvalidRequest, Unavailable } from '../../errors.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import type { JsonBody } from '../../http/body.ts';
import { fingerprint, readIdempotencyKey } from '../../http/idempotency.ts';
import { readPreferences } from '../../http/prefer.ts';
import { ProblemList } from '../../http/validation.ts';
import type { Collection } from '../collection.ts';
import { readBounded, shareOf } from '../list/bounded.ts';
import { completeList } from '../list/complete.ts';
import type { PostParameters } from '../post-parameters.ts';
import { show } from '../row.ts';
import { checkedRow } from '../row-limit.ts';
import { itemsOf } from '../validate-list.ts';
import type { PushItem, ReadItems } from './items.ts';
import { isRefusal, readItems } from './items.ts';
import type { PushForm } from './plan.ts';
import { itemText } from './plan.ts';
import type { PlanEntry } from './results.ts';
import {
  invalidItems,
  planOfRecord,
  planOfRows,
  problemsOf,
  refusalOf,
  resultsOf,
} from './results.ts';
import { pushStatements } from './statements.ts';

/** A POST with `match`. */
type PushParameters = PostParameters & { readonly match: string };

/**
 * POST with `match`: updates or deletes the resources that items match, and creates a resource for items that match
 * none. All or none; with `Prefer: handling=lenient`, all items that are not refused.
 */
export function pushOperation(
  collection: Collection,
): (c: Context<ApiEnv>, body: JsonBody, parameters: PushParameters) => Promise<Response> {
  const { keys, matches } = collection;
  const statementsFor = variants((match: string) =>
    pushStatements(collection, requireEntry(matches, match)),
  );

  return async (c, body, { match, isDryRun, ifNewer }) => {
    const { headers } = c.req.raw;
    const session = c.get('session');
    const statements = statementsFor(match);
    const { lenient, minimal, applied } = readPreferences(headers);
    const idempotencyKey = (isDryRun ? undefined : readIdempotencyKey(headers)) ?? NO_KEY;

    // 1. Validate the items. The database may refuse further ones, so invalid items do not end a push yet.
    const items = validItems(collection, match, body.value);
    const invalid = invalidItems(items);
    const sent = [...items.entries()].flatMap(([index, item]) =>
      isRefusal(item) ? [] : [{ item, index }],
    );

    // 2. One call: plan, record, delete, write, read. Without a record, nothing is written.
    const texts = sent.map(({ item, index }, place) =>
      checkedRow(collection, index, itemText(collection, place, item)),
    );
    const packed = packItems(texts);
    // A deletion costs a read row wherever it is sent.
    const written = packItems(texts.filter((_, place) => !sent[place]?.item.deletes));
    const form = formOf(
      sent.map(({ item }) => item),
      packed.count,
    );
    const values = {
      ...packed.values,
      sought: JSON.stringify(sent.map(({ item }) => item.value)),
      ifNewer: Number(ifNewer),
      lenient: Number(lenient),
      mayWrite: Number(lenient || invalid.size === 0),
      idempotencyKey,
      // `match` and `ifNewer` are part of the request's identity; preferences are not.
      fingerprint: await fingerprint(
        `${c.req.path}?match=${match}${ifNewer ? '&ifNewer=true' : ''}`,
        body.bytes,
      ),
      most: shareOf(Math.max(1, sent.length)),
    };
    const isWrite = !isDryRun && (values.mayWrite === 1 || idempotencyKey !== NO_KEY);
    const { rows, keyed } = await session.run(
      {
        record: isWrite ? statements.record(form)(values) : undefined,
        tombstones: isWrite && form.deletes ? statements.leaveTombstones(values) : undefined,
        deletions: isWrite && form.deletes ? statements.deleteRows(values) : undefined,
        upsert: isWrite
          ? statements.upsert({ ...form, parameters: written.count })({
              ...values,
              ...written.values,
            })
          : undefined,
        plan: statements.plan(form)(values),
        resources: isWrite && !minimal ? statements.resources(values) : undefined,
      },
      statements.outcomeRecord(values),
      isDryRun || idempotencyKey !== NO_KEY,
    );

    // 3. What was done: the recorded plan, of this call or of an earlier request with the same key; or the plan alone.
    const [record] = keyed;
    const isNew = record.hasRecorded === 1;
    const isReplay = !isNew && idempotencyKey !== NO_KEY && record.results !== null;
    const hasInvalid = [...invalid.values()].some(({ taken }) => taken === undefined);
    if (isReplay && record.fingerprint !== values.fingerprint) {
      // Invalid items are reported first, then the key that another request used, then taken values.
      throw !lenient && hasInvalid ? problemsOf(collection, invalid) : new IdempotencyKeyReused();
    }
    const plan: readonly PlanEntry[] =
      isNew || isReplay ? planOfRecord(record.results) : planOfRows(rows.plan);
    const { results, refusals } = resultsOf(collection, match, items, plan);
    if (refusals.size > 0 && !lenient && !isReplay) throw refusalOf(collection, refusals);
    // The key's record expired between two statements of the call. The next try does the work.
    if (idempotencyKey !== NO_KEY && !isNew && !isReplay) throw new Unavailable();

    // 4. Answer.
    if (isReplay) c.header('Idempotent-Replayed', 'true');
    if (applied !== undefined) c.header('Preference-Applied', applied);
    if (minimal || isDryRun) return c.json({ results });
    const accepted = new Set(results.flatMap(({ id }) => id ?? []));
    const resources = (isNew || isReplay ? rows.resources : rows.plan).filter(({ id }) =>
      accepted.has(id),
    );
    const ids = resources.map(({ id }) => id);
    // What was done does not end in an error: the response begins before further calls read what is too long for this one.
    const end = resources.findIndex(({ bytes }) => bytes > values.most);
    let start = 0;
    return completeList(c, {
      key: keys.many,
      first: { rows: end < 0 ? resources : resources.slice(0, end), isCut: end >= 0 },
      next: (last) => {
        start = last ? ids.indexOf(last.id) + 1 : start;
        return readBounded(ids.length - start, (count, most) => {
          const part = JSON.stringify(ids.slice(start, start + count));
          return session.read(statements.resourcesById({ ids: part, most }));
        });
      },
      show: (row) => show(collection, row),
      rest: { results },
    });
  };
}

/**
 * Reads the items in their envelope.
 * @throws InvalidRequest if the envelope is wrong, with the problems of the items too
 */
function validItems(collection: Collection, match: string, body: unknown): ReadItems {
  const problems = new ProblemList();
  const items = readItems(collection, match, itemsOf(collection, body, problems));
  if (problems.listed.length === 0) return items;
  const ofItems = problemsOf(collection, invalidItems(items));
  throw new InvalidRequest(
    [...problems.listed, ...ofItems.problems],
    problems.unlisted + ofItems.unlisted,
  );
}

/** Returns what the statements depend on. */
function formOf(items: readonly PushItem[], parameters: number): PushForm {
  return {
    parameters,
    named: [...new Set(items.flatMap(({ named }) => Object.keys(named)))].sort(),
    deletes: items.some(({ deletes }) => deletes),
  };
}
