import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { run, runWith, temporaryFolder } from '../../test/node/processes.ts';

const path = process.env['PATH'] ?? '';
const own = path.split(delimiter).filter((folder) => !folder.includes('node_modules'));

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';

let clone: TemporaryFolder;

beforeAll(async () => {
  clone = await temporaryFolder();
  for (const part of ['package.json', 'common', 'tools', 'admin', 'client/package.json']) {
    await cp(part, join(clone.path, part), { recursive: true });
  }
});

afterAll(() => clone.remove());

it('Before npm ci, npm run dev says what to do, with the Node of the machine', async () => {
  const script = ['run', '--silent', 'dev', '--prefix', clone.path];
  const ended = await runWith({ PATH: own.join(delimiter) }, 'npm', ...script);
  expect(ended).toEqual({ code: 1, stdout: '', stderr: 'error: Run npm ci first.\n' });
});

it('Before npm ci, npx brand-admin runs nothing that a registry has under this name', async () => {
  const settings = {
    PATH: own.join(delimiter),
    npm_config_registry: NOWHERE,
    npm_config_yes: 'true',
  };
  const words = ['-c', 'cd "$0" && npx brand-admin --help', clone.path];
  const { code, stderr } = await runWith(settings, 'sh', ...words);
  expect(code).not.toBe(0);
  expect(stderr).not.toContain('ECONNREFUSED');
  const direct = await run(process.execPath, join(clone.path, 'admin/bin/brand-admin.js'));
  expect(direct).toEqual({ code: 1, stdout: '', stderr: 'error: Run npm ci first.\n' });
});
