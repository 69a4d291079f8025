import type { Context } from 'hono';
import { includes } from '../db/precondition.ts';
import type { ApiEnv } from './api-env.ts';
import { entityTag, readPrecondition } from './conditional.ts';

/**
 * Answers with one resource and its entity tag, or with 304 where a GET says that the client has it already (RFC 9110, 15.4.5).
 * @param body the envelope
 */
export function resourceResponse(
  c: Context<ApiEnv>,
  body: object,
  revision: string,
  status: 200 | 201 = 200,
): Response {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const isKnown = isRead && includes(readPrecondition(c.req.raw.headers).ifNoneMatch, revision);
  c.header('ETag', entityTag(revision));
  return isKnown ? c.body(null, 304) : c.json(body, status);
}
