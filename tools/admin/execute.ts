import type { SQL } from 'drizzle-orm';
import { sqlite } from '../../src/db/dialect.ts';
import type { Row } from '../../src/db/statement.ts';
import { hexadecimal } from '../../src/hash/sha256.ts';

/** A database, as an operator's command uses it. */
export interface Execute {
  /**
   * Runs statements in one transaction, and gives the rows of each.
   * It may run them again if the database was busy, so they must be safe to repeat.
   */
  (...statements: SQL[]): Promise<readonly (readonly Row[])[]>;
  /** Who the audit trail says did it. */
  readonly actor: string;
}

/** As the Worker writes SQL, but every text in hexadecimal. */
const hexTexts: typeof sqlite = {
  ...sqlite,
  escapeString: (text) => `cast(x'${hexadecimal(new TextEncoder().encode(text))}' as text)`,
};

/**
 * A statement as a text without parameters, its values written in: the one form that every way to D1 takes.
 * Texts travel in hexadecimal: `wrangler d1 execute` splits and changes statements by what it finds in them,
 * `COMMIT;` inside a quoted text included.
 */
export function inline(statement: SQL): string {
  return statement.inlineParams().toQuery(hexTexts).sql;
}

/** What `executeOn` needs of a database: both the Worker's D1 and Miniflare's copy of it have it. */
type Database = Pick<D1Database, 'prepare' | 'batch'>;

/** Runs statements on a database that this process has opened. */
export function executeOn(database: Database, actor: string): Execute {
  const run = async (...statements: SQL[]): Promise<(readonly Row[])[]> => {
    const results = await database.batch<Row>(
      statements.map((statement) => database.prepare(inline(statement))),
    );
    return results.map(({ results }) => results);
  };
  return Object.assign(run, { actor });
}
