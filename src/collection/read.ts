import type { Context } from 'hono';
import { statement } from '../db/statement.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import type { Collection } from './collection.ts';
import { resourceIn, selectResource } from './row.ts';

/** GET of one resource. */
export function readOperation(
  collection: Collection,
): (c: Context<ApiEnv>, id: string) => Promise<Response> {
  const select = statement(['id'], (p) => selectResource(collection, p.id, {}));

  return async (c, id) => {
    const precondition = readPrecondition(c.req.raw.headers);

    const { keyed } = await c.get('session').run({}, select({ id }));

    const { body, revision } = resourceIn(collection, keyed[0]);
    return resourceResponse(c, body, revision, { precondition });
  };
}
