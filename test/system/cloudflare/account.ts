import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import * as z from 'zod';
import { freePort, temporaryFolder } from '../../node/processes.ts';
import type { Database } from './databases.ts';
import { Databases } from './databases.ts';
import { ApiFailure, failure, success } from './envelope.ts';
import { Runtime } from './runtime.ts';
import { readUpload } from './upload.ts';

/** A stand-in for an account at Cloudflare: the part of its API that deployments use, and what was deployed, running. */
export interface Account {
  /** The variables of the environment by which wrangler finds it and may use it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly databases: Databases;
  readonly runtime: Runtime;
  /** The names of the Workers that were uploaded, in order. */
  readonly uploads: readonly string[];
  /** The schedules of each Worker. */
  readonly schedules: ReadonlyMap<string, readonly string[]>;
  /** What was asked for and is not here. A test must see that there is nothing. */
  readonly unknown: readonly string[];
  readonly stop: () => Promise<void>;
}

const created = z.object({ name: z.string(), jurisdiction: z.optional(z.string()) });
const query = z.strictObject({ sql: z.string() });
const crons = z.array(z.strictObject({ cron: z.string() }));

/** Opens an account in which there is nothing yet. */
export async function openAccount(): Promise<Account> {
  const folder = await temporaryFolder();
  const id = randomUUID().replaceAll('-', '');
  const token = `token-${randomUUID()}`;
  const runtime = new Runtime(folder.path);
  const databases = new Databases((uuid) => runtime.database(uuid));
  const uploads: string[] = [];
  const schedules = new Map<string, readonly string[]>();
  const unknown: string[] = [];

  const api = new Hono().basePath('/client/v4');
  api.use(async (c, next) => {
    const isMeant = c.req.header('Authorization') === `Bearer ${token}`;
    if (!isMeant) throw new ApiFailure(403, 10000, 'Authentication error');
    await next();
  });

  // Who this is, which wrangler looks up when something has failed.
  const account = { id, name: 'Stand-in' };
  api.get('/user', (c) => c.json(success({ id: '1', email: 'operator@example.com' })));
  api.get('/user/tokens/verify', (c) => c.json(success({ id: '1', status: 'active' })));
  api.get('/memberships', (c) => c.json(success([{ account, roles: [] }])));
  api.get('/accounts', (c) => c.json(success([account])));

  const own = api.basePath(`/accounts/${id}`);
  own.get('/d1/database', (c) => {
    const name = c.req.query('name');
    const found = databases.all.filter((database) => name === undefined || database.name === name);
    return c.json(success(found.map(shown)));
  });
  own.post('/d1/database', async (c) => {
    const { name, jurisdiction } = created.parse(await c.req.json());
    return c.json(success(shown(databases.create(name, jurisdiction))));
  });
  own.get('/d1/database/:id', (c) => c.json(success(shown(databases.find(c.req.param('id'))))));
  own.post('/d1/database/:id/query', async (c) => {
    const { sql } = query.parse(await c.req.json());
    const results = await databases.run(c.req.param('id'), sql);
    return c.json(success(results.map((result) => ({ ...result, success: true }))));
  });

  // As if each Worker was new, so that wrangler uploads it in one request.
  own.get('/workers/services/:name', () => {
    throw new ApiFailure(404, 10007, 'This Worker does not exist on your account.');
  });
  own.post('/workers/scripts/:name/assets-upload-session', (c) =>
    // As if all files were there already.
    c.json(success({ jwt: randomUUID(), buckets: [] })),
  );
  own.put('/workers/scripts/:name', async (c) => {
    const name = c.req.param('name');
    const hasDatabase = (uuid: string): boolean => databases.all.some((one) => one.uuid === uuid);
    await runtime.serve(name, await readUpload(await c.req.formData(), hasDatabase));
    uploads.push(name);
    return c.json(success({ id: name, etag: '1', deployment_id: '1', startup_time_ms: 1 }));
  });
  own.get('/workers/scripts/:name/settings', (c) => c.json(success({ bindings: [], tags: [] })));
  own.patch('/workers/scripts/:name/script-settings', (c) => c.json(success({ tags: [] })));
  own.get('/workers/scripts/:name/secrets', (c) => c.json(success([])));
  own.get('/workers/scripts/:name/deployments', (c) => c.json(success({ deployments: [] })));
  own.get('/workers/subdomain', (c) => c.json(success({ subdomain: 'stand-in' })));
  const onWorkersDev = { enabled: true, previews_enabled: true };
  own.get('/workers/workers/:name', (c) =>
    c.json(success({ name: c.req.param('name'), subdomain: onWorkersDev })),
  );
  own.post('/workers/scripts/:name/subdomain', (c) => c.json(success(onWorkersDev)));
  own.put('/workers/scripts/:name/schedules', async (c) => {
    const parsed = crons.parse(await c.req.json());
    schedules.set(
      c.req.param('name'),
      parsed.map(({ cron }) => cron),
    );
    return c.json(success({ schedules: parsed }));
  });

  api.notFound((c) => {
    throw new ApiFailure(501, 10000, `The stand-in does not know ${c.req.method} ${c.req.path}.`);
  });
  api.onError((error, c) => {
    const shown = error instanceof ApiFailure ? error : new ApiFailure(501, 10000, String(error));
    if (shown.status === 501) unknown.push(shown.message);
    return c.json(failure(shown), shown.status);
  });

  const port = await freePort();
  const server = serve({ fetch: api.fetch, port, hostname: '127.0.0.1' });
  await once(server, 'listening');
  return {
    environment: {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: token,
      CLOUDFLARE_ACCOUNT_ID: id,
    },
    ...{ databases, runtime, uploads, schedules, unknown },
    stop: async () => {
      server.close();
      await runtime.stop();
      await folder.remove();
    },
  };
}

function shown({ uuid, name, jurisdiction }: Database): object {
  return { uuid, name, jurisdiction, version: 'production', num_tables: 0, file_size: 0 };
}
