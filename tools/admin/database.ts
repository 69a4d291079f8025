import * as z from 'zod';
import { AdminError } from './admin-error.ts';
import type { Execute } from './execute.ts';
import { inline } from './execute.ts';
import { runWrangler } from '../wrangler.ts';

/** Which database the tool works on: the local one, or the deployed one. */
export interface DatabaseTarget {
  readonly remote?: boolean | undefined;
  /** The environment of `wrangler.toml` whose database it is, instead of the top level's. */
  readonly env?: string | undefined;
  /** Where the local database lies, instead of wrangler's own folder. */
  readonly persistTo?: string | undefined;
}

const executed = z.array(
  z.object({ results: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))) }),
);
const failed = z.object({ error: z.object({ text: z.string() }) });

/**
 * A database as `wrangler d1 execute` reaches it. The login, for the deployed one, is wrangler's.
 * @returns what runs statements there; it throws AdminError with what wrangler says
 */
export function openDatabase(target: DatabaseTarget): Execute {
  return async (...statements) => {
    const command = statements.map(inline).join(';\n');
    const { code, stdout, stderr } = await runWrangler([
      ...['d1', 'execute', 'DB', '--json', '--yes', '--command', command],
      ...targetFlags(target),
    ]);
    const output = parse(stdout);
    const result = executed.safeParse(output);
    if (code === 0 && result.success) return result.data.map(({ results }) => results);
    const failure = failed.safeParse(output);
    const text = failure.success ? failure.data.error.text : stderr.trim() || stdout.trim();
    throw new AdminError(
      text.includes('no such table')
        ? `This database has no tables yet. Make them: npx wrangler d1 migrations apply DB ${targetFlags(target).join(' ')}`
        : text,
    );
  };
}

/** wrangler's flags for a database. */
function targetFlags({ remote, env, persistTo }: DatabaseTarget): string[] {
  return [
    remote ? '--remote' : '--local',
    ...(env === undefined ? [] : [`--env=${env}`]),
    ...(persistTo === undefined ? [] : ['--persist-to', persistTo]),
  ];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
