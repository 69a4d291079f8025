import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';

const ROOT = fileURLToPath(new URL('../', import.meta.url).href);
// Its program itself, not its launcher: the launcher does not pass signals on.
const WRANGLER = fileURLToPath(import.meta.resolve('wrangler'));

/** What a finished wrangler left behind. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the project's own wrangler, with this Node, in the project's folder. */
export function startWrangler(args: readonly string[], stdio: 'inherit' | 'pipe'): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', WRANGLER, ...args], {
    cwd: ROOT,
    stdio: ['ignore', stdio, stdio],
  });
}

/** Runs wrangler to its end and gives what it printed. */
export async function runWrangler(args: readonly string[]): Promise<Finished> {
  const child = startWrangler(args, 'pipe');
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
