import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../../../src/http/api-env.ts';
import { createBrand } from '../../../admin/src/brand/brands.ts';
import { databaseOn } from '../../../admin/src/database/open-database.ts';
import { usableElsewhere } from '../../../test/node/configuration.ts';
import { migratedFolder } from '../../../test/node/pool.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import {
  adminJson,
  freePort,
  record,
  records,
  run,
  runScriptWith,
  temporaryFolder,
} from '../../../test/node/processes.ts';
import type { DevServer } from './dev-server.ts';
import { startDev } from './dev-server.ts';

let folder: TemporaryFolder;
let server: DevServer;
let port: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  port = await freePort();
  server = await startDev(port, folder.path);
});

afterAll(async () => {
  await server.kill();
  await folder.remove();
});

/** The products that the printed line shows when it is pasted into a shell. */
async function paste(curl: string): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run('sh', '-c', curl);
  if (code !== 0) throw new Error(`${curl}: ${stderr}`);
  return records(record(JSON.parse(stdout))['products']);
}

it('`npm run dev` prints how to try the API at the end: a command that lists the demo products', async () => {
  // Behind the lines of the requests that have made the demo brand.
  expect(server.output).toMatch(/Ready on http[^]*POST \S*\/products 201[^]*\/docs\n\n$/);
  expect(await paste(server.curl)).toHaveLength(12);
  const page = await fetch(`http://localhost:${port}/docs`);
  expect([page.status, page.headers.get('Content-Type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
});

it('`npm run dev` accepts keys that the admin tool issues while it runs', async () => {
  const { apiKey } = await adminJson(folder.path, 'brand', 'create', 'Beside the demo');
  const headers = { Authorization: `Bearer ${String(apiKey)}` };
  const response = await fetch(`http://localhost:${port}/api/brand/v1/profile`, { headers });
  expect(response.status).toBe(200);
});

it('`npm run dev` refuses a port that is in use, and the deployed database, in a sentence', async () => {
  const empty = await temporaryFolder();
  const flags = ['--port', String(port), '--persist-to', empty.path];
  const { code, stdout, stderr } = await runScriptWith({}, 'dev', ...flags);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: Port \d+ cannot be used \(.*EADDRINUSE.*\)\. [^\n]+\n$/);
  // Nothing is created before the port is looked at.
  expect(await readdir(empty.path)).toEqual([]);
  await empty.remove();
  const remote = await runScriptWith({}, 'dev', '--remote=true');
  expect(remote.code).toBe(2);
  expect(remote.stderr).toMatch(/^error: The demo brand needs a local service[^\n]+\n$/);
});

it('`npm run dev` keeps the key and the data when it is killed, and serves a database that was added', async () => {
  const before = server.curl;
  const headers = { Authorization: /Bearer \w+/.exec(before)?.[0] ?? '' };
  const body = JSON.stringify({ title: 'Added in between', priceCents: 1 });
  const url = `http://localhost:${port}/api/brand/v1`;
  expect((await fetch(`${url}/products`, { method: 'POST', headers, body })).status).toBe(201);
  await server.kill();

  const config = join(folder.path, 'wrangler.toml');
  const toml = usableElsewhere(await readFile('wrangler.toml', 'utf8'));
  const second = ['[[d1_databases]]', 'binding = "DB_1"', 'database_name = "second"'];
  second.push('database_id = "1"', `migrations_dir = "${resolve('migrations')}"`, '');
  await writeFile(config, toml.replace('[[ratelimits]]', `${second.join('\n')}\n[[ratelimits]]`));
  server = await startDev(port, folder.path, '-c', config, '--log-level', 'error');
  expect(server.curl).toBe(before);
  const titles = (await paste(before)).map(({ title }) => title);
  expect([titles.length, titles.at(-1)]).toEqual([13, 'Added in between']);

  const { env, dispose } = await getPlatformProxy<Env>({
    configPath: config,
    persist: { path: join(folder.path, 'v3') },
  });
  const { DB_1: added } = env;
  if (added === undefined) throw new Error('There is no DB_1.');
  const { apiKey } = await createBrand(databaseOn(added, 'tests', 1), 'Elsewhere');
  await dispose();
  const profile = fetch(`${url}/profile`, { headers: { Authorization: `Bearer ${apiKey}` } });
  expect(await (await profile).text()).toContain('Elsewhere');
});

it('`npm run dev` says in a sentence that a database of before the first release can only be thrown away', async () => {
  const old = await migratedFolder();
  const flags = ['--port', String(await freePort()), '--persist-to', old.path];
  const { env, dispose } = await getPlatformProxy<Env>({
    persist: { path: join(old.path, 'v3') },
  });
  // Its tables are there, and so the migration fails.
  await env.DB.exec(`update d1_migrations set name = '0001_brands.sql' where id = 1`);
  await dispose();
  const failed = await runScriptWith({}, 'dev', ...flags);
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toMatch(
    /^error: The local database has migrations that are unknown here: 0001_brands\.sql\. .*: rm -r '[^\n]+'\n$/,
  );
  // Without it, the next start is like the first.
  const [, command = ''] = /(rm -r '[^\n]+')\n$/.exec(failed.stderr) ?? [];
  expect((await run('sh', '-c', command)).code).toBe(0);
  expect(await readdir(join(old.path, 'v3'))).not.toContain('d1');
  await old.remove();
});

it('`npm run dev` leaves nothing running when it is stopped', async () => {
  await server.stop();
  await expect.poll(() => server.isRunning()).toBe(false);
});
