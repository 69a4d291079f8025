import { cp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Finished, TemporaryFolder } from '../../test/node/processes.ts';
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

it('In another folder, npx --offline asks no registry, and the function of the documents runs the tool', async () => {
  const asked: string[] = [];
  const registry = createServer(({ url }, response) => {
    asked.push(String(url));
    response.writeHead(404).end();
  });
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
  const address = registry.address();
  const port = typeof address === 'object' ? address?.port : address;
  const settings = { npm_config_registry: `http://127.0.0.1:${String(port)}` };
  const elsewhere = await temporaryFolder();
  const inElsewhere = (command: string): Promise<Finished> =>
    runWith(settings, 'sh', '-c', `cd "$0" && ${command}`, elsewhere.path);
  const text = await readFile('docs/operating.md', 'utf8');
  const [admin = ''] = /^admin\(\) .*$/m.exec(text) ?? [];
  const here = admin.replace('/srv/brand-integration-api', process.cwd());
  const [alone, asDocumented] = await Promise.all([
    inElsewhere('npx --offline brand-admin brand list'),
    inElsewhere(`${here}\nadmin brand list --help`),
  ]);
  expect(alone.code).not.toBe(0);
  expect(alone.stderr).toContain('ENOTCACHED');
  expect([asDocumented.code, asDocumented.stdout]).toEqual([
    0,
    expect.stringContaining('Usage: brand-admin brand list'),
  ]);
  expect(asked).toEqual([]);
  // Without it, npm asks.
  await inElsewhere('npx --no -- brand-admin brand list');
  expect(asked.length).toBeGreaterThan(0);
  registry.close();
  await elsewhere.remove();
});
