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

/** Counts the requests of a client whose key was missing or rejected. Answers 429 if there are too many. */
export const limitFailedAuthentication = createMiddleware<OuterEnv>(
  async function limitFailedAuthentication(c, next) {
    await next();
    if (!(c.error instanceof ServiceError && c.error.status === 401)) return;
    const client = clientOf(c.req.header('CF-Connecting-IP') ?? '');
    if (await isWithinLimit(c.env.FAILURE_RATE_LIMIT, client, c)) return;
    // Otherwise Hono keeps this header of the 401.
    c.header('WWW-Authenticate', undefined);
    throw new RateLimited('requests without a valid API key', FAILURE_LIMIT, PERIOD);
  },
);

/**
 * Returns the client that an address stands for, in whatever spelling: an IPv4 address, also one that IPv6 maps; of IPv6 the
 * /64, which is the least that a network gives a client (RFC 6177).
 */
function clientOf(address: string): string {
  const url = `http://[${address}]`;
  if (!URL.canParse(url)) return address;
  // Eight groups of hexadecimal digits, of which `::` leaves out those that are 0.
  const [head = [], tail = []] = new URL(url).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail];
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff')
    return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}

/** Counts a request. If the limiter fails, that is logged, and the request goes on. */
async function isWithinLimit(limiter: RateLimit, key: string, c: Context): Promise<boolean> {
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    logFailure(error, c);
    return true;
  }
}
