import { interceptD1 } from './intercept-d1.ts';
import { d1Error } from './faults.ts';

/** A statement to run inside the service's own transaction, with its values. */
export interface Inserted {
  readonly sql: string;
  readonly values: readonly string[];
  /** In how many batches, from the first on; in all of them unless this says otherwise. */
  readonly times?: number;
  /** What D1 is made to say in place of the statement's own error. */
  readonly error?: string;
}

/** A database that runs an extra statement within the service's batches. */
export interface Interrupted {
  readonly db: D1Database;
  /** The number of the service's statements in the last batch. */
  readonly statements: () => number;
}

/**
 * Wraps a binding so that an extra statement runs in every batch. It simulates a concurrent change between two
 * statements, or an error that ends a batch half-way.
 * @param after the number of the service's statements before the extra one; a batch with fewer is unchanged. `all`
 *   stands for its end
 */
export function insertStatement(
  db: D1Database,
  after: number | 'all',
  inserted: Inserted,
): Interrupted {
  const { times = Infinity, error } = inserted;
  let [statements, batches] = [0, 0];
  const intercepted = interceptD1(db, async (call, on, method, [own]) => {
    if (method !== 'batch' || !isSession(on) || !Array.isArray(own)) return call();
    statements = own.length;
    const place = after === 'all' ? own.length : after;
    if (place > own.length || ++batches > times) return call();
    const extra = on.prepare(inserted.sql).bind(...inserted.values);
    const results = await call(own.toSpliced(place, 0, extra)).catch((thrown: unknown) => {
      throw error === undefined ? thrown : d1Error(error);
    });
    return Array.isArray(results) ? results.toSpliced(place, 1) : results;
  });
  return { db: intercepted, statements: () => statements };
}

const isSession = (value: object): value is D1DatabaseSession => 'prepare' in value;
