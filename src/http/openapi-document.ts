import type { Context } from 'hono';
import type { OuterEnv } from './api-env.ts';
import { isKnownToClient, readPrecondition } from './conditional.ts';

/** Gives the OpenAPI document, which needs no key and lies among the static assets. */
export async function openapiDocument(c: Context<OuterEnv>): Promise<Response> {
  const { method, url, headers } = c.req.raw;
  const precondition = readPrecondition(headers);
  // Without the client's headers: of If-None-Match, the assets read a single tag only.
  const asset = await c.env.ASSETS.fetch(url, { method });
  const tag = asset.headers.get('ETag') ?? undefined;
  const isKnown = tag !== undefined && isKnownToClient(precondition, tag.slice(1, -1));
  c.header('ETag', tag);
  if (isKnown) {
    await asset.body?.cancel();
    return c.body(null, 304);
  }
  c.header('Content-Type', 'application/json');
  return c.body(asset.body ?? '');
}
