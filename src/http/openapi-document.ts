import type { Context } from 'hono';
import type { OuterEnv } from './api-env.ts';

/** Gives the OpenAPI document, which needs no key and lies among the static assets. */
export async function openapiDocument(c: Context<OuterEnv>): Promise<Response> {
  const { body, headers, status } = await c.env.ASSETS.fetch(c.req.raw);
  c.header('ETag', headers.get('ETag') ?? undefined);
  if (status === 304) return c.body(null, 304);
  c.header('Content-Type', 'application/json');
  return c.body(body ?? '');
}
