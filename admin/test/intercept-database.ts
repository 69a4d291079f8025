import type { SQL } from 'drizzle-orm';
import type { Measurement } from '../src/database/open-database.ts';
import { OpenDatabase } from '../src/database/open-database.ts';

/**
 * Wraps a database of the admin tool, to count its calls, or to let them fail.
 * @param act decides whether, when and how often a call is made
 */
export function interceptDatabase(
  database: OpenDatabase,
  act: (
    call: () => Promise<Measurement['results']>,
    statements: readonly SQL[],
  ) => Promise<Measurement['results']>,
  actor = database.actor,
): OpenDatabase {
  return new OpenDatabase(
    async (...statements) => ({
      results: await act(() => database.run(...statements), statements),
      bytes: 0,
    }),
    actor,
    database.number,
  );
}
