import { env } from 'cloudflare:workers';
import { app } from '../../../src/app.ts';
import { hashApiKey } from '../../../src/auth/api-key.ts';
import { Unavailable } from '../../../src/errors.ts';
import { shardOf } from './key.ts';
import { movingKey } from './move.ts';

/** The databases of a service by their numbers. */
export type Shards = Readonly<Record<string, D1Database>>;

/**
 * The service over several databases: the app as it is, given the database that the request's key names.
 * Where the brand has moved on, the request is made again there: this is what a key costs until it is rotated.
 */
export function serviceOver(shards: Shards): (request: Request) => Promise<Response> {
  return async (request) => {
    const key = request.headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    const hash = await hashApiKey(key);
    const body = await request.arrayBuffer();
    const headers = new Headers(request.headers);

    for (let shard = shardOf(key); ;) {
      const db = shards[shard];
      // Without a usable key the app asks no database.
      if (db === undefined) headers.set('Authorization', 'Bearer none');
      const { method, url } = request;
      const attempt = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
      const response = await app.fetch(attempt, { ...env, DB: db ?? env.DB });
      if (db === undefined || (response.status !== 401 && response.status !== 403)) return response;

      const moving = await movingKey(db, hash);
      if (moving === undefined) return response;
      if (response.status === 403) return moving.scope === 'read' ? response : unavailable();
      // A bookmark is of one database: where the request goes on, it reads from the primary.
      headers.delete('x-d1-bookmark');
      shard = moving.shard;
    }
  };
}

/** What a write is told while its brand is copied: to come back. */
function unavailable(): Response {
  const { message, status, headers } = new Unavailable();
  return Response.json({ error: message }, { status, headers });
}
