import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { query } from '../http/parameters.ts';
import type { Collection } from './collection.ts';
import { deleteOperation } from './delete.ts';
import { listOperation } from './list/list.ts';
import { listQuerySchema } from './list/query.ts';
import { postParametersSchema } from './post-parameters.ts';
import { postOperation } from './post.ts';
import { readOperation } from './read.ts';
import { updateOperation } from './update.ts';

/** The routes of the six operations on a collection. */
export function collectionRoutes(collection: Collection): Hono<ApiEnv> {
  const list = listOperation(collection);
  const post = postOperation(collection);
  const read = readOperation(collection);
  const update = updateOperation(collection);
  const remove = deleteOperation(collection);

  // Any text may be an id here: one that is no UUID is an id that nobody has.
  return new Hono<ApiEnv>()
    .get('/', query(listQuerySchema(collection)), (c) => list(c, c.req.valid('query')))
    .post('/', query(postParametersSchema(collection)), (c) => post(c, c.req.valid('query')))
    .get('/:id', (c) => read(c, c.req.param('id')))
    .put('/:id', (c) => update(c, c.req.param('id'), collection.postBody))
    .patch('/:id', (c) => update(c, c.req.param('id'), collection.patchBody))
    .delete('/:id', (c) => remove(c, c.req.param('id')));
}
