import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { getPlatformProxy } from 'wrangler';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { runWrangler } from '../../tools/wrangler.ts';
import { copyOf } from './processes.ts';
import { serve } from './server.ts';

// Two processes that write to a local database block each other, so all brands are created before a server starts.
const POOL_SIZE = 150;

/** What test files share. Each part is made when the first file asks for it. */
class Pool {
  #migrated: Promise<string> | undefined;
  #filled: Promise<Filled> | undefined;
  #serving: Promise<Serving> | undefined;

  /** The folder of a database with all tables and no rows, to be copied. */
  migrated(): Promise<string> {
    return (this.#migrated ??= migrate());
  }

  /** The folder of a database with brands, to be copied, and their keys. */
  filled(): Promise<Filled> {
    return (this.#filled ??= this.migrated().then(fill));
  }

  /** The key of an unused brand, and the port of the service that has it. */
  async brand(): Promise<{ readonly port: number; readonly apiKey: string }> {
    const { port, apiKeys } = await (this.#serving ??= this.filled().then(serveCopy));
    const apiKey = apiKeys.pop();
    if (apiKey === undefined) throw new Error(`All ${POOL_SIZE} brands are taken.`);
    return { port, apiKey };
  }

  async end(): Promise<void> {
    const serving = await this.#serving?.catch(() => undefined);
    await serving?.stop();
    const filled = await this.#filled?.catch(() => undefined);
    const folders = [filled?.folder, await this.#migrated?.catch(() => undefined)];
    for (const folder of folders) {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }
}

interface Filled {
  readonly folder: string;
  readonly apiKeys: string[];
}

interface Serving {
  readonly port: number;
  readonly apiKeys: string[];
  readonly stop: () => Promise<void>;
}

async function migrate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'brand-integration-api-'));
  const target = ['DB', '--local', '--persist-to', folder];
  const { code, stderr } = await runWrangler(['d1', 'migrations', 'apply', ...target]);
  if (code !== 0) throw new Error(stderr);
  return folder;
}

async function fill(migrated: string): Promise<Filled> {
  const { path: folder } = await copyOf(migrated);
  const persist = { path: `${folder}/v3` };
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist });
  const execute = executeOn(env.DB, 'tests');
  const apiKeys: string[] = [];
  while (apiKeys.length < POOL_SIZE) {
    apiKeys.push((await createBrand(execute, 'Raw')).apiKey);
  }
  await dispose();
  return { folder, apiKeys };
}

async function serveCopy({ folder, apiKeys }: Filled): Promise<Serving> {
  const { path } = await copyOf(folder);
  return { ...(await serve(path)), apiKeys: [...apiKeys] };
}

/** Runs before the first test file: serves on request what `Pool` makes, each part at its name. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pool = new Pool();
  const parts = new Map<string, () => Promise<unknown>>([
    ['/brand', () => pool.brand()],
    ['/migrated', () => pool.migrated()],
    ['/filled', () => pool.filled()],
  ]);
  const listener = createServer(({ url = '' }, response) => {
    const part = parts.get(url) ?? (() => Promise.reject(new Error(`There is no ${url}.`)));
    part().then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  project.provide('brandPool', `http://127.0.0.1:${address.port}`);
  return async () => {
    listener.close();
    await pool.end();
  };
}
