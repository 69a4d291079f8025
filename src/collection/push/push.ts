import type { Context } from 'hono';
import { requireEntry } from '../../db/columns.ts';
import { NO_KEY, selectRecord } from '../../db/idempotency-records.ts';
import { packItems } from '../../db/json-items.ts';
import { memoize } from '../../db/statement.ts';
import { IdempotencyKeyReused, InvalidRequest } from '../../errors.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { fingerprint, readIdempotencyKey } from '../../http/idempotency.ts';
import { readPreferences } from '../../http/prefer.ts';
import type { ListedRow } from '../bounded.ts';
import { maxBytesEach, readBounded } from '../bounded.ts';
import type { Collection } from '../collection.ts';
import { completeList } from '../complete-list.ts';
import { checkedRow } from '../list-body.ts';
import type { PostParameters } from '../post-parameters.ts';
import { toResource } from '../row.ts';
import { itemReader } from './items.ts';
import { isRefusal, refusalOf } from './refusal.ts';
import { plannedResult, toResult } from './results.ts';
import type { PushShape } from './plan.ts';
import { fixedStatements, pushStatements } from './statements.ts';

/**
 * POST with `match`: updates or deletes the resources that items match, and creates a resource for items that match
 * none. All or none; with `Prefer: handling=lenient`, all items that are not refused.
 */
export function push(
  collection: Collection,
): (
  c: Context<ApiEnv>,
  body: unknown,
  match: string,
  parameters: Omit<PostParameters, 'match'>,
) => Promise<Response> {
  const { keys, matches } = collection;
  const readerOf = memoize((match: string) => itemReader(collection, requireEntry(matches, match)));
  const { leaveTombstones, deleteRows, resourcesById } = fixedStatements(collection);
  // One memory for all fields to match by: the statements of a variant have 25 KB of text.
  const statementsOf = memoize(
    (shape: PushShape) => pushStatements(collection, shape),
    ({ match, count, named }) => `${match.name} ${count} ${named.join()}`,
  );

  return async (c, body, match, { dryRun = false, ifNewer = false }) => {
    const { headers } = c.req.raw;
    const session = c.get('session');
    const { lenient, minimal, applied } = readPreferences(headers);
    const idempotencyKey = (dryRun ? undefined : readIdempotencyKey(headers)) ?? NO_KEY;
    const hasKey = idempotencyKey !== NO_KEY;

    // 1. Validate the items. The database may refuse further ones, so invalid items do not end a push yet.
    const items = readerOf(match)(body);
    const accepted = items.flatMap((item) => (isRefusal(item) ? [] : item));
    const sent = accepted.map((item) => item.sent);
    const mayWrite = !dryRun && (lenient || accepted.length === items.length);

    // 2. One call: plan, record, delete, write, read. Without a record, nothing is written.
    const texts = accepted.map(({ index, sent }) => checkedRow(collection, index, sent));
    const packed = packItems(texts);
    // A deletion costs a read row wherever it is sent.
    const written = packItems(texts.filter((_, place) => sent[place]?.kind !== 'deletes'));
    const named = [...new Set(sent.flatMap(({ set }) => Object.keys(set)))].sort();
    const shape = { match: requireEntry(matches, match), count: packed.count, named };
    const statements = statementsOf(shape);
    const deletes = sent.some(({ kind }) => kind === 'deletes');
    const refused = items.flatMap((item, index) => (isRefusal(item) ? index : []));
    const values = {
      ...packed.values,
      matchValues: JSON.stringify(sent.map(({ matchValue }) => matchValue)),
      deletes: Number(deletes),
      ifNewer: Number(ifNewer),
      lenient: Number(lenient),
      idempotencyKey,
      // Preferences are no part of the request's identity. Which items are refused is: a plan has places for the others alone,
      // and a later deployment may accept other items.
      fingerprint: hasKey
        ? await fingerprint(
            `${c.req.path}?match=${match}${ifNewer ? '&ifNewer=true' : ''}${refused.length > 0 ? `&refused=${refused.join()}` : ''}`,
            c.get('body'),
          )
        : '',
      returnsResources: Number(!dryRun && !minimal),
      maxBytes: maxBytesEach(Math.max(1, sent.length)),
    };
    const [, , , , planned, [record]] = await session.batch(
      [
        mayWrite ? statements.record(values) : undefined,
        mayWrite && deletes ? leaveTombstones(values) : undefined,
        mayWrite && deletes ? deleteRows(values) : undefined,
        mayWrite
          ? statementsOf({ ...shape, count: written.count }).upsert({
              ...values,
              ...written.values,
            })
          : undefined,
        statements.plan(values),
        selectRecord(values),
      ],
      // What writes nothing may be repeated.
      { isRepeatable: !mayWrite || hasKey },
    );

    // 3. What was done: the recorded plan, of this call or of an earlier request with the same key; or the plan alone.
    const isReplay = hasKey && record !== undefined && record.isNew !== 1;
    if (isReplay && record.fingerprint !== values.fingerprint) {
      // Invalid items are reported first, then the key that another request used, then taken values.
      const invalid = lenient ? undefined : refusalOf(collection, items);
      throw invalid instanceof InvalidRequest ? invalid : new IdempotencyKeyReused();
    }
    const plan = planned.toSorted((one, other) => one.place - other.place);
    const done = items.map((item) => {
      if (isRefusal(item)) return item;
      const entry = plan[item.sent.place];
      if (entry === undefined) throw new Error('The plan lacks an item that was sent.');
      return plannedResult(collection, match, item, entry);
    });
    const refusal = refusalOf(collection, done);
    if (refusal && !lenient && !isReplay) throw refusal;

    // 4. Answer.
    if (isReplay) c.header('Idempotent-Replayed', 'true');
    if (applied !== undefined) c.header('Preference-Applied', applied);
    const results = done.map(toResult);
    if (minimal || dryRun) return c.json({ results });
    const resources = plan.filter(({ hasResource }) => hasResource === 1);
    // The write is done, so the response must not become an error: it begins before further calls read what was too long for
    // this one.
    const end = resources.findIndex(({ bytes }) => bytes > values.maxBytes);
    let rest = end < 0 ? [] : resources.slice(end).map(({ id }) => id);
    return completeList<ListedRow>(c, {
      key: keys.many,
      first: { rows: end < 0 ? resources : resources.slice(0, end), hasMore: end >= 0 },
      next: async () => {
        const { rows, hasMore, sought } = await readBounded(
          rest.length,
          async (count, maxBytes) => {
            const sought = rest.slice(0, count);
            const select = resourcesById({ ids: JSON.stringify(sought), maxBytes });
            const [rows] = await session.batch([select]);
            return { sought, rows };
          },
        );
        // Some of those that were sought may be deleted since.
        rest = rest.slice(hasMore ? rest.indexOf(rows.at(-1)?.id ?? '') + 1 : sought.length);
        return { rows, hasMore: rest.length > 0 };
      },
      toResource: (row) => toResource(collection, row),
      rest: { results },
    });
  };
}
