import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url).href);

/** The output and exit code of a finished program. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the project's folder until it exits, without a terminal. */
export function run(command: string, ...args: readonly string[]): Promise<Finished> {
  return runWith({}, command, ...args);
}

/** Runs a program with additional environment variables. */
export async function runWith(
  variables: NodeJS.ProcessEnv,
  command: string,
  ...args: readonly string[]
): Promise<Finished> {
  const env = { ...process.env, ...variables };
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitCode(child),
  ]);
  return { code, stdout, stderr };
}

/**
 * Runs a script of package.json as `npm run` does, without the time that npm itself takes, with additional environment
 * variables.
 */
export function runScriptWith(
  variables: NodeJS.ProcessEnv,
  name: string,
  ...args: readonly string[]
): Promise<Finished> {
  const [command, ...first] = scriptWords(name);
  return runWith(variables, command, ...first, ...args);
}

/** The words of a script of package.json that is one plain command. */
export function scriptWords(name: string): [command: string, ...args: string[]] {
  const { scripts } = record(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const [command = '', ...args] = String(record(scripts)[name]).split(' ');
  return [command, ...args];
}

/** What starts the admin tool as `npx brand-admin` does, without the time that npx itself takes. */
export const ADMIN = [process.execPath, join(ROOT, 'admin/bin/brand-admin.js')] as const;

function exitCode(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on('exit', resolve);
  });
}

/**
 * Runs a command of the admin tool on the database in a folder, through wrangler. It must succeed.
 * @returns the JSON document that it prints
 */
export async function adminJson(
  folder: string,
  ...words: readonly string[]
): Promise<Record<string, unknown>> {
  const options = ['--json', '--persist-to', folder];
  const { code, stdout, stderr } = await run(...ADMIN, ...words, ...options);
  if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
  return record(JSON.parse(stdout));
}

/** An object of a JSON document. */
export function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`Not an object: ${JSON.stringify(value)}`);
  return value;
}

/** A list of objects in a JSON document. */
export function records(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`);
  return value.map(record);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A folder of one test. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Creates an empty folder, which `remove` deletes. Its path has a space, as that of a person's folder may have. */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), 'brand api-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Creates a folder with the content of another. */
export async function copyOf(folder: string): Promise<TemporaryFolder> {
  const copy = await temporaryFolder();
  await cp(folder, copy.path, { recursive: true });
  return copy;
}

// Below the ports that systems give to outgoing connections (32768 and above): one of them could take a port after it was
// found to be free, and before a server binds it.
const PORTS = { from: 10_240, to: 32_768 };
// Each process counts from a place of its own, so that two do not choose the same port at the same moment.
let next = PORTS.from + ((process.pid * 97) % (PORTS.to - PORTS.from));

/** Returns a port on which nothing listens, and which no other call returned lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = port + 1 < PORTS.to ? port + 1 : PORTS.from;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
