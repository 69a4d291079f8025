import type { Context } from 'hono';
import type { Precondition } from '../db/precondition.ts';
import type { ApiEnv } from './api-env.ts';
import { entityTag, isKnownToClient } from './conditional.ts';

/**
 * Returns the response with one resource and its entity tag, or 304 if a GET's `If-None-Match` matches (RFC 9110,
 * 15.4.5).
 * @param body the resource in its envelope
 * @param precondition the precondition of a GET; a write has already applied its own
 */
export function resourceResponse(
  c: Context<ApiEnv>,
  body: Readonly<Record<string, unknown>>,
  revision: string,
  { precondition, status = 200 }: { precondition?: Precondition; status?: 200 | 201 } = {},
): Response {
  c.header('ETag', entityTag(revision));
  return precondition && isKnownToClient(precondition, revision)
    ? c.body(null, 304)
    : c.json(body, status);
}
