import { app } from '../../src/app.ts';
import type { Env } from '../../src/env.ts';

// The service with a rate limiter that answers immediately, like Cloudflare's, which counts in memory. workerd's
// limiter is a Durable Object that writes to SQLite: it costs as much as a call to D1 and would hide everything else.
const limiter = { limit: () => Promise.resolve({ success: true }) };
const limits = { KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };

/** Returns the Worker of an app, with that limiter. */
export function withLimits(served: typeof app): Required<Pick<ExportedHandler<Env>, 'fetch'>> {
  return {
    fetch: (request, env, context) => served.fetch(request, { ...env, ...limits }, context),
  };
}

export default withLimits(app);
