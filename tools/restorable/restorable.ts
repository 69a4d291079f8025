import type { DatabaseSync } from 'node:sqlite';
import { insertsOf, Pieces } from './rows.ts';

/** The order in which a database is built: triggers last, so that no row sets them off. */
const AFTER_ROWS = ['index', 'view', 'trigger'];

/**
 * Yields the statements that build a database, in a form that D1 accepts and wrangler leaves as it is.
 * @throws Error if there is nothing to restore, or if wrangler would change a definition
 */
export function* restorableSql(database: DatabaseSync): Generator<string> {
  const tables = definitions(database, 'table');
  const pieces = new Pieces(unusedName(new Set(tables.map(({ name }) => name.toLowerCase()))));
  const own = tables.filter(({ name }) => !name.startsWith('sqlite_'));
  if (own.length === 0) throw new Error('it contains no tables');
  yield 'PRAGMA defer_foreign_keys=TRUE';
  for (const { sql } of own) yield sql;
  for (const { name } of own) yield* insertsOf(database, name, pieces);
  yield* pieces.drop();
  // The last numbers that `autoincrement` gave out.
  if (tables.some(({ name }) => name === 'sqlite_sequence')) {
    yield 'DELETE FROM sqlite_sequence';
    yield* insertsOf(database, 'sqlite_sequence', pieces);
  }
  for (const type of AFTER_ROWS) for (const { sql } of definitions(database, type)) yield sql;
}

interface Definition {
  readonly name: string;
  readonly sql: string;
}

/** What was created of a type, in the order of its creation. */
function definitions(database: DatabaseSync, type: string): Definition[] {
  return database
    .prepare(
      'select name, sql from sqlite_master where type = ? and sql is not null order by rowid',
    )
    .all(type)
    .map(({ name, sql }) => {
      const definition = { name: String(name), sql: String(sql) };
      if (definition.sql.includes('BEGIN TRANSACTION')) {
        throw new Error(
          `the ${type} ${definition.name} contains "BEGIN TRANSACTION", which wrangler would remove`,
        );
      }
      return definition;
    });
}

/** @param used in lower case: SQLite does not tell names apart by their case */
function unusedName(used: ReadonlySet<string>): string {
  let name = 'pieces_of_long_values';
  while (used.has(name)) name += '_';
  return name;
}
