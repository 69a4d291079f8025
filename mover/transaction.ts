import type { Sql } from '../src/db/sql.ts';
import type { Row, SqlValue } from '../src/db/statement.ts';
import { statement } from '../src/db/statement.ts';

/** A database as the mover uses it: a binding, or what runs a transaction in another way. */
export type Database = Pick<D1Database, 'prepare' | 'batch'> | Remote;

/** A database without a binding. */
export interface Remote {
  /** Runs statements as one transaction. Unlike a binding it may repeat them. */
  readonly transact: (statements: readonly Bound[]) => Promise<Result>;
}

/** A statement, with the values of `?1`, `?2` and so on. */
export interface Bound {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** The values of placeholders, by name. */
export type Values = Readonly<Record<string, SqlValue>>;

/** A statement with the values that only it takes. */
export interface Step {
  readonly query: Sql<string>;
  readonly values: Values;
}

/** The result of a transaction. */
export interface Result {
  /** The rows of each statement. */
  readonly rows: readonly (readonly Row[])[];
  /** The size of the database, in bytes. */
  readonly size: number;
}

/**
 * Runs statements as one transaction, in one call to D1. It never tries again: what is not known to have failed may still
 * arrive, and only the next run of the mover may repeat it.
 * @param values the values that all statements may take
 */
export async function transact(
  db: Database,
  values: Values,
  steps: readonly (Sql<string> | Step)[],
): Promise<Result> {
  const statements = steps.map((step) => {
    const { query, values: own } = 'query' in step ? step : { query: step, values: {} };
    const { text, names } = statement(query);
    const all: Values = { ...values, ...own };
    return { text, values: names.map((name) => valueOf(all, name)) };
  });
  if ('transact' in db) return db.transact(statements);
  const results = await db.batch<Row>(
    statements.map(({ text, values: bound }) => db.prepare(text).bind(...bound)),
  );
  return {
    rows: results.map(({ results }) => results),
    size: results.at(-1)?.meta.size_after ?? 0,
  };
}

function valueOf(values: Values, name: string): SqlValue {
  const value = values[name];
  if (value === undefined) throw new Error(`There is no value ${name}.`);
  return value;
}
