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
  const batchOf =
    (session: D1DatabaseSession) =>
    async (own: D1PreparedStatement[]): Promise<D1Result[]> => {
      statements = own.length;
      const place = after === 'all' ? own.length : after;
      if (place > own.length || ++batches > times) return session.batch(own);
      const extra = session.prepare(inserted.sql).bind(...inserted.values);
      const batch = session.batch([...own.slice(0, place), extra, ...own.slice(place)]);
      const results = await batch.catch((thrown: unknown) => {
        throw error === undefined ? thrown : d1Error(error);
      });
      return results.toSpliced(place, 1);
    };
  const sessionOf = (session: D1DatabaseSession): D1DatabaseSession =>
    withMethod(session, 'batch', batchOf(session));
  return {
    db: withMethod(db, 'withSession', (constraint: string) =>
      sessionOf(db.withSession(constraint)),
    ),
    statements: () => statements,
  };
}

/** Returns the same object with one method replaced. */
export function withMethod<T extends object>(target: T, name: keyof T, method: unknown): T {
  return new Proxy(target, {
    get(_, property): unknown {
      if (property === name) return method;
      const member: unknown = Reflect.get(target, property);
      return typeof member === 'function'
        ? (...args: unknown[]): unknown => Reflect.apply(member, target, args)
        : member;
    },
  });
}
