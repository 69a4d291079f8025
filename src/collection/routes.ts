import { Hono } from 'hono/tiny';
import type { ApiEnv } from '../http/api-env.ts';
import { lazy } from '../lazy.ts';
import { changeOperations } from './change.ts';
import type { CollectionSource } from './collection.ts';
import { deleteOperation } from './delete.ts';
import { listOperation } from './list.ts';
import { postOperation } from './post.ts';
import { readOperation } from './read.ts';
import { replaceOperation } from './replace.ts';
import { updateOperation } from './update.ts';

/** The routes of the operations on a collection. The operations are built on first use. */
export function collectionRoutes({ load }: CollectionSource): Hono<ApiEnv> {
  const operations = lazy(() => {
    const collection = load();
    const change = changeOperations(collection);
    return {
      list: listOperation(collection),
      post: postOperation(collection),
      read: readOperation(collection),
      replace: replaceOperation(collection, change),
      update: updateOperation(collection, change),
      delete: deleteOperation(collection),
    };
  });

  const routes = new Hono<ApiEnv>();
  routes.get('/', (c) => operations().list(c));
  routes.post('/', (c) => operations().post(c));
  routes.get('/:id', (c) => operations().read(c));
  routes.put('/:id', (c) => operations().replace(c));
  routes.patch('/:id', (c) => operations().update(c));
  routes.delete('/:id', (c) => operations().delete(c));
  return routes;
}
