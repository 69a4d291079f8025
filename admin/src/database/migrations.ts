import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { ROOT } from '../../../common/wrangler/wrangler.ts';
import type { OpenDatabase } from './open-database.ts';

/** The migrations of a database beside the files of this checkout. */
export interface Migrations {
  /** Files that it lacks. */
  readonly pending: readonly string[];
  /** Those that it has and no file is there for: nothing of this checkout can be applied to it for certain. */
  readonly unknown: readonly string[];
}

export async function readMigrations(database: OpenDatabase): Promise<Migrations> {
  const files = (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql'));
  const names = await readApplied(database);
  return {
    pending: files.filter((name) => !names.includes(name)).sort(),
    unknown: names.filter((name) => !files.includes(name)),
  };
}

async function readApplied(database: OpenDatabase): Promise<string[]> {
  try {
    const [applied] = await database.run(
      sql<{ name: string }>`select name from d1_migrations order by name`,
    );
    return applied.map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof DatabaseFailure)) throw error;
    const [[table]] = await database.run(
      sql`select 1 from sqlite_schema where name = 'd1_migrations'`,
    );
    if (table !== undefined) throw error;
    // In a new database, nothing was applied.
    return [];
  }
}

/** What to do with a database that has unknown migrations. */
export const THROW_AWAY =
  'A database of before the first release cannot be migrated: throw it away, and create it again. One of a newer checkout needs that checkout';
