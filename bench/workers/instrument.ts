import { bindingOf, numbersIn } from '../../src/db/databases.ts';
import type { Databases } from '../../src/env.ts';
import { interceptD1 } from '../../test/support/d1.ts';

interface InstrumentedEnv extends Databases {
  /** The added latency of each call to D1, in milliseconds. */
  readonly DISTANCE: number;
  /** Whether a database does nothing else in that time. */
  readonly IS_IN_TURN: boolean;
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
  /** Until when each database is busy. */
  const busyUntil = new Map<number, number>();
  const wait = async (number: number, { DISTANCE, IS_IN_TURN }: InstrumentedEnv): Promise<void> => {
    if (DISTANCE === 0) return;
    const now = Date.now();
    const end = Math.max(now, IS_IN_TURN ? (busyUntil.get(number) ?? 0) : 0) + DISTANCE;
    busyUntil.set(number, end);
    await scheduler.wait(end - now);
  };
  return {
    fetch(request, env, context) {
      if (new URL(request.url).pathname === COUNTERS) {
        const read = Response.json(counters);
        counters = { ...zero };
        return read;
      }
      counters.requests++;
      const instrument = (db: D1Database, number: number): D1Database =>
        interceptD1(db, async (call, on, method) => {
          await wait(number, env);
          // drizzle requests raw rows, whose result has no cost. Request rows with their cost, and convert them.
          const isRaw = method === 'raw' && isStatement(on);
          const result = isRaw ? await on.all() : await call();
          count(result);
          return isRaw && hasMeta(result)
            ? result.results.map((row) => Object.values(row))
            : result;
        });
      const databases = numbersIn(Object.keys(env)).flatMap((number) => {
        const db = env[bindingOf(number)];
        return db === undefined ? [] : [[bindingOf(number), instrument(db, number)]];
      });
      return worker.fetch(request, { ...env, ...Object.fromEntries(databases) }, context);
    },
  };
}

const isStatement = (value: object): value is D1PreparedStatement => 'raw' in value;

function hasMeta(value: unknown): value is D1Result<Readonly<Record<string, unknown>>> {
  return typeof value === 'object' && value !== null && 'meta' in value;
}
