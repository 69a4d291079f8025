import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { DatabaseFailure, PERHAPS_CHANGED } from './database-failure.ts';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url).href);

/** wrangler's program, without its launcher, which forwards neither signals nor messages. */
export const WRANGLER = createRequire(import.meta.url).resolve('wrangler');

/** What `wrangler d1 execute` loads to take statements from its standard input. */
const STATEMENT_READER = new URL('./read-statements.js', import.meta.url).href;

/** Whatever the operator's variables say, wrangler prints its whole result, and nothing else. */
const READABLE: NodeJS.ProcessEnv = {
  WRANGLER_LOG: 'log',
  // Files of a CI that reports its own calls of wrangler. These calls are ours, and a bad path would make them fail.
  WRANGLER_OUTPUT_FILE_PATH: undefined,
  WRANGLER_OUTPUT_FILE_DIRECTORY: undefined,
};

/** How long one call of wrangler may take, in milliseconds. Most take seconds. */
const TIME_LIMIT = 120_000;

/** How long a wrangler that is stopped has to stop what it started, in milliseconds. */
const GRACE = 5000;

/** What `runWrangler` runs now, with the exit code to come. */
const running = new Map<ChildProcess, Promise<number>>();
let isStopping = false;

export interface FinishedProcess {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the project's wrangler with this Node in the project's folder. Its output is piped, and it can send messages,
 * as `wrangler dev` does when it is ready.
 * @param statements for `wrangler d1 execute`, which takes them as its option `--command`
 */
export function startWrangler(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  statements?: string,
): ChildProcess {
  const readStatements = statements === undefined ? [] : ['--import', STATEMENT_READER];
  const child = spawn(process.execPath, ['--no-warnings', ...readStatements, WRANGLER, ...args], {
    cwd: ROOT,
    // `wrangler dev` would fetch sample data for `request.cf`, which nothing here reads, and print an error offline.
    env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', ...process.env, ...variables },
    stdio: [statements === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'ipc'],
  });
  // If it ends before it has read them, its exit code and output say why.
  child.stdin?.on('error', () => undefined).end(statements);
  return child;
}

interface RunOptions {
  /** After how many milliseconds it is killed. */
  readonly timeLimit?: number;
  /** The statements of `d1 execute`. */
  readonly statements?: string;
}

/**
 * Runs wrangler until it exits, and returns its output.
 * @throws DatabaseFailure if it does not exit in time
 */
export async function runWrangler(
  args: readonly string[],
  { timeLimit = TIME_LIMIT, statements }: RunOptions = {},
): Promise<FinishedProcess> {
  const child = startWrangler(args, READABLE, statements);
  const exited = exitCode(child).finally(() => running.delete(child));
  running.set(child, exited);
  const finished = Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    exited,
  ]);
  const late = setTimeout(timeLimit, undefined, { ref: false });
  const result = await Promise.race([finished, late]);
  if (isStopping) return neverEnding;
  if (result !== undefined) {
    const [stdout, stderr, code] = result;
    return { code, stdout, stderr };
  }
  finished.catch(() => undefined);
  await stop(child, exited);
  // What wrangler started may hold them open.
  child.stdout?.destroy();
  child.stderr?.destroy();
  throw new DatabaseFailure(
    `wrangler did not finish within ${timeLimit / 1000} seconds and was stopped.`,
    PERHAPS_CHANGED,
  );
}

/**
 * Stops every wrangler that `runWrangler` runs, and waits until it has ended: it would make its change after this
 * program has said that it stopped. To be followed by the end of the program, because these calls do not return.
 */
export async function stopWranglers(): Promise<void> {
  isStopping = true;
  await Promise.all([...running].map(([child, exited]) => stop(child, exited)));
}

async function stop(child: ChildProcess, exited: Promise<number>): Promise<void> {
  child.kill();
  await Promise.race([exited, setTimeout(GRACE, undefined, { ref: false })]);
  child.kill('SIGKILL');
  await exited;
}

/** The result of a call that was interrupted: what comes after it must not happen. */
const neverEnding = new Promise<never>(() => undefined);

/** Waits for a process to end and returns its exit code; 1 if a signal ended it. */
export function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      resolve(code ?? 1);
    });
  });
}
