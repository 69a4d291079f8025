import type { Context } from 'hono';
import type { OuterEnv } from './api-env.ts';
import { logFailure } from './log.ts';
import { ServiceError } from '../errors.ts';

/** Turns whatever was thrown into `{ error }`; of what is not ours, the client learns nothing and the log all but secrets. */
export function errorResponse(error: Error, c: Context<OuterEnv>): Response {
  if (error instanceof ServiceError) {
    if (error.cause instanceof Error) logFailure(error.cause, c);
    return c.json({ error: error.message }, error.status, { ...error.headers });
  }
  logFailure(error, c);
  return c.json({ error: 'Internal server error.' }, 500);
}
