import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url).href);
// Its program itself, not its launcher: the launcher passes neither signals nor messages on.
const WRANGLER = fileURLToPath(import.meta.resolve('wrangler'));

/** What a finished wrangler left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the project's own wrangler, with this Node, in the project's folder. What it prints can be read,
 * and it may send messages, as `wrangler dev` does when it is ready.
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

/** Runs wrangler to its end and gives what it printed. */
export async function runWrangler(args: readonly string[]): Promise<Finished> {
  const child = startWrangler(args);
  const [stdout, stderr, code] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    exitCode(child),
  ]);
  return { code, stdout, stderr };
}

/** The exit code of a process once it has ended; 1 where a signal ended it. */
export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}
