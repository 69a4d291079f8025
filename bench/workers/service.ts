import { app } from '../../src/app.ts';
import type { Env } from '../../src/env.ts';

// The service, with a rate limiter that counts in memory, as Cloudflare's does. The one that workerd is given for local
// development is a Durable Object that writes to SQLite: it costs as much as a call to D1, and would hide everything else.

const PERIOD = 10_000;

/** Counts as the binding does, in fixed windows. */
function rateLimiter(limit: number): RateLimit {
  let counts = new Map<string, number>();
  let end = 0;
  return {
    limit({ key }) {
      const now = Date.now();
      if (now >= end) {
        end = now + PERIOD;
        counts = new Map();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return Promise.resolve({ success: count <= limit });
    },
  };
}

const limits = { KEY_RATE_LIMIT: rateLimiter(Infinity), FAILURE_RATE_LIMIT: rateLimiter(Infinity) };

export default {
  fetch: (request, env, context) => app.fetch(request, { ...env, ...limits }, context),
} satisfies ExportedHandler<Env>;
