import { env } from 'cloudflare:workers';
import { interceptD1 } from './d1.ts';

/** A binding that notes what passes through it. */
export interface Meter {
  readonly db: D1Database;
  readonly used: { calls: number; rowsRead: number; rowsWritten: number };
}

/** The test database behind a meter that stands at zero. */
export function meter(): Meter {
  const used = { calls: 0, rowsRead: 0, rowsWritten: 0 };
  const db = interceptD1(env.DB, async (call) => {
    used.calls++;
    const result = await call();
    for (const { read, written } of (Array.isArray(result) ? result : [result]).map(rows)) {
      used.rowsRead += read;
      used.rowsWritten += written;
    }
    return result;
  });
  return { db, used };
}

/** D1's own counters. A result that hides them counts as endless, so that no limit holds for it. */
function rows(result: unknown): { read: number; written: number } {
  const meta = field(result, 'meta');
  return { read: counter(meta, 'rows_read'), written: counter(meta, 'rows_written') };
}

function counter(meta: unknown, name: string): number {
  const value = field(meta, name);
  return typeof value === 'number' ? value : Infinity;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
