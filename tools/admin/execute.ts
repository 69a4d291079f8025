import type { SQL } from 'drizzle-orm';
import { sqlite } from '../../src/db/dialect.ts';
import type { Row } from '../../src/db/statement.ts';

/** Runs statements on a database in one transaction, and gives the rows of each. */
export type Execute = (...statements: SQL[]) => Promise<readonly (readonly Row[])[]>;

/** A statement as a text without parameters, its values written in and quoted: the one form that every way to D1 takes. */
export function inline(statement: SQL): string {
  return statement.inlineParams().toQuery(sqlite).sql;
}
