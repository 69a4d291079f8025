import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url).href);

/** wrangler's program, without its launcher, which forwards neither signals nor messages. */
export const WRANGLER = createRequire(import.meta.url).resolve('wrangler');

/** The output and exit code of a finished wrangler. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the project's wrangler with this Node in the project's folder. Its output is piped, and it can send messages,
 * as `wrangler dev` does when it is ready.
 */
export function startWrangler(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', WRANGLER, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** Runs wrangler until it exits, and returns its output. */
export async function runWrangler(args: readonly string[]): Promise<Finished> {
  const child = startWrangler(args);
  const [stdout, stderr, code] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    exitCode(child),
  ]);
  return { code, stdout, stderr };
}

/** Waits for a process to end and returns its exit code; 1 if a signal ended it. */
export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}
