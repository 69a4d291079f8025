import { interceptD1 } from '../../test/support/d1.ts';

interface InstrumentedEnv {
  readonly DB: D1Database;
  /** How much longer each call to D1 takes, in milliseconds. */
  readonly DISTANCE: number;
}

/** The path at which the counters are read and set to zero. */
export const COUNTERS = '/counters';

const zero = { requests: 0, calls: 0, rowsRead: 0, rowsWritten: 0 };

/** The Worker with a distance to D1, and with its requests and calls counted. */
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
        // drizzle asks for raw rows, which come without their cost: ask for rows with it, and make them raw.
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
