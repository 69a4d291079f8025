import type { SQL } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Row } from '../db/statement.ts';
import { AdminError } from './admin-error.ts';
import { runWrangler } from './wrangler.ts';

/** Which database the tool works on: the local one, or the deployed one. */
export interface DatabaseTarget {
  readonly remote?: boolean | undefined;
  /** Where the local database lies, instead of wrangler's own folder. */
  readonly persistTo?: string | undefined;
}

const dialect = new SQLiteAsyncDialect();

const executed = z.array(
  z.object({ results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
);
const failed = z.object({ error: z.object({ text: z.string() }) });

/**
 * Runs statements through `wrangler d1 execute`, in one transaction. The login, for the deployed database, is wrangler's.
 * @returns the rows of each statement
 * @throws AdminError with what wrangler says
 */
export async function execute(target: DatabaseTarget, ...statements: SQL[]): Promise<Row[][]> {
  // wrangler takes SQL without parameters: drizzle writes the values into the text, quoted.
  const command = statements
    .map((statement) => dialect.sqlToQuery(statement.inlineParams()).sql)
    .join(';\n');
  const { code, stdout, stderr } = await runWrangler([
    ...['d1', 'execute', 'DB', '--json', '--yes', '--command', command],
    ...targetFlags(target),
  ]);
  const output = parse(stdout);
  const result = executed.safeParse(output);
  if (code === 0 && result.success) return result.data.map(({ results }) => results);
  const failure = failed.safeParse(output);
  throw new AdminError(failure.success ? failure.data.error.text : stderr.trim() || stdout.trim());
}

/** wrangler's flags for a database. */
export function targetFlags({ remote, persistTo }: DatabaseTarget): string[] {
  if (remote) return ['--remote'];
  return ['--local', ...(persistTo === undefined ? [] : ['--persist-to', persistTo])];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
