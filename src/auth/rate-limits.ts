import { createMiddleware } from 'hono/factory';
import { RateLimited, Unauthorized } from '../errors.ts';
import type { Env } from '../env.ts';
import type { OuterEnv } from '../http/api-env.ts';

// wrangler.toml sets the limits. These constants state the same limits to clients.
/** Requests per key and period. */
export const KEY_LIMIT = 1000;
/** Requests without a valid key per client address and period. */
export const FAILURE_LIMIT = 300;
/** The period of both limits, in seconds. */
export const PERIOD = 10;

/**
 * The `RateLimit-Policy` header: quota and window (draft-ietf-httpapi-ratelimit-headers). The binding does not report
 * how many requests remain.
 */
export const RATE_LIMIT_POLICY = `"key";q=${KEY_LIMIT};w=${PERIOD}`;

/**
 * Counts a request against the limit of its key. Cloudflare counts near the client, without a round trip.
 * @param keyHash SHA-256 of a well-formed key, which may be unknown
 * @throws RateLimited
 */
export async function countRequest(env: Env, keyHash: string): Promise<void> {
  const { success } = await env.KEY_RATE_LIMIT.limit({ key: keyHash });
  if (!success) throw new RateLimited('requests per API key', KEY_LIMIT, PERIOD);
}

/** Counts the requests of a client address whose key was missing or rejected. Answers 429 if there are too many. */
export const limitFailedAuthentication = createMiddleware<OuterEnv>(
  async function limitFailedAuthentication(c, next) {
    await next();
    if (!(c.error instanceof Unauthorized)) return;
    const address = c.req.header('CF-Connecting-IP') ?? '';
    const { success } = await c.env.FAILURE_RATE_LIMIT.limit({ key: address });
    if (success) return;
    // Otherwise Hono keeps this header of the 401.
    c.header('WWW-Authenticate', undefined);
    throw new RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD);
  },
);
