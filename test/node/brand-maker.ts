import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { getPlatformProxy } from 'wrangler';
import { createBrand } from '../../tools/admin/brands.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import { inline } from '../../tools/admin/execute.ts';
import type { Row } from '../../src/db/statement.ts';
import { startServer } from './server.ts';

/** The shared server, and a way to make brands on its database that is quicker than a process for each. */
interface Shared {
  readonly makeBrand: () => Promise<{ readonly port: number; readonly apiKey: string }>;
  readonly stop: () => Promise<void>;
}

async function share(): Promise<Shared> {
  const server = await startServer();
  const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>({
    persist: { path: `${server.folder}/v3` },
  });
  const execute: Execute = async (...statements) => {
    const prepared = statements.map((statement) => env.DB.prepare(inline(statement)));
    return (await env.DB.batch<Row>(prepared)).map(({ results }) => results);
  };
  return {
    makeBrand: async () => {
      const { apiKey } = await createBrand(execute, 'Raw', undefined);
      return { port: server.port, apiKey };
    },
    stop: async () => {
      await dispose();
      await server.stop();
    },
  };
}

/** Runs before the first test file: listens for those that want a brand. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let shared: Promise<Shared> | undefined;
  const listener = createServer((_, response) => {
    shared ??= share();
    shared
      .then(({ makeBrand }) => makeBrand())
      .then(
        (made) => response.end(JSON.stringify(made)),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  project.provide('brandMaker', `http://127.0.0.1:${address.port}`);
  return async () => {
    listener.close();
    await (await shared?.catch(() => undefined))?.stop();
  };
}
