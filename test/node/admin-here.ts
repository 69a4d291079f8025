import { join } from 'node:path';
import { vi } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import { actorOf } from '../../tools/admin/database.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { runAdmin } from '../../tools/admin/run.ts';
import type { Finished } from './processes.ts';
import { record } from './processes.ts';

/** The admin tool in this process, which saves the start of the tool and of wrangler: three seconds a command. */
export interface AdminHere {
  readonly run: (...words: readonly string[]) => Promise<Finished>;
  /** Runs a command that must succeed, and returns the JSON document that it prints. */
  readonly json: (...words: readonly string[]) => Promise<Record<string, unknown>>;
  readonly close: () => Promise<void>;
}

/** Opens the local database in a folder for commands of the admin tool. */
export async function openAdminHere(folder: string): Promise<AdminHere> {
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    persist: { path: join(folder, 'v3') },
  });
  const run: AdminHere['run'] = async (...words) => {
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const code = await runAdmin(words, (target) => executeOn(env.DB, actorOf(target)));
      return { code, stdout: written(stdout.mock.calls), stderr: written(stderr.mock.calls) };
    } finally {
      stdout.mockRestore();
      stderr.mockRestore();
    }
  };
  const json: AdminHere['json'] = async (...words) => {
    const { code, stdout, stderr } = await run(...words, '--json');
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return record(JSON.parse(stdout));
  };
  return { run, json, close: dispose };
}

function written(calls: readonly (readonly unknown[])[]): string {
  return calls.map(([text]) => String(text)).join('');
}
