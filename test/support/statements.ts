import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import type { SqlValue } from '../../src/db/statement.ts';

/** A row as D1 returns it, by column name. */
export type Row = Readonly<Record<string, SqlValue>>;

/** The rows of statements. Those of `sql<R>` have the type `R`. */
export type Rows<R extends readonly unknown[]> = {
  readonly [K in keyof R]: readonly (unknown extends R[K] ? Row : R[K])[];
};

/** Runs statements in one transaction, and returns the rows of each. */
export type Execute = <R extends readonly unknown[]>(
  ...statements: { readonly [K in keyof R]: SQL<R[K]> }
) => Promise<Rows<R>>;

const dialect = new SQLiteSyncDialect();

/** Returns a function that runs statements on a database. The Worker's type of D1 and Miniflare's copy of it both do. */
export function statementsOn(db: Pick<D1Database, 'prepare' | 'batch'>): Execute {
  return async <R extends readonly unknown[]>(
    ...statements: { readonly [K in keyof R]: SQL<R[K]> }
  ): Promise<Rows<R>> => {
    const prepared = statements.map((statement) => {
      const { sql, params } = dialect.sqlToQuery(statement);
      return db.prepare(sql).bind(...params);
    });
    const results = await db.batch<Row>(prepared);
    return typed(results.map((result) => result.results));
  };
}

/** D1 returns the columns that each statement names, whose type the statement carries. */
function typed<R extends readonly unknown[]>(results: readonly (readonly Row[])[]): Rows<R> {
  const rows: unknown = results;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return rows as Rows<R>;
}
