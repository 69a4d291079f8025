import * as z from 'zod/mini';
import { AlreadyExists, InvalidRequest } from '../errors.ts';
import { checkAll } from '../http/checks.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { jsonResponse } from '../http/json-response.ts';
import { readPreferences } from '../http/prefer.ts';
import { validate } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { listEnvelopeOf } from './collection.ts';
import { inParts, listResponse } from './list-response.ts';
import type { PostOperation } from './operation.ts';
import { pushCalls } from './push-calls.ts';
import type { Refusal } from './push-items.ts';
import { readItems } from './push-items.ts';
import { resultsOf } from './push-results.ts';

/**
 * POST with `match`: updates the resources that items match, and creates a resource for items that match none. All or
 * none; with `Prefer: handling=lenient`, all items that are not refused.
 */
export function pushOperation(collection: Collection): PostOperation {
  const { keys } = collection;
  const envelope = listEnvelopeOf(keys.many, z.unknown());
  const calls = pushCalls(collection);

  return async (c, body, readParameters) => {
    const { headers } = c.req.raw;
    const [{ match = '', isDryRun }, list, idempotencyKey] = checkAll(
      c,
      readParameters,
      () => validate(envelope, body.value),
      () => (c.req.query('dryRun') === 'true' ? undefined : readIdempotencyKey(headers)),
    );
    const { lenient, minimal, applied } = readPreferences(headers);
    const items = readItems(collection, match, list[keys.many] ?? []);

    const push = { match, items, lenient, minimal };
    const outcome = isDryRun
      ? await calls.report(c.var.session, push)
      : idempotencyKey === undefined
        ? await calls.write(c.var.session, push)
        : await calls.writeOnce(c.var.session, push, {
            key: idempotencyKey,
            // `match` is part of the request's identity; preferences are not.
            fingerprint: await fingerprint(`${c.req.path}?match=${match}`, body.bytes),
          });

    const { results, resources, refusals } = resultsOf(collection, push, outcome);
    if (refusals.size > 0 && !lenient && !outcome.isReplay) throw refusalOf(collection, refusals);
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
      parts: inParts(resources, outcome.readTexts),
      after: `],${rest}`,
    });
  };
}

/** Returns the error of a rejected push: every problem of every item, or the conflict if there are only conflicts. */
function refusalOf(
  { keys, noun }: Collection,
  refusals: ReadonlyMap<number, Refusal>,
): AlreadyExists | InvalidRequest {
  const all = [...refusals.values()];
  const [first] = all;
  if (first?.taken !== undefined && all.every(({ taken }) => taken !== undefined)) {
    return new AlreadyExists(noun, first.taken);
  }
  const unlisted = all.reduce((sum, refusal) => sum + (refusal.unlisted ?? 0), 0);
  return new InvalidRequest(
    [...refusals].flatMap(([index, { problems }]) =>
      problems.map(({ path, message }) => ({
        path: path === '' ? `${keys.many}.${index}` : `${keys.many}.${index}.${path}`,
        message,
      })),
    ),
    unlisted,
  );
}
