import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { getPlatformProxy } from 'wrangler';
import { createBrand } from '../support/operator.ts';
import { statementsOn } from '../support/statements.ts';
import { copyOf, temporaryFolder } from './processes.ts';
import type { OwnServer } from './server.ts';
import { serve } from './server.ts';
import type { Workerd } from './workerd.ts';
import { migrate, startWorkerd } from './workerd.ts';

/** What test files share. Each part is made when the first file asks for it. */
class Pool {
  #migrated: Promise<string> | undefined;
  #serving: Promise<Workerd> | undefined;
  #site: Promise<OwnServer> | undefined;

  /** The folder of a database with all tables and no rows, to be copied. */
  migrated(): Promise<string> {
    return (this.#migrated ??= migrated());
  }

  /** The key of a new brand, and the port of the service that has it. */
  async brand(): Promise<{ readonly port: number; readonly apiKey: string }> {
    const { port, newBrand } = await (this.#serving ??= startWorkerd('src/index.ts'));
    return { port, apiKey: await newBrand() };
  }

  /** A server with a brand that has the static assets too. */
  async site(): Promise<{ readonly port: number; readonly apiKey: string }> {
    const { port, apiKey } = await (this.#site ??= this.migrated().then(serveSite));
    return { port, apiKey };
  }

  async end(): Promise<void> {
    for (const server of [this.#serving, this.#site]) {
      await (await server?.catch(() => undefined))?.stop();
    }
    const folder = await this.#migrated?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function migrated(): Promise<string> {
  const { path } = await temporaryFolder();
  await within(path, migrate);
  return path;
}

/** Does something with the database in a folder. */
async function within<T>(folder: string, work: (db: D1Database) => Promise<T>): Promise<T> {
  const persist = { path: `${folder}/v3` };
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist });
  try {
    return await work(env.DB);
  } finally {
    await dispose();
  }
}

async function serveSite(migrated: string): Promise<OwnServer> {
  const { path } = await copyOf(migrated);
  const { apiKey } = await within(path, (db) => createBrand(statementsOn(db), 'Raw'));
  return { ...(await serve(path)), apiKey };
}

/** Has the address of the pool that the first project of this process has made, after the id of the process. */
const SHARED = 'TEST_BRAND_POOL';

/**
 * Runs before the first test file of each project: serves on request what `Pool` makes, each part at its name. All projects
 * of a run share one, which ends after the last of them.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = `${process.pid} `;
  const shared = process.env[SHARED];
  // A test may start a run of its own, of another copy of the project.
  if (shared?.startsWith(own) === true) {
    project.provide('brandPool', shared.slice(own.length));
    return () => Promise.resolve();
  }
  const pool = new Pool();
  const parts = new Map<string, () => Promise<unknown>>([
    ['/brand', () => pool.brand()],
    ['/site', () => pool.site()],
    ['/migrated', () => pool.migrated()],
  ]);
  // It ends no connection: a test that has computed for six seconds would ask again on one that has ended.
  const listener = createServer({ keepAliveTimeout: 0 }, ({ url = '' }, response) => {
    const part = parts.get(url) ?? (() => Promise.reject(new Error(`There is no ${url}.`)));
    part().then(
      (value) => response.end(JSON.stringify(value)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  const url = `http://127.0.0.1:${address.port}`;
  project.provide('brandPool', url);
  process.env[SHARED] = own + url;
  return async () => {
    listener.close();
    await pool.end();
  };
}
