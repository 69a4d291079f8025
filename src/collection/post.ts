import * as z from 'zod/mini';
import { LIST_LIMIT, readJson } from '../http/body.ts';
import { readParameters } from '../http/parameters.ts';
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
    const parameters = (): PostParameters => readParameters(c.req.url, schema);
    const isPush = c.req.query('match') !== undefined;
    return isPush ? push(c, body, parameters) : create(c, body, parameters);
  };
}

function postParametersSchema({ matches }: Collection): z.ZodMiniType<PostParameters> {
  const oneOf = (values: readonly string[]): z.ZodMiniType<string | undefined> => {
    const error = `expected one of ${values.join(', ')}, once`;
    return z.optional(z.enum([...values], { error }));
  };
  return z.pipe(
    z
      .strictObject({
        match: oneOf(Object.keys(matches)),
        dryRun: oneOf(['true', 'false']),
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
