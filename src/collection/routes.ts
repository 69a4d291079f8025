import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { idInPath, boundedQuery, query } from '../http/parameters.ts';
import { lazy } from '../lazy.ts';
import { changeOperations } from './change.ts';
import type { Collection, CollectionSource } from './collection.ts';
import { deleteOperation } from './delete.ts';
import { isId } from './identifier.ts';
import { listOperation } from './list/list.ts';
import { listQuerySchema } from './list/query.ts';
import { postOperation } from './post.ts';
import { postParametersSchema } from './post-parameters.ts';
import { readOperation } from './read.ts';

/** The routes of the operations on a collection. Each operation is built on its first use. */
export function collectionRoutes({ load }: CollectionSource): Hono<ApiEnv> {
  const built = <T>(build: (collection: Collection) => T): (() => T) => lazy(() => build(load()));
  const list = built(listOperation);
  const post = built(postOperation);
  const read = built(readOperation);
  const changes = built(changeOperations);
  const remove = built(deleteOperation);
  const listQuery = query(lazy(() => listQuerySchema(load())));
  const postQuery = query(lazy(() => postParametersSchema(load())));
  const id = idInPath(isId, () => load().noun);

  const routes = new Hono<ApiEnv>();
  routes.use('/', boundedQuery);
  routes.get('/', listQuery, (c) => list()(c, c.req.valid('query')));
  routes.post('/', postQuery, (c) => post()(c, c.req.valid('query')));
  routes.get('/:id', id, (c) => read()(c, c.req.valid('param')));
  routes.put('/:id', id, (c) => changes().replace(c, c.req.valid('param')));
  routes.patch('/:id', id, (c) => changes().update(c, c.req.valid('param')));
  routes.delete('/:id', id, (c) => remove()(c, c.req.valid('param')));
  return routes;
}
