import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratedFolder } from './pool.ts';
import type { TemporaryFolder } from './processes.ts';
import { AdminTool, freePort, records, scriptWords } from './processes.ts';

let folder: TemporaryFolder;
let key: unknown;

beforeAll(async () => {
  folder = await migratedFolder();
  key = (await new AdminTool(folder.path).json('brand', 'create', 'Acme'))['apiKey'];
});

afterAll(() => folder.remove());

/** Runs a script and closes one of its pipes at once, like `| head -0`. Returns the exit code and what the other says. */
async function runUnread(
  unread: 'stdout' | 'stderr',
  script: string,
  ...args: readonly string[]
): Promise<[code: number | null, said: string]> {
  const [command, ...first] = scriptWords(script);
  const env = { ...process.env, BRAND_API_KEY: String(key) };
  const child = spawn(command, [...first, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

describe('A reader that closes the pipe ends a program quietly', () => {
  it.each([['--help'], ['brand', 'list', '--json'], ['brand', 'list'], ['audit']])(
    'npm run admin -- %s %s',
    async (...words) => {
      const persist = words[0] === '--help' ? [] : ['--persist-to', folder.path];
      const [code, said] = await runUnread('stdout', 'admin', ...words, ...persist);
      expect([code, said]).toEqual([0, expect.not.stringContaining('EPIPE')]);
    },
  );

  it('npm run admin -- brand create, and says that nobody has the key', async () => {
    const words = ['brand', 'create', 'Unread', '--json', '--persist-to', folder.path];
    const [code, said] = await runUnread('stdout', 'admin', ...words);
    const { keys } = await new AdminTool(folder.path).json('key', 'list');
    const { keyId } = records(keys).find(({ brandName }) => brandName === 'Unread') ?? {};
    expect([code, said]).toEqual([1, expect.stringMatching(`Rotate .* keyId: ${String(keyId)}`)]);
    expect(said).not.toContain('Store the key');
  });

  it('npm run import', async () => {
    const file = join(folder.path, 'products.csv');
    await writeFile(file, 'Handle,Title,Variant Price\n');
    const [, said] = await runUnread('stdout', 'import', file, '--dry-run');
    expect(said).not.toContain('EPIPE');
  });

  it('npm run verify, and a check that failed has failed', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const [code, said] = await runUnread('stdout', 'verify', '--url', url);
    expect([code, said]).toEqual([1, expect.not.stringContaining('EPIPE')]);
  });

  it('that has the notes beside the result', async () => {
    const words = ['brand', 'list', '--persist-to', folder.path];
    expect(await runUnread('stderr', 'admin', ...words)).toEqual([
      0,
      expect.stringContaining('Acme'),
    ]);
  });
});

describe('A full disk fails a program in a sentence', () => {
  it.each([
    ['brand', 'list'],
    ['audit', '--json'],
    ['key', 'list', '--json'],
  ])('npm run admin -- %s %s', async (...words) => {
    expect(await runOnFullDisk(...words)).toEqual([1, expect.stringMatching(INCOMPLETE)]);
  });

  it('which names the new key, because nobody has it', async () => {
    const [code, said] = await runOnFullDisk('brand', 'create', 'Lost');
    expect([code, said]).toEqual([1, expect.stringContaining('nobody has read')]);
    expect(said).toMatch(INCOMPLETE);
  });
});
