import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { getPlatformProxy } from 'wrangler';
import { createBrand } from '../../tools/admin/brands.ts';
import { executeOn } from '../../tools/admin/execute.ts';
import { makeDatabase, serve } from './server.ts';

// Two processes that write to a local database block each other, so all brands are created before the server starts.
const POOL_SIZE = 100;

/** The shared server, and the keys of unused brands. */
interface Shared {
  readonly port: number;
  readonly apiKeys: string[];
  readonly stop: () => Promise<void>;
}

async function share(): Promise<Shared> {
  const folder = await makeDatabase();
  const persist = { path: `${folder}/v3` };
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({ persist });
  const execute = executeOn(env.DB, 'tests');
  const apiKeys: string[] = [];
  while (apiKeys.length < POOL_SIZE) {
    apiKeys.push((await createBrand(execute, 'Raw')).apiKey);
  }
  await dispose();
  return { ...(await serve(folder)), apiKeys };
}

/**
 * Runs before the first test file: serves the key of an unused brand on request, and starts the shared server on the
 * first request.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let shared: Promise<Shared> | undefined;
  const take = async (): Promise<string> => {
    const { port, apiKeys } = await (shared ??= share());
    const apiKey = apiKeys.pop();
    if (apiKey === undefined) throw new Error(`All ${POOL_SIZE} brands are taken.`);
    return JSON.stringify({ port, apiKey });
  };
  const listener = createServer((_, response) => {
    take().then(
      (taken) => response.end(taken),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  project.provide('brandPool', `http://127.0.0.1:${address.port}`);
  return async () => {
    listener.close();
    const started = await shared?.catch(() => undefined);
    await started?.stop();
  };
}
