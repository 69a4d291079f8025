import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { record, runWith, temporaryFolder } from '../../../test/node/processes.ts';

// In a checkout, the command bundles its sources, and keeps the bundle for the next start.

let checkout: TemporaryFolder;

beforeAll(async () => {
  checkout = await temporaryFolder();
  for (const folder of ['common', 'client']) {
    const filter = (path: string): boolean => !/node_modules|dist/.test(path);
    await cp(folder, join(checkout.path, folder), { recursive: true, filter });
  }
  await cp('tsconfig.base.json', join(checkout.path, 'tsconfig.base.json'));
  const packages = join(checkout.path, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir('node_modules')) {
    if (name !== '.cache') await symlink(resolve('node_modules', name), join(packages, name));
  }
});

afterAll(() => checkout.remove());

/** The output of `--version`. */
async function version(): Promise<string> {
  const bin = join(checkout.path, 'client/bin/brand-integration.js');
  const { stdout, stderr } = await runWith({}, process.execPath, bin, '--version');
  return stdout + stderr;
}

async function change(file: string, from: string, to: string): Promise<void> {
  const path = join(checkout.path, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(path, text.replace(from, to));
}

it('The command of a checkout is what its sources say, and starts from its last bundle if they are the same', async () => {
  const { version: released } = record(JSON.parse(await readFile('client/package.json', 'utf8')));
  expect(await version()).toBe(`${String(released)}\n`);

  const cache = 'node_modules/.cache/bundles/brand-integration.json';
  await change(cache, `\\"${String(released)}\\"`, '\\"of the cache\\"');
  expect(await version()).toBe('of the cache\n');

  await change('client/package.json', `"version": "${String(released)}"`, '"version": "9.9.9"');
  expect(await version()).toBe('9.9.9\n');

  await change(cache, '{', 'broken');
  expect(await version()).toBe('9.9.9\n');
});
