import { interceptD1 } from '../../test/support/intercept-d1.ts';
import contestant from './contestant.js';

// Runs around every Worker that is measured, and replaces what costs more in the local simulation than the Worker.

interface Env {
  readonly DB: D1Database;
  /** Milliseconds that each call to D1 takes longer. If it is above 0, requests and calls are counted too. */
  readonly DISTANCE: number;
}

// Miniflare's host reads the log from a pipe.
// oxlint-disable-next-line no-console -- see above
console.log = () => undefined;

// Cloudflare's limiter counts in memory. The local one is a Durable Object that writes to SQLite.
const limiter = { limit: () => Promise.resolve({ success: true }) };
const limits = { KEY_RATE_LIMIT: limiter, FAILURE_RATE_LIMIT: limiter };

const zero = { requests: 0, calls: 0, rowsRead: 0, rowsWritten: 0 };
let counters = { ...zero };

export default {
  fetch(request, env, context) {
    if (env.DISTANCE === 0) return contestant.fetch(request, { ...env, ...limits }, context);
    if (request.url.endsWith('/counters')) {
      const read = Response.json(counters);
      counters = { ...zero };
      return read;
    }
    counters.requests++;
    const DB = interceptD1(env.DB, async (call, on, method) => {
      await scheduler.wait(env.DISTANCE);
      // drizzle requests raw rows, whose result has no cost. Request rows with their cost, and convert them.
      const isRaw = method === 'raw' && isStatement(on);
      const result = isRaw ? await on.all() : await call();
      count(result);
      return isRaw && hasMeta(result) ? result.results.map((row) => Object.values(row)) : result;
    });
    return contestant.fetch(request, { ...env, ...limits, DB }, context);
  },
} satisfies ExportedHandler<Env>;

function count(result: unknown): void {
  counters.calls++;
  for (const statement of [result].flat()) {
    const meta = hasMeta(statement) ? statement.meta : undefined;
    counters.rowsRead += meta?.rows_read ?? NaN;
    counters.rowsWritten += meta?.rows_written ?? NaN;
  }
}

const isStatement = (value: object): value is D1PreparedStatement => 'raw' in value;

function hasMeta(value: unknown): value is D1Result<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null && 'meta' in value;
}
