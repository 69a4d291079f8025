import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { RateLimited, ServiceError } from '../errors.ts';
import type { ApiEnv, OuterEnv } from '../http/api-env.ts';
import { logFailure } from '../http/log.ts';
import { FAILURE_LIMIT, KEY_LIMIT, PERIOD } from './limits.ts';

/**
 * Counts a request against the limit of its key, which may be unknown. Cloudflare counts near the client, without a round
 * trip.
 * @throws RateLimited
 */
export async function countRequest(c: Context<ApiEnv>, keyHash: string): Promise<void> {
  if (await isWithinLimit(c.env.KEY_RATE_LIMIT, keyHash, c)) return;
  throw new RateLimited('requests per API key', KEY_LIMIT, PERIOD);
}

/** Counts the requests of a client address whose key was missing or rejected. Answers 429 if there are too many. */
export const limitFailedAuthentication = createMiddleware<OuterEnv>(
  async function limitFailedAuthentication(c, next) {
    await next();
    if (!(c.error instanceof ServiceError && c.error.status === 401)) return;
    const address = c.req.header('CF-Connecting-IP') ?? '';
    if (await isWithinLimit(c.env.FAILURE_RATE_LIMIT, address, c)) return;
    // Otherwise Hono keeps this header of the 401.
    c.header('WWW-Authenticate', undefined);
    throw new RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD);
  },
);

/** Counts a request. If the limiter fails, that is logged, and the request goes on. */
async function isWithinLimit(limiter: RateLimit, key: string, c: Context): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(error, c);
    return true;
  }
}
