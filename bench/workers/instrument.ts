import { interceptD1 } from '../../test/support/d1.ts';

// Stands around a Worker: puts a distance between it and D1, and counts what goes there.

interface InstrumentedEnv {
  readonly DB: D1Database;
  /** How long each call to D1 is on its way, in milliseconds. */
  readonly DISTANCE: number;
}

/** What a Worker asked of D1 since it was last read. */
export interface Counters {
  calls: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/** The path at which the counters are read, and begin anew. */
export const COUNTERS = '/counters';

/** The Worker with a distant, counting D1. */
export function instrumented(worker: {
  fetch(request: Request, env: object, context: ExecutionContext): Response | Promise<Response>;
}): ExportedHandler<InstrumentedEnv> {
  let counters = fresh();
  return {
    fetch(request, env, context) {
      if (new URL(request.url).pathname === COUNTERS) {
        const read = Response.json(counters);
        counters = fresh();
        return read;
      }
      const DB = interceptD1(env.DB, async (call, on, method) => {
        if (env.DISTANCE > 0) await scheduler.wait(env.DISTANCE);
        // drizzle asks for raw rows, which come without their cost: they are made of those that have it.
        if (method === 'raw' && isStatement(on)) {
          const result = await on.all();
          count(counters, result);
          return result.results.map((row) => Object.values<unknown>(row));
        }
        const result = await call();
        count(counters, result);
        return result;
      });
      return worker.fetch(request, { ...env, DB }, context);
    },
  };
}

function fresh(): Counters {
  return { calls: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
}

function count(counters: Counters, result: unknown): void {
  counters.calls++;
  for (const statement of Array.isArray(result) ? result : [result]) {
    counters.statements++;
    const meta = hasMeta(statement) ? statement.meta : undefined;
    counters.rowsRead += meta?.rows_read ?? NaN;
    counters.rowsWritten += meta?.rows_written ?? NaN;
  }
}

function isStatement(value: object): value is D1PreparedStatement {
  return 'raw' in value && 'all' in value;
}

function hasMeta(value: unknown): value is D1Result {
  return typeof value === 'object' && value !== null && 'meta' in value;
}
