import { LIST_LIMIT, readJson } from '../http/body.ts';
import type { OperationWith } from '../http/operation.ts';
import { lazy } from '../lazy.ts';
import type { Collection } from './collection.ts';
import { createOperation } from './create.ts';
import type { PostParameters } from './post-parameters.ts';
import { pushOperation } from './push/push.ts';

/**
 * POST on a collection: creates resources, or, with `match`, runs a push: creates missing resources, and changes or
 * deletes existing ones.
 */
export function postOperation(collection: Collection): OperationWith<PostParameters> {
  const create = lazy(() => createOperation(collection));
  const push = lazy(() => pushOperation(collection));

  return async (c, readParameters) => {
    const body = await readJson(c.req.raw, LIST_LIMIT);
    const operation = c.req.queries('match') ? push() : create();
    return operation(c, body, readParameters);
  };
}
