import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { ApiEnv } from '../http/api-env.ts';
import { LIST_LIMIT, readJson, RESOURCE_LIMIT } from '../http/body.ts';
import { readPrecondition } from '../http/conditional.ts';
import { readIdempotency } from '../http/idempotency.ts';
import { envelope, jsonResponse, listEnvelope } from '../http/json-response.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { nextLink } from '../http/link.ts';
import { refuseInvalid, validate } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { readCreation } from './creation.ts';
import { readId } from './identifier.ts';
import { encodeCursor } from './cursor.ts';
import { completeList, listPage } from './list.ts';
import { listQuerySchema } from './list-query.ts';
import { collectionStore } from './store.ts';

/** The six operations on a collection. */
export function collectionRoutes(collection: Collection): Hono<ApiEnv> {
  const { keys, full, patch } = collection;
  const store = collectionStore(collection);
  const listQuery = zValidator(
    'query',
    z.lazy(() => listQuerySchema(collection)),
    refuseInvalid('parameter'),
  );
  const routes = new Hono<ApiEnv>();

  routes.get('/', listQuery, async (c) => {
    const { limit, ...query } = c.req.valid('query');
    if (limit === undefined) {
      const { body, finished } = await completeList(c.var.session, store, keys.many, query.filters);
      // Without a body nobody would read the rest, nor end it.
      if (c.req.method === 'HEAD') return jsonResponse(c, '');
      c.set('finished', finished);
      return jsonResponse(c, body);
    }
    const { resources, next } = await listPage(c.var.session, store, { ...query, limit });
    if (next !== undefined) c.header('Link', nextLink(c.req.url, encodeCursor(collection, next)));
    return jsonResponse(c, listEnvelope(keys.many, jsonOf(resources)));
  });

  routes.post('/', async (c) => {
    const body = await readJson(c.req.raw, LIST_LIMIT);
    const { completions, isList } = readCreation(collection, body);
    const idempotency = await readIdempotency(c.req.raw, body.bytes);
    const { resources, replayed } = await store.create(c.var.session, completions, idempotency);
    if (replayed) c.header('Idempotent-Replayed', 'true');
    const [first] = resources;
    if (isList || first === undefined) {
      return jsonResponse(c, listEnvelope(keys.many, jsonOf(resources)), 201);
    }
    return resourceResponse(c, envelope(keys.one, first.json), first.revision, 201);
  });

  routes.get('/:id', async (c) => {
    const id = readId(c.req.param('id'), collection);
    const { json, revision } = await store.find(c.var.session, id);
    return resourceResponse(c, envelope(keys.one, json), revision);
  });

  routes.put('/:id', async (c) => {
    const { value } = await readJson(c.req.raw, RESOURCE_LIMIT);
    const complete = validate(full, value);
    const precondition = readPrecondition(c.req.raw.headers);
    const id = readId(c.req.param('id'), collection);
    const { json, revision } = await store.change(c.var.session, id, complete(id), precondition);
    return resourceResponse(c, envelope(keys.one, json), revision);
  });

  routes.patch('/:id', async (c) => {
    const { value } = await readJson(c.req.raw, RESOURCE_LIMIT);
    const changes = validate(patch, value);
    const precondition = readPrecondition(c.req.raw.headers);
    const id = readId(c.req.param('id'), collection);
    const { json, revision } = await store.change(c.var.session, id, changes, precondition);
    return resourceResponse(c, envelope(keys.one, json), revision);
  });

  routes.delete('/:id', async (c) => {
    const precondition = readPrecondition(c.req.raw.headers);
    const id = readId(c.req.param('id'), collection);
    await store.remove(c.var.session, id, precondition);
    return c.json({ [keys.deleted]: id, success: true });
  });

  return routes;
}

function jsonOf(resources: readonly { readonly json: string }[]): string[] {
  return resources.map(({ json }) => json);
}
