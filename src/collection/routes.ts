import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { idInPath, boundedQuery, query } from '../http/parameters.ts';
import { lazy } from '../lazy.ts';
import { changeOperations } from './change.ts';
import type { CollectionSource } from './collection.ts';
import { deleteOperation } from './delete.ts';
import { isId } from './identifier.ts';
import { listOperation } from './list/list.ts';
import { listQuerySchema } from './list/query.ts';
import { postOperation } from './post.ts';
import { postParametersSchema } from './post-parameters.ts';
import { readOperation } from './read.ts';

/** The routes of the operations on a collection. The operations are built on first use. */
export function collectionRoutes({ load }: CollectionSource): Hono<ApiEnv> {
  const operations = lazy(() => {
    const collection = load();
    return {
      list: listOperation(collection),
      post: postOperation(collection),
      read: readOperation(collection),
      ...changeOperations(collection),
      delete: deleteOperation(collection),
    };
  });
  const listQuery = query(lazy(() => listQuerySchema(load())));
  const postQuery = query(lazy(() => postParametersSchema(load())));
  const id = idInPath(isId, () => load().noun);

  const routes = new Hono<ApiEnv>();
  routes.use('/', boundedQuery);
  routes.get('/', listQuery, (c) => operations().list(c, c.req.valid('query')));
  routes.post('/', postQuery, (c) => operations().post(c, c.req.valid('query')));
  routes.get('/:id', id, (c) => operations().read(c, c.req.valid('param')));
  routes.put('/:id', id, (c) => operations().replace(c, c.req.valid('param')));
  routes.patch('/:id', id, (c) => operations().update(c, c.req.valid('param')));
  routes.delete('/:id', id, (c) => operations().delete(c, c.req.valid('param')));
  return routes;
}
