import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import { statement } from '../db/statement.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { json, LIST_LIMIT, RESOURCE_LIMIT } from '../http/body.ts';
import { readPrecondition } from '../http/conditional.ts';
import { resourceResponse } from '../http/json-response.ts';
import { query } from '../http/parameters.ts';
import type { Collection } from './collection.ts';
import { createOperation } from './create.ts';
import { deleteOperation } from './delete.ts';
import { listOperation } from './list/list.ts';
import { listQuerySchema } from './list/query.ts';
import { postParametersSchema } from './post-parameters.ts';
import { pushOperation } from './push/push.ts';
import { resourceBody } from './resource-body.ts';
import { resourceIn, selectResource } from './row.ts';
import { updateOperation } from './update.ts';

/** The operations of every collection. */
export function collectionRoutes(collection: Collection): Hono<ApiEnv> {
  const list = listOperation(collection);
  const create = createOperation(collection);
  const push = pushOperation(collection);
  const select = statement(['id'], (p) => selectResource(collection, p.id, {}));
  const update = updateOperation(collection);
  const remove = deleteOperation(collection);
  const put = json(resourceBody(collection, collection.putBody), RESOURCE_LIMIT);
  const patch = json(resourceBody(collection, collection.patchBody), RESOURCE_LIMIT);

  // Any text may be an id here: one that is no UUID is an id that nobody has.
  return new Hono<ApiEnv>()
    .basePath(`/${collection.path}`)
    .get('/', query(listQuerySchema(collection)), (c) => list(c, c.req.valid('query')))
    .post('/', query(postParametersSchema(collection)), json(z.unknown(), LIST_LIMIT), (c) => {
      const { match, ...options } = c.req.valid('query');
      const body = c.req.valid('json');
      return match === undefined ? create(c, body) : push(c, body, match, options);
    })
    .get('/:id', async (c) => {
      const precondition = readPrecondition(c.req.raw.headers);
      const { joined } = await c.get('session').run({}, select({ id: c.req.param('id') }));
      const { body, revision } = resourceIn(collection, joined[0]);
      return resourceResponse(c, body, revision, { precondition });
    })
    .put('/:id', put, (c) => update(c, c.req.param('id'), c.req.valid('json')))
    .patch('/:id', patch, (c) => update(c, c.req.param('id'), c.req.valid('json')))
    .delete('/:id', (c) => remove(c, c.req.param('id')));
}
