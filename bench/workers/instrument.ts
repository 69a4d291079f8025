import { interceptD1 } from '../../test/support/d1.ts';

interface InstrumentedEnv {
  readonly DB: D1Database;
  /** The added latency of each call to D1, in milliseconds. */
  readonly DISTANCE: number;
}

/** The path that returns the counters and resets them. */
export const COUNTERS = '/counters';

const zero = { requests: 0, calls: 0, rowsRead: 0, rowsWritten: 0 };

/** Wraps a Worker: adds latency to D1, and counts its requests and calls. */
export function instrumented(worker: {
  fetch(request: Request, env: object, context: ExecutionContext): Response | Promise<Response>;
}): ExportedHandler<InstrumentedEnv> {
  let counters = { ...zero };
  const count = (result: unknown): void => {
    counters.calls++;
    for (const statement of [result].flat()) {
      const meta = hasMeta(statement) ? statement.meta : undefined;
      counters.rowsRead += meta?.rows_read ?? NaN;
      counters.rowsWritten += meta?.rows_written ?? NaN;
    }
  };
  return {
    fetch(request, env, context) {
      if (new URL(request.url).pathname === COUNTERS) {
        const read = Response.json(counters);
        counters = { ...zero };
        return read;
      }
      counters.requests++;
      const DB = interceptD1(env.DB, async (call, on, method) => {
        if (env.DISTANCE > 0) await scheduler.wait(env.DISTANCE);
        // drizzle requests raw rows, whose result has no cost. Request rows with their cost, and convert them.
        const isRaw = method === 'raw' && isStatement(on);
        const result = isRaw ? await on.all() : await call();
        count(result);
        return isRaw && hasMeta(result) ? result.results.map((row) => Object.values(row)) : result;
      });
      return worker.fetch(request, { ...env, DB }, context);
    },
  };
}

const isStatement = (value: object): value is D1PreparedStatement => 'raw' in value;

function hasMeta(value: unknown): value is D1Result<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null && 'meta' in value;
}
