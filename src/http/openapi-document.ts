import type { Context } from 'hono';
import { isAmong } from '../db/precondition.ts';
import { Unavailable } from '../errors.ts';
import type { OuterEnv } from './api-env.ts';
import { readPrecondition } from './conditional.ts';

/**
 * Returns the OpenAPI document, a static asset. It needs no key.
 * @throws Unavailable if the asset server fails
 */
export async function openapiDocument(c: Context<OuterEnv>): Promise<Response> {
  const { method, url, headers } = c.req.raw;
  const { ifNoneMatch } = readPrecondition(headers);
  // Without the client's headers, because the asset server reads only a single tag in If-None-Match.
  const asset = await c.env.ASSETS.fetch(url, { method });
  if (!asset.ok) throw new Unavailable('assets');
  const tag = asset.headers.get('ETag') ?? undefined;
  c.header('ETag', tag);
  if (tag !== undefined && isAmong(tag.slice(1, -1), ifNoneMatch)) {
    await asset.body?.cancel();
    return c.body(null, 304);
  }
  c.header('Content-Type', 'application/json');
  return c.body(asset.body ?? '');
}
