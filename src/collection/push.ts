import { AlreadyExists, IdempotencyKeyReused, InvalidRequest, Unavailable } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { jsonResponse } from '../http/json-response.ts';
import { queryOf } from '../http/parameters.ts';
import { readPreferences } from '../http/prefer.ts';
import { ProblemList } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { inParts, listResponse } from './list-response.ts';
import type { PostOperation, PostParameters } from './operation-types.ts';
import type { PushOutcome } from './push-calls.ts';
import { pushCalls } from './push-calls.ts';
import type { ReadItems, Refusal } from './push-items.ts';
import { isRefusal, readItems } from './push-items.ts';
import { resultsOf } from './push-results.ts';
import { itemsOf } from './validate-list.ts';

/**
 * POST with `match`: updates the resources that items match, and creates a resource for items that match none. All or
 * none; with `Prefer: handling=lenient`, all items that are not refused.
 */
export function pushOperation(collection: Collection): PostOperation {
  const { keys } = collection;
  const calls = pushCalls(collection);

  return async (c, body, readParameters) => {
    const { headers } = c.req.raw;
    const query = queryOf(c.req.raw);
    const match = query.get('match') ?? '';
    let found: ReadItems = [];
    const readBody = (): ReadItems => {
      const problems = new ProblemList();
      found = readItems(collection, match, itemsOf(collection, body.take(), problems));
      problems.refuse();
      return found;
    };
    const check = (): [PostParameters, ReadItems, string | undefined] =>
      checkAll(c, readParameters, readBody, () =>
        query.get('dryRun') === 'true' ? undefined : readIdempotencyKey(headers),
      );
    const [{ isDryRun }, items, idempotencyKey] = withItemProblems(collection, check, () => found);
    const { lenient, minimal, applied } = readPreferences(headers);

    const push = { match, items, lenient, minimal };
    const run = async (): Promise<PushOutcome> => {
      if (isDryRun) return calls.report(c.var.session, push);
      if (idempotencyKey === undefined) return calls.write(c.var.session, push);
      // `match` is part of the request's identity; preferences are not.
      const identity = await fingerprint(`${c.req.path}?match=${match}`, body.bytes);
      return calls.writeOnce(c.var.session, push, { key: idempotencyKey, fingerprint: identity });
    };
    const outcome = await run().catch((error: unknown) => {
      if (!(error instanceof IdempotencyKeyReused) || lenient) throw error;
      // An invalid item comes before a key that another request used, and that before a taken value.
      const invalid = [...refusedOf(items)].filter(([, { taken }]) => taken === undefined);
      throw invalid.length > 0 ? invalidItems(collection, [...refusedOf(items)]) : error;
    });

    const { results, resources, refusals } = resultsOf(collection, push, outcome);
    if (refusals.size > 0 && !lenient && !outcome.isReplay) throw refusalOf(collection, refusals);
    // The key's record expired between two statements of the call. The next try does the work.
    if (outcome.isUnrecorded) throw new Unavailable();
    const shown = results.map(({ id, ...result }) => ({
      id: isDryRun && result.status === 'created' ? null : id,
      ...result,
    }));
    if (outcome.isReplay) c.header('Idempotent-Replayed', 'true');
    if (applied !== undefined) c.header('Preference-Applied', applied);
    const rest = `"results":${JSON.stringify(shown)}}`;
    if (minimal) return jsonResponse(c, `{${rest}`);
    return listResponse(c, {
      before: `{"${keys.many}":[`,
      parts: partsOnceDone(resources, outcome.readLarge),
      after: `],${rest}`,
    });
  };
}

/**
 * Yields the resources of a push in parts. If further calls to D1 read some of them, an empty part comes first, so that
 * the response begins before these calls: if they fail, the body is aborted, but what was done does not end in an error.
 */
async function* partsOnceDone(
  ...[resources, readLarge]: Parameters<typeof inParts>
): ReturnType<typeof inParts> {
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
    const { problems, unlisted } = invalidItems(collection, [...refusedOf(items())]);
    throw new InvalidRequest([...error.problems, ...problems], error.unlisted + unlisted);
  }
}

/** Returns the items that validation refused, by index. */
function refusedOf(items: ReadItems): Map<number, Refusal> {
  return new Map(
    [...items.entries()].flatMap(([index, item]) => (isRefusal(item) ? [[index, item]] : [])),
  );
}

/** Returns the error of a rejected push: every problem of every item, or the conflict if there are only conflicts. */
function refusalOf(
  collection: Collection,
  refusals: ReadonlyMap<number, Refusal>,
): AlreadyExists | InvalidRequest {
  const all = [...refusals.values()];
  const [first] = all;
  if (first?.taken !== undefined && all.every(({ taken }) => taken !== undefined)) {
    return new AlreadyExists(collection.noun, first.taken);
  }
  return invalidItems(collection, [...refusals]);
}

/** Returns the error that names every problem of these items. */
function invalidItems(
  { keys }: Collection,
  refusals: readonly (readonly [number, Refusal])[],
): InvalidRequest {
  const unlisted = refusals.reduce((sum, [, refusal]) => sum + (refusal.unlisted ?? 0), 0);
  return new InvalidRequest(
    refusals.flatMap(([index, { problems }]) =>
      problems.map(({ path, message }) => ({
        path: path === '' ? `${keys.many}.${index}` : `${keys.many}.${index}.${path}`,
        message,
      })),
    ),
    unlisted,
  );
}
