import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedFolder } from './pool.ts';
import type { TemporaryFolder } from './processes.ts';
import { AdminTool, records, scriptWords } from './processes.ts';

let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await migratedFolder();
  await new AdminTool(folder.path).json('brand', 'create', 'Acme');
});

afterAll(() => folder.remove());

/** Runs a script and closes one of its pipes at once, like `| head -0`. Returns the exit code and what the other says. */
async function runUnread(
  unread: 'stdout' | 'stderr',
  script: string,
  ...args: readonly string[]
): Promise<[code: number | null, said: string]> {
  const [command, ...first] = scriptWords(script);
  const child = spawn(command, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child[unread].destroy();
  const said = text(unread === 'stdout' ? child.stderr : child.stdout);
  await once(child, 'exit');
  return [child.exitCode, await said];
}

const INCOMPLETE = /^error: The output is not complete: ENOSPC[^\n]*$/m;

/** Runs the admin tool with its result on a full disk. Returns the exit code and what it says beside that. */
async function runOnFullDisk(
  ...args: readonly string[]
): Promise<[code: number | null, said: string]> {
  const [command, ...first] = scriptWords('admin');
  const full = await open('/dev/full', 'w');
  const words = [...first, ...args, '--persist-to', folder.path];
  const child = spawn(command, words, { stdio: ['ignore', full.fd, 'pipe'] });
  const said = child.stderr ? text(child.stderr) : '';
  await once(child, 'exit');
  await full.close();
  expect(await said).not.toMatch(/^\s+at /m);
  return [child.exitCode, await said];
}

describe('A reader that closes the pipe', () => {
  it.each([
    ['stdout', ''],
    ['stderr', 'Acme'],
  ] as const)('%s ends a program quietly', async (unread, shown) => {
    const words = ['brand', 'list', '--persist-to', folder.path];
    const [code, said] = await runUnread(unread, 'admin', ...words);
    expect([code, said]).toEqual([0, expect.stringContaining(shown)]);
    expect(said).not.toContain('EPIPE');
  });

  it('of a new key is told that nobody has it', async () => {
    const words = ['brand', 'create', 'Unread', '--json', '--persist-to', folder.path];
    const [code, said] = await runUnread('stdout', 'admin', ...words);
    const { keys } = await new AdminTool(folder.path).json('key', 'list');
    const { keyId } = records(keys).find(({ brandName }) => brandName === 'Unread') ?? {};
    expect([code, said]).toEqual([1, expect.stringMatching(`Rotate .* keyId: ${String(keyId)}`)]);
    expect(said).not.toContain('Store the key');
  });
});

it('A full disk fails a program in a sentence, which names the new key that nobody has', async () => {
  const [code, said] = await runOnFullDisk('brand', 'create', 'Lost');
  expect([code, said]).toEqual([1, expect.stringContaining('nobody has read')]);
  expect(said).toMatch(INCOMPLETE);
});
