import type { SQL } from 'drizzle-orm';
import type { Execute, Measured, OpenDatabase } from '../src/execute.ts';
import { opened } from '../src/execute.ts';

/**
 * Wraps a database of the admin tool, to count its calls, or to let them fail.
 * @param act decides whether, when and how often a call is made
 */
export function interceptExecute(
  execute: Execute,
  act: (
    call: () => Promise<Measured['results']>,
    statements: readonly SQL[],
  ) => Promise<Measured['results']>,
  actor = execute.actor,
): OpenDatabase {
  return opened(
    async (...statements) => ({
      results: await act(() => execute(...statements), statements),
      bytes: 0,
    }),
    actor,
    execute.database,
  );
}
