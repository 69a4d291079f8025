import { Hono } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import { readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { validate } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { readId } from './identifier.ts';
import { completeList } from './list.ts';
import { collectionStore } from './store.ts';

/** The six operations on a collection. */
export function collectionRoutes(collection: Collection): Hono<ApiEnv> {
  const { keys, full, patch } = collection;
  const store = collectionStore(collection);

  const routes = new Hono<ApiEnv>();

  routes.get('/', async (c) => {
    c.header('Content-Type', 'application/json');
    return c.body(await completeList(c.var.session, store, keys.many));
  });

  routes.post('/', async (c) => {
    const body = await readJson(c.req.raw, RESOURCE_LIMIT);
    const created = await store.create(c.var.session, validate(full, body));
    return c.json({ [keys.one]: created }, 201);
  });

  routes.get('/:id', async (c) => {
    const id = readId(c.req.param('id'), collection);
    return c.json({ [keys.one]: await store.find(c.var.session, id) });
  });

  routes.put('/:id', async (c) => {
    const complete = validate(full, await readJson(c.req.raw, RESOURCE_LIMIT));
    const id = readId(c.req.param('id'), collection);
    return c.json({ [keys.one]: await store.change(c.var.session, id, complete(id)) });
  });

  routes.patch('/:id', async (c) => {
    const changes = validate(patch, await readJson(c.req.raw, RESOURCE_LIMIT));
    const id = readId(c.req.param('id'), collection);
    return c.json({ [keys.one]: await store.change(c.var.session, id, changes) });
  });

  routes.delete('/:id', async (c) => {
    const id = readId(c.req.param('id'), collection);
    await store.remove(c.var.session, id);
    return c.json({ [keys.deleted]: id, success: true });
  });

  return routes;
}
