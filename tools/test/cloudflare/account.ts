import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import * as z from 'zod';
import { freePort, temporaryFolder } from '../../../test/node/processes.ts';
import { ApiFailure, Databases } from './databases.ts';
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
  /** The schedules of the last one. */
  readonly schedules: readonly string[];
  /** Whether the last one is public at workers.dev, and whether each of its versions is too. */
  readonly published: Readonly<z.infer<typeof publication>>;
  /** What was asked for and is not here. A test must see that there is nothing. */
  readonly unknown: readonly string[];
  readonly stop: () => Promise<void>;
}

const created = z.object({ name: z.string(), jurisdiction: z.optional(z.string()) });
const query = z.strictObject({ sql: z.string() });
const publication = z.strictObject({
  enabled: z.boolean(),
  previews_enabled: z.optional(z.boolean()),
});
const crons = z.array(z.strictObject({ cron: z.string() }));

/** Opens an account in which there is nothing yet. */
export async function openAccount(): Promise<Account> {
  const folder = await temporaryFolder();
  const id = randomUUID().replaceAll('-', '');
  const token = `token-${randomUUID()}`;
  const runtime = new Runtime(folder.path);
  const databases = new Databases((uuid) => runtime.database(uuid));
  const uploads: string[] = [];
  const schedules: string[] = [];
  const published: z.infer<typeof publication> = { enabled: false };
  const unknown: string[] = [];

  const api = new Hono().basePath('/client/v4');
  api.use(async (c, next) => {
    const isMeant = c.req.header('Authorization') === `Bearer ${token}`;
    if (!isMeant) throw new ApiFailure(403, 10000, 'Authentication error');
    await next();
  });
  const own = api.basePath(`/accounts/${id}`);
  const script = own.basePath('/workers/scripts/:name');

  // What is always the same.
  for (const [path, result] of [
    ['/workers/subdomain', { subdomain: 'stand-in' }],
    [
      '/workers/workers/:name',
      { name: 'stand-in', subdomain: { enabled: true, previews_enabled: true } },
    ],
    ['/workers/scripts/:name/settings', { bindings: [], tags: [] }],
    ['/workers/scripts/:name/secrets', []],
    ['/workers/scripts/:name/deployments', { deployments: [] }],
  ] as const) {
    own.get(path, (c) => c.json(success(result)));
  }

  own.post('/d1/database', async (c) => {
    const { name, jurisdiction } = created.parse(await c.req.json());
    const { uuid } = databases.create(name, jurisdiction);
    return c.json(success({ uuid, name }));
  });
  own.post('/d1/database/:id/query', async (c) => {
    const { sql } = query.parse(await c.req.json());
    const results = await databases.run(c.req.param('id'), sql);
    return c.json(success(results.map((result) => ({ ...result, success: true }))));
  });

  // As if each Worker was new, so that wrangler uploads it in one request.
  own.get('/workers/services/:name', () => {
    throw new ApiFailure(404, 10007, 'This Worker does not exist on your account.');
  });
  // As if all files were there already.
  script.post('/assets-upload-session', (c) => c.json(success({ jwt: randomUUID(), buckets: [] })));
  script.put('/', async (c) => {
    await runtime.serve(await readUpload(await c.req.formData()));
    const name = c.req.param('name');
    uploads.push(name);
    return c.json(success({ id: name, etag: '1', deployment_id: '1', startup_time_ms: 1 }));
  });
  script.patch('/script-settings', (c) => c.json(success({ tags: [] })));
  script.post('/subdomain', async (c) => {
    const asked = publication.parse(await c.req.json());
    // Unless something else is asked for, every version is public if the Worker is.
    Object.assign(published, { previews_enabled: asked.enabled }, asked);
    return c.json(success(published));
  });
  script.put('/schedules', async (c) => {
    const parsed = crons.parse(await c.req.json());
    schedules.splice(0, Infinity, ...parsed.map(({ cron }) => cron));
    return c.json(success({ schedules: parsed }));
  });

  api.notFound((c) => {
    throw new ApiFailure(501, 10000, `The stand-in does not know ${c.req.method} ${c.req.path}.`);
  });
  api.onError((error, c) => {
    const { status, code, message } =
      error instanceof ApiFailure ? error : new ApiFailure(501, 10000, String(error));
    if (status === 501) unknown.push(message);
    const refusal = { result: null, success: false, errors: [{ code, message }], messages: [] };
    return c.json(refusal, status);
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
    databases,
    runtime,
    uploads,
    schedules,
    published,
    unknown,
    stop: async () => {
      server.close();
      await runtime.stop();
      await folder.remove();
    },
  };
}

/** The envelope of every successful answer of the API. */
function success(result: unknown): object {
  const count = Array.isArray(result) ? result.length : 1;
  const page = { page: 1, per_page: 100, count, total_count: count };
  return { result, success: true, errors: [], messages: [], result_info: page };
}
