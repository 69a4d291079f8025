import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { getPlatformProxy } from 'wrangler';
import type { Env } from '../../../src/env.ts';
import { createBrand } from '../../../tools/admin/brands.ts';
import { executeOn } from '../../../tools/admin/execute.ts';
import { usableElsewhere } from '../../node/configuration.ts';
import { migratedFolder } from '../../node/pool.ts';
import type { TemporaryFolder } from '../../node/processes.ts';
import {
  AdminTool,
  DevServer,
  freePort,
  killGroup,
  record,
  records,
  run,
  runScript,
  spawnDev,
  temporaryFolder,
} from '../../node/processes.ts';

let folder: TemporaryFolder;
let admin: AdminTool;
let server: DevServer;
let port: number;

beforeAll(async () => {
  folder = await temporaryFolder();
  admin = new AdminTool(folder.path);
  port = await freePort();
  server = await DevServer.start(port, folder.path);
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

/** The status of a request with a key. */
async function status(key: unknown, method = 'GET', body?: object): Promise<number> {
  const response = await fetch(`http://localhost:${port}/api/brand/v1/products`, {
    method,
    headers: { Authorization: `Bearer ${String(key)}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

describe('npm run dev', () => {
  it('prints how to try the API at the end, and no request log before it', () => {
    // After all that wrangler prints.
    expect(server.output).toMatch(/Ready on http[^]*\/docs\n\n$/);
    expect(server.output).not.toContain('"requestId"');
    expect(server.output).toContain('env.DB');
  });

  it('prints a command that lists the twelve products of the demo brand', async () => {
    const products = await paste(server.curl);
    expect(products).toHaveLength(12);
    expect(new Set(products.map(({ id }) => id)).size).toBe(12);
  });

  it('accepts keys that the admin tool issues while it runs, and rejects revoked ones', async () => {
    const made = await admin.json('brand', 'create', 'Beside the demo');
    expect(await status(made['apiKey'])).toBe(200);

    const reader = await admin.json('key', 'issue', String(made['brandId']), '--scope', 'read');
    expect(await status(reader['apiKey'])).toBe(200);
    expect(await status(reader['apiKey'], 'POST', { title: 'No', priceCents: 1 })).toBe(403);

    await admin.json('key', 'revoke', String(reader['keyId']));
    expect(await status(reader['apiKey'])).toBe(401);
    expect(await status(made['apiKey'])).toBe(200);
  });

  it('tolerates several admin tools at once under load', async () => {
    const { apiKey } = await admin.json('brand', 'create', 'Loaded');
    const product = { title: 'Load', priceCents: 1 };
    let atWork = true;
    const statuses = new Set<number>();
    const load = Array.from({ length: 4 }, async () => {
      while (atWork) statuses.add(await status(apiKey, 'POST', product));
    });
    const expected = Array.from({ length: 5 }, (_, index) => `At once ${index}`);
    const made = await Promise.all(expected.map((name) => admin.json('brand', 'create', name)));
    atWork = false;
    await Promise.all(load);

    expect(statuses).toContain(201);
    const brands = records((await admin.json('brand', 'list'))['brands']);
    const names = brands.map(({ brandName }) => String(brandName));
    expect(names.filter((name) => name.startsWith('At once')).sort()).toEqual(expected);
    for (const { apiKey } of made) expect(await status(apiKey)).toBe(200);
  });

  it('keeps the key and the data when it is killed and started again', async () => {
    const before = server.curl;
    const [, key] = /Bearer (\w+)/.exec(before) ?? [];
    expect(await status(key, 'POST', { title: 'Added in between', priceCents: 1 })).toBe(201);
    const products = await paste(before);

    await server.kill();
    await expect(status(key)).rejects.toThrow();
    server = await DevServer.start(port, folder.path);

    expect(server.curl).toBe(before);
    expect(await paste(before)).toEqual(products);
    expect(products).toHaveLength(13);
    expect(products.at(-1)).toMatchObject({ title: 'Added in between' });
  });
});

describe('A reader that closes the pipe', () => {
  it('ends npm run dev with its server', async () => {
    const own = await temporaryFolder();
    const ports = [
      '--port',
      String(await freePort()),
      '--inspector-port',
      String(await freePort()),
    ];
    const child = spawnDev([...ports, '--persist-to', own.path]);
    const said = child.stderr && text(child.stderr);
    child.stdout?.destroy();
    await once(child, 'exit');
    expect(await said).not.toContain('EPIPE');
    // All processes that it started belong to its group.
    await vi.waitFor(
      () => {
        expect(() => process.kill(-Number(child.pid), 0)).toThrow('ESRCH');
      },
      { timeout: 30_000 },
    );
    await own.remove();
  });
});

describe('flags of wrangler', () => {
  it('choose the environment with its database, the protocol and the address', async () => {
    const own = await temporaryFolder();
    const configuration = usableElsewhere(await readFile('wrangler.toml', 'utf8'));
    const config = join(own.path, 'wrangler.toml');
    // The staging database with an id of its own, as after `wrangler d1 create`.
    await writeFile(
      config,
      configuration.replace(
        /(name = "brand-integration-api-staging"\n[^=]*database_id = ")0/,
        '$11',
      ),
    );
    const port = await freePort();
    const flags = ['-c', config, '--env', 'staging', '--local-protocol=https', '--ip', '0.0.0.0'];
    const staging = await DevServer.start(port, own.path, ...flags, '--log-level', 'error');
    try {
      expect(staging.curl).toContain(` https://localhost:${port}/`);
      expect(await paste(staging.curl)).toHaveLength(12);
      expect(staging.output).not.toContain('env.DB');
      const databases = await readdir(join(own.path, 'v3/d1/miniflare-D1DatabaseObject'));
      expect(databases.filter((name) => /^[0-9a-f]+\.sqlite$/.test(name))).toHaveLength(1);
    } finally {
      await staging.kill();
      await own.remove();
    }
  });

  it('choose a configuration, of which every database is migrated and served', async () => {
    const own = await temporaryFolder();
    const configuration = usableElsewhere(await readFile('wrangler.toml', 'utf8'));
    const config = join(own.path, 'wrangler.toml');
    const further = [1, 2].map(
      (number) => `
[[d1_databases]]
binding = "DB_${number}"
database_name = "brand-integration-api-${number}"
database_id = "${number}0000000-0000-0000-0000-000000000000"
migrations_dir = "${resolve('migrations')}"
`,
    );
    await writeFile(
      config,
      configuration.replace('[[ratelimits]]', `${further.join('')}\n[[ratelimits]]`),
    );
    const ownPort = await freePort();
    const three = await DevServer.start(ownPort, own.path, '--config', config);
    const { env: bindings, dispose } = await getPlatformProxy<Env>({
      ...{ configPath: config, persist: { path: join(own.path, 'v3') } },
    });
    try {
      expect(await paste(three.curl)).toHaveLength(12);
      for (const number of [1, 2]) {
        const database = bindings[`DB_${number}`];
        if (database === undefined) throw new Error(`There is no DB_${number}.`);
        const { apiKey } = await createBrand(executeOn(database, 'tests', number), 'Elsewhere');
        const response = await fetch(`http://localhost:${ownPort}/api/brand/v1/profile`, {
          headers: { Authorization: `Bearer ${apiKey}` },
        });
        expect(response.status).toBe(200);
        expect(await response.text()).toContain('Elsewhere');
        expect(response.headers.get('x-d1-bookmark')).toMatch(RegExp(`^${number}-`));
      }
    } finally {
      await dispose();
      await three.kill();
      await own.remove();
    }
  });

  it('cannot select a port that is in use', async () => {
    const own = await migratedFolder();
    const flags = ['--port', String(port), '--persist-to', own.path];
    const { code, stdout, stderr } = await runScript('dev', ...flags);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: Port \d+ cannot be used \(.*EADDRINUSE.*\)\. [^\n]+\n$/);
    await own.remove();
  });

  it('cannot select the deployed database', async () => {
    const { code, stderr } = await runScript('dev', '--remote');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: The demo brand needs a local database/),
    ]);
  });
});

describe('a server that is asked to end', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'leaves nothing running: %s',
    async (signal) => {
      const own = await migratedFolder();
      const port = await freePort();
      const asked = await DevServer.start(port, own.path);
      await asked.ask(signal);
      // Nothing is left of its process group.
      await expect.poll(() => asked.isRunning(), { timeout: 10_000 }).toBe(false);
      await own.remove();
    },
  );
});

describe('a start that is killed', () => {
  it('leaves no second demo brand behind', async () => {
    const own = await migratedFolder();
    const flags = ['--port', String(await freePort()), '--persist-to', own.path];
    // The file is written just before the brand is created.
    for (const wait of [0, 50]) {
      const killed = spawnDev(flags);
      while (!existsSync(join(own.path, 'demo-api-key.begun'))) await setTimeout(5);
      await setTimeout(wait);
      await killGroup(killed);
    }
    const whole = await DevServer.start(await freePort(), own.path);
    expect(await paste(whole.curl)).toHaveLength(12);
    await whole.kill();
    const brands = records((await new AdminTool(own.path).json('brand', 'list'))['brands']);
    expect(brands.map(({ brandName }) => brandName)).toEqual(['Northwind Nutrition']);
    await own.remove();
  });
});
