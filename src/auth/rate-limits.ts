import { createMiddleware } from 'hono/factory';
import { RateLimited, Unauthorized } from '../errors.ts';
import type { Env } from '../env.ts';
import type { OuterEnv } from '../http/api-env.ts';

// The limits themselves are set in wrangler.toml; these say the same to clients.
/** Requests of a key in one period. */
export const KEY_LIMIT = 1000;
/** Requests of an address without a valid key in one period. */
export const FAILURE_LIMIT = 300;
/** The period of both limits, in seconds. */
export const PERIOD = 10;

/** What is announced: the quota and the window. How much of it is left, the binding does not know (draft-ietf-httpapi-ratelimit-headers). */
export const RATE_LIMIT_POLICY = `"key";q=${KEY_LIMIT};w=${PERIOD}`;

/**
 * Counts a request of a key. Cloudflare counts near the client, so that it costs no trip.
 * @param keyHash the key, well-formed and not yet looked up
 * @throws RateLimited
 */
export async function countRequest(env: Env, keyHash: string): Promise<void> {
  const { success } = await env.KEY_RATE_LIMIT.limit({ key: keyHash });
  if (!success) throw new RateLimited('requests per API key', KEY_LIMIT, PERIOD);
}

/** Counts the requests of an address whose key was missing or refused, and answers 429 where they are too many. */
export const limitFailedAuthentication = createMiddleware<OuterEnv>(
  async function limitFailedAuthentication(c, next) {
    await next();
    if (!(c.error instanceof Unauthorized)) return;
    const address = c.req.header('CF-Connecting-IP') ?? '';
    const { success } = await c.env.FAILURE_RATE_LIMIT.limit({ key: address });
    if (success) return;
    // Hono would carry the header of the 401 over.
    c.header('WWW-Authenticate', undefined);
    throw new RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD);
  },
);
