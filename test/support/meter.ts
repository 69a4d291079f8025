import { env } from 'cloudflare:workers';
import { interceptD1 } from './intercept-d1.ts';

/** A binding that counts its calls and their cost. */
export interface Meter {
  readonly db: D1Database;
  /** Round trips to D1. */
  calls: number;
  /** The statements in these round trips. */
  statements: number;
  /** Rows scanned and rows written, as D1 counts them. */
  rowsRead: number;
  rowsWritten: number;
}

/** Creates a meter on the test database. */
export function meter(): Meter {
  const counted = {
    calls: 0,
    statements: 0,
    rowsRead: 0,
    rowsWritten: 0,
    db: interceptD1(env.DB, async (call) => {
      counted.calls++;
      const result = await call();
      for (const statement of Array.isArray(result) ? result : [result]) {
        const meta = field(statement, 'meta');
        counted.statements++;
        counted.rowsRead += counter(meta, 'rows_read');
        counted.rowsWritten += counter(meta, 'rows_written');
      }
      return result;
    }),
  };
  return counted;
}

/** Returns one of D1's counters; infinity if the result does not have it, so that every limit fails. */
function counter(meta: unknown, name: string): number {
  const value = field(meta, name);
  return typeof value === 'number' ? value : Infinity;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
