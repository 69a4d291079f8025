import * as z from 'zod/mini';
import { LIST_LIMIT, readJson } from '../http/body.ts';
import { parameter, queryOf, readParameters } from '../http/parameters.ts';
import type { Collection } from './collection.ts';
import { createOperation } from './create.ts';
import type { Operation } from '../http/operation.ts';
import type { PostParameters } from './operation-types.ts';
import { pushOperation } from './push.ts';

/**
 * POST on a collection: creates resources, or, with `match`, runs a push: creates missing resources and updates
 * existing ones.
 */
export function postOperation(collection: Collection): Operation {
  const schema = postParametersSchema(collection);
  const create = createOperation(collection);
  const push = pushOperation(collection);

  return async (c) => {
    const body = await readJson(c.req.raw, LIST_LIMIT);
    const query = queryOf(c.req.raw);
    const parameters = (): PostParameters => readParameters(query, schema);
    return query.has('match') ? push(c, body, parameters) : create(c, body, parameters);
  };
}

/** The problem of a `match` that is not one of these. */
export function expectedMatch(matches: Collection['matches']): string {
  return `expected one of ${Object.keys(matches).join(', ')}`;
}

function postParametersSchema({ matches }: Collection): z.ZodMiniType<PostParameters> {
  return z.pipe(
    z
      .strictObject({
        match: parameter(z.enum(Object.keys(matches), { error: expectedMatch(matches) })),
        dryRun: parameter(z.enum(['true', 'false'], { error: 'expected true or false' })),
      })
      .check(
        z.refine(({ match, dryRun }) => match !== undefined || dryRun !== 'true', {
          path: ['dryRun'],
          error: 'expected together with match',
        }),
      ),
    z.transform(({ match, dryRun }) => ({ match, isDryRun: dryRun === 'true' })),
  );
}
