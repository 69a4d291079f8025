import { Hono } from 'hono/tiny';
import * as z from 'zod/mini';
import type { ApiEnv } from '../http/api-env.ts';
import { json, LIST_LIMIT, RESOURCE_LIMIT } from '../http/body.ts';
import { query } from '../http/parameters.ts';
import { change } from './change.ts';
import type { Collection } from './collection.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { WRONG_LENGTH } from './envelope.ts';
import { list } from './list/list.ts';
import { listQuerySchema } from './list/query.ts';
import { postParametersSchema } from './post-parameters.ts';
import { push } from './push/push.ts';
import { read } from './read.ts';
import { resourceBody } from './resource-body.ts';

/** The operations of every collection. */
export function collectionRoutes(collection: Collection): Hono<ApiEnv> {
  const operations = {
    list: list(collection),
    create: create(collection),
    push: push(collection),
    read: read(collection),
    change: change(collection),
    remove: remove(collection),
  };
  const tooMany = { path: collection.keys.many, message: WRONG_LENGTH };
  const post = json(z.unknown(), LIST_LIMIT, tooMany);
  const put = json(resourceBody(collection, collection.putBody), RESOURCE_LIMIT);
  const patch = json(resourceBody(collection, collection.patchBody), RESOURCE_LIMIT);

  // Any text may be an id here: one that is no UUID is an id that nobody has.
  return new Hono<ApiEnv>()
    .basePath(`/${collection.path}`)
    .get('/', query(listQuerySchema(collection)), (c) => operations.list(c, c.req.valid('query')))
    .post('/', query(postParametersSchema(collection)), post, (c) => {
      const { match, ...options } = c.req.valid('query');
      const body = c.req.valid('json');
      return match === undefined
        ? operations.create(c, body)
        : operations.push(c, body, match, options);
    })
    .get('/:id', (c) => operations.read(c, c.req.param('id')))
    .put('/:id', put, (c) => operations.change(c, c.req.param('id'), c.req.valid('json')))
    .patch('/:id', patch, (c) => operations.change(c, c.req.param('id'), c.req.valid('json')))
    .delete('/:id', (c) => operations.remove(c, c.req.param('id')));
}
