import type { Context } from 'hono';
import type { OuterEnv } from './api-env.ts';

/** Gives the OpenAPI document, which needs no key and lies among the static assets. */
export async function openapiDocument(c: Context<OuterEnv>): Promise<Response> {
  const { body, status, headers } = await c.env.ASSETS.fetch(c.req.raw);
  // A copy: the headers of an answer that was fetched cannot be added to.
  return new Response(body, { status, headers: new Headers(headers) });
}
