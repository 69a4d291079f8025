import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { freePort, temporaryFolder } from '../../../node/processes.ts';
import { Assets } from './assets.ts';
import { d1Routes, Files } from './d1-routes.ts';
import { Databases } from './databases.ts';
import { ApiFailure, failure, success } from './envelope.ts';
import { Runtime } from './runtime.ts';
import { workerRoutes } from './worker-routes.ts';
import { workflowRoutes } from './workflow-routes.ts';
import { Workers } from './workers.ts';

/** Whose token it is. */
export const OPERATOR = 'operator@example.com';

/** A stand-in for an account at Cloudflare: the part of its API that wrangler uses, and what was deployed, running. */
export interface Account {
  /** The variables of the environment by which wrangler finds it and may use it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly databases: Databases;
  readonly workers: Workers;
  readonly runtime: Runtime;
  /** The endpoints that were asked for and are not here. A test must see that there is none. */
  readonly unknown: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Opens an account in which there is nothing yet. */
export async function openAccount(): Promise<Account> {
  const folder = await temporaryFolder();
  const id = randomUUID().replaceAll('-', '');
  const token = `token-${randomUUID()}`;
  const runtime = new Runtime(join(folder.path, 'databases'), freePort);
  const databases = new Databases(runtime);
  const workers = new Workers(runtime);
  const assets = new Assets(join(folder.path, 'assets'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const files = new Files(() => `${origin}/files`);
  const unknown: string[] = [];
  const account = { id, name: 'Stand-in' };

  const api = new Hono();
  api.use('/client/v4/*', async (c, next) => {
    // The token of an assets upload stands in the place of the account's.
    const isAssets = c.req.path.endsWith('/workers/assets/upload');
    if (!isAssets && c.req.header('Authorization') !== `Bearer ${token}`) {
      throw new ApiFailure(403, 10000, 'Authentication error');
    }
    await next();
  });
  api.get('/client/v4/user', (c) => c.json(success({ id: '1', email: OPERATOR })));
  api.get('/client/v4/user/tokens/verify', (c) => c.json(success({ id: '1', status: 'active' })));
  api.get('/client/v4/memberships', (c) => c.json(success([{ account, roles: [] }])));
  api.get('/client/v4/accounts', (c) => c.json(success([account])));
  api.route(`/client/v4/accounts/${id}/d1/database`, d1Routes(databases, files));
  // It keeps no logs, so that no line matches. test/node/usage.test.ts tries the query itself.
  api.post(`/client/v4/accounts/${id}/workers/observability/telemetry/query`, (c) =>
    c.json(success({ calculations: [] })),
  );
  api.route(
    `/client/v4/accounts/${id}/workers`,
    workerRoutes({ workers, assets, databases, runtime }),
  );
  api.route(`/client/v4/accounts/${id}/workflows`, workflowRoutes(workers, runtime));
  api.route('/files', files.routes);
  api.notFound((c) => {
    const endpoint = `${c.req.method} ${c.req.path.replace(id, ':account')}`;
    unknown.push(endpoint);
    return c.json(
      failure(new ApiFailure(501, 10000, `The stand-in does not know ${endpoint}.`)),
      501,
    );
  });
  api.onError((error, c) => {
    const shown = error instanceof ApiFailure ? error : new ApiFailure(501, 10000, String(error));
    // What it could not read is as unknown as what it does not have.
    if (shown.status === 501) unknown.push(`${c.req.method} ${c.req.path}: ${shown.message}`);
    return c.json(failure(shown), shown.status);
  });

  const server = serve({ fetch: api.fetch, port, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return {
    environment: {
      CLOUDFLARE_API_BASE_URL: `${origin}/client/v4`,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: id,
    },
    databases,
    workers,
    runtime,
    unknown,
    stop: async () => {
      server.close();
      await runtime.stop();
      await folder.remove();
    },
  };
}
