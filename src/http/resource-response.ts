import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { entityTag, isKnownToClient } from './conditional.ts';
import { jsonResponse } from './json-response.ts';

/**
 * Answers with one resource and its entity tag, or with 304 where a GET says that the client has it already (RFC 9110, 15.4.5).
 * @param json the envelope, as JSON text
 */
export function resourceResponse(
  c: Context<ApiEnv>,
  json: string,
  revision: string,
  status: 200 | 201 = 200,
): Response {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const isKnown = isRead && isKnownToClient(c.req.raw.headers, revision);
  c.header('ETag', entityTag(revision));
  return isKnown ? c.body(null, 304) : jsonResponse(c, json, status);
}
