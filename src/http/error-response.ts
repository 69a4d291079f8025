import type { Context } from 'hono';
import type { OuterEnv } from './api-env.ts';
import { logFailure } from './log.ts';
import { ServiceError } from '../errors.ts';

/**
 * Converts an error into a response `{ error }`. Unexpected errors return a generic 500; details are logged without
 * secrets.
 */
export function errorResponse(error: Error, c: Context<OuterEnv>): Response {
  if (error instanceof ServiceError) {
    if (error.cause instanceof Error) logFailure(error.cause, c);
    return c.json({ error: error.message }, error.status, { ...error.headers });
  }
  logFailure(error, c);
  return c.json({ error: 'Internal server error.' }, 500);
}
