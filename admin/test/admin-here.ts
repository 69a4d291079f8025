import { vi } from 'vitest';
import type { Configuration } from '../src/database/configuration.ts';
import type { DatabaseOpener } from '../src/home/databases.ts';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { runAdmin } from '../src/run.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { Finished } from '../../test/node/processes.ts';
import { record } from '../../test/node/processes.ts';
import { openDatabasesHere } from './databases-here.ts';

/** The admin tool in this process, which saves the start of the tool and of wrangler: three seconds a command. */
export interface AdminHere {
  /** The folder of its database. */
  readonly path: string;
  readonly database: OpenDatabase;
  readonly run: (...words: readonly string[]) => Promise<Finished>;
  /** Runs a command that must succeed, and returns the JSON document that it prints. */
  readonly json: (...words: readonly string[]) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the local database in a folder for commands of the admin tool; without one, in a new folder, with all tables, which
 * `close` removes.
 */
export async function openAdminHere(given?: string): Promise<AdminHere> {
  const folder = given === undefined ? await migratedFolder() : undefined;
  const path = folder?.path ?? given ?? '';
  const { open, close } = await openDatabasesHere(path);
  const run: AdminHere['run'] = (...words) => runHere(words, open);
  return {
    path,
    database: open({}),
    run,
    json: jsonOf(run),
    close: async () => {
      await close();
      await folder?.remove();
    },
  };
}

/** Returns a function that runs a command that must succeed, and returns the JSON document that it prints. */
export function jsonOf(run: AdminHere['run']): AdminHere['json'] {
  return async (...words) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return record(JSON.parse(stdout));
  };
}

/** Runs a command of the admin tool in this process, on the databases that `open` gives. */
export async function runHere(
  words: readonly string[],
  open: DatabaseOpener,
  configuration?: Configuration,
): Promise<Finished> {
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(take);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation(take);
  try {
    const code = await runAdmin(words, open, configuration);
    return { code, stdout: written(stdout.mock.calls), stderr: written(stderr.mock.calls) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
  }
}

/** Takes what is written, as a reader that keeps up. */
function take(_: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean {
  const taken = typeof encoding === 'function' ? encoding : done;
  taken?.();
  return true;
}

type Done = (error?: Error | null) => void;

function written(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([text]) => String(text)).join('');
}
