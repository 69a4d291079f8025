import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Precondition } from '../db/precondition.ts';
import { isAmong } from '../db/precondition.ts';
import { errorCode, ServiceError } from '../errors.ts';
import type { ApiEnv, OuterEnv } from './api-env.ts';
import { logFailure } from './log.ts';
import { STANDARD_HEADERS } from './standard-headers.ts';

/**
 * Sets the headers of every response: a library that computes them would be 2 % of the Worker. `Date`, by which a client
 * finds that its own clock is ahead, is added by Cloudflare, but not by a local runtime.
 */
export const standardHeaders = createMiddleware(async function standardHeaders(c, next) {
  await next();
  // Not before: hono would copy each header once more.
  for (const [name, value] of Object.entries(STANDARD_HEADERS)) c.res.headers.set(name, value);
  c.res.headers.set('Date', new Date().toUTCString());
});

/** Converts an error into a response. An unexpected error is a generic 500, whose details are logged without secrets. */
export function errorResponse(error: Error, c: Context<OuterEnv>): Response {
  const isExpected = error instanceof ServiceError;
  const details = isExpected ? error.cause : error;
  if (details instanceof Error) logFailure(details, c);
  // Not as an argument of `json`: hono would keep the values that an earlier error of the request has set.
  for (const [name, value] of Object.entries(isExpected ? error.headers : {}))
    c.header(name, value);
  c.header('X-Error', errorCode(error));
  return isExpected
    ? c.json({ error: error.message }, error.status)
    : c.json({ error: 'Internal server error.' }, 500);
}

/**
 * Returns the response with one resource and its entity tag, or 304 if a GET's `If-None-Match` matches.
 * @param body the resource in its envelope
 * @param precondition the precondition of a GET; a write has already applied its own
 */
export function resourceResponse(
  c: Context<ApiEnv>,
  body: Readonly<Record<string, unknown>>,
  revision: string,
  { precondition, status = 200 }: { precondition?: Precondition; status?: 200 | 201 } = {},
): Response {
  c.header('ETag', `"${revision}"`);
  return precondition && isAmong(revision, precondition.ifNoneMatch)
    ? c.body(null, 304)
    : c.json(body, status);
}
