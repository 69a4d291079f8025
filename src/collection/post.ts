import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { LIST_LIMIT, readJson } from '../http/body.ts';
import type { Collection } from './collection.ts';
import { createOperation } from './create.ts';
import type { PostParameters } from './post-parameters.ts';
import { pushOperation } from './push/push.ts';

/**
 * POST on a collection: creates resources, or, with `match`, runs a push: creates missing resources, and changes or
 * deletes existing ones.
 */
export function postOperation(
  collection: Collection,
): (c: Context<ApiEnv>, parameters: PostParameters) => Promise<Response> {
  const create = createOperation(collection);
  const push = pushOperation(collection);

  return async (c, { match, ...parameters }) => {
    const body = await readJson(c.req.raw, LIST_LIMIT);
    return match === undefined ? create(c, body) : push(c, body, { match, ...parameters });
  };
}
