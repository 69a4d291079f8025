import { env } from 'cloudflare:workers';
import { app } from '../../../src/app.ts';
import { hashApiKey } from '../../../src/auth/api-key.ts';
import { Unavailable } from '../../../src/errors.ts';
import { shardOf } from './key.ts';
import { movingKey } from './move.ts';

/** The databases of a service, by number. */
export type Shards = Readonly<Record<string, D1Database>>;

/**
 * The service over several databases: the unchanged app with the database that the request's key names. If the brand
 * has moved, the request is repeated there; this costs extra calls until the key is rotated.
 */
export function serviceOver(shards: Shards): (request: Request) => Promise<Response> {
  return async (request) => {
    const key = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    const hash = await hashApiKey(key);
    const body = await request.arrayBuffer();
    const headers = new Headers(request.headers);

    for (let shard = shardOf(key); ;) {
      const db = shards[shard];
      // Without a valid key the app calls no database.
      if (db === undefined) headers.set('Authorization', 'Bearer none');
      const { method, url } = request;
      const attempt = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
      const response = await app.fetch(attempt, { ...env, DB: db ?? env.DB });
      if (db === undefined || (response.status !== 401 && response.status !== 403)) return response;

      const moving = await movingKey(db, hash);
      if (moving === undefined) return response;
      if (response.status === 403) return moving.scope === 'read' ? response : unavailable();
      // A bookmark belongs to one database, so the repeated request reads from the primary.
      headers.delete('x-d1-bookmark');
      shard = moving.shard;
    }
  };
}

/** The response to a write while its brand is copied: retry later. */
function unavailable(): Response {
  const { message, status, headers } = new Unavailable();
  return Response.json({ error: message }, { status, headers });
}
