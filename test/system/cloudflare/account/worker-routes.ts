import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import type { Assets } from './assets.ts';
import { sessionRequest } from './assets.ts';
import type { Databases } from './databases.ts';
import { success } from './envelope.ts';
import type { Runtime } from './runtime.ts';
import { codeUpdateStrategy, readUpload } from './upload.ts';
import type { Workers } from './workers.ts';

const SUBDOMAIN = 'stand-in';
const AUTHOR = 'operator@example.com';

const deployed = z.strictObject({
  strategy: z.literal('percentage'),
  versions: z.tuple([z.strictObject({ version_id: z.string(), percentage: z.literal(100) })]),
  annotations: z.object({ 'workers/message': z.string().optional() }).optional(),
  code_update_strategy: codeUpdateStrategy.optional(),
});
const crons = z.array(z.strictObject({ cron: z.string() }));
const settings = z.object({ tags: z.array(z.string()).nullable().optional() });
const onWorkersDev = z.object({ enabled: z.boolean() });

/** What the endpoints work on. */
export interface WorkersAccount {
  readonly workers: Workers;
  readonly assets: Assets;
  readonly databases: Databases;
  readonly runtime: Runtime;
}

/** The endpoints of Workers, below an account. */
export function workerRoutes({ workers, assets, databases, runtime }: WorkersAccount): Hono {
  const routes = new Hono();

  routes.get('/subdomain', (c) => c.json(success({ subdomain: SUBDOMAIN })));

  routes.get('/services/:name', (c) => {
    const { tag, tags } = workers.find(c.req.param('name'));
    const script = { tag, tags, last_deployed_from: 'wrangler' };
    return c.json(success({ default_environment: { environment: 'production', script } }));
  });

  routes.get('/scripts/:name/settings', (c) => {
    const script = workers.find(c.req.param('name'));
    return c.json(
      success({ bindings: script.versions.at(-1)?.upload.bindings, tags: script.tags }),
    );
  });

  routes.get('/scripts/:name/secrets', (c) => {
    workers.find(c.req.param('name'));
    return c.json(success([]));
  });

  routes.post('/scripts/:name/assets-upload-session', async (c) =>
    c.json(success(assets.begin(sessionRequest.parse(await c.req.json()).manifest))),
  );

  routes.post('/assets/upload', async (c) => {
    const jwt = c.req.header('Authorization')?.replace('Bearer ', '') ?? '';
    const files: [string, string][] = [];
    for (const [hash, file] of await c.req.formData()) {
      files.push([hash, typeof file === 'string' ? file : await file.text()]);
    }
    return c.json(success(assets.take(jwt, files)), 201);
  });

  // The first upload of a script deploys it; from then on versions are uploaded, and deployed by themselves.
  routes.put('/scripts/:name', async (c) => {
    const name = c.req.param('name');
    const version = workers.upload(
      name,
      await readUpload(await c.req.formData(), { databases, assets }),
    );
    await workers.deploy(name, version.id, '');
    return c.json(
      success({
        id: name,
        etag: version.id,
        deployment_id: version.id.replaceAll('-', ''),
        startup_time_ms: 1,
      }),
    );
  });

  routes.post('/scripts/:name/versions', async (c) => {
    const name = c.req.param('name');
    workers.find(name);
    const version = workers.upload(
      name,
      await readUpload(await c.req.formData(), { databases, assets }),
    );
    return c.json(success(shownVersion(version)));
  });

  routes.get('/scripts/:name/versions', (c) =>
    c.json(
      success({ items: workers.find(c.req.param('name')).versions.map(shownVersion).reverse() }),
    ),
  );

  routes.get('/scripts/:name/versions/:version', (c) =>
    c.json(success(shownVersion(workers.version(c.req.param('name'), c.req.param('version'))))),
  );

  routes.get('/scripts/:name/deployments', (c) =>
    c.json(
      success({ deployments: workers.find(c.req.param('name')).deployments.map(shownDeployment) }),
    ),
  );

  routes.post('/scripts/:name/deployments', async (c) => {
    const { versions, annotations } = deployed.parse(await c.req.json());
    const [{ version_id: versionId }] = versions;
    const message = annotations?.['workers/message'] ?? '';
    return c.json(
      success(shownDeployment(await workers.deploy(c.req.param('name'), versionId, message))),
    );
  });

  routes.patch('/scripts/:name/script-settings', async (c) => {
    const script = workers.find(c.req.param('name'));
    const { tags } = settings.parse(await c.req.json());
    if (tags) script.tags = tags;
    return c.json(success({ tags: script.tags }));
  });

  routes.get('/workers/:name', (c) => {
    const name = c.req.param('name');
    const { isOnWorkersDev } = workers.find(name);
    const subdomain = { enabled: isOnWorkersDev, previews_enabled: isOnWorkersDev };
    return c.json(success({ name, subdomain }));
  });

  routes.post('/scripts/:name/subdomain', async (c) => {
    const script = workers.find(c.req.param('name'));
    script.isOnWorkersDev = onWorkersDev.parse(await c.req.json()).enabled;
    return c.json(
      success({ enabled: script.isOnWorkersDev, previews_enabled: script.isOnWorkersDev }),
    );
  });

  routes.put('/scripts/:name/schedules', async (c) => {
    const script = workers.find(c.req.param('name'));
    script.schedules = crons.parse(await c.req.json()).map(({ cron }) => cron);
    return c.json(success({ schedules: script.schedules.map((cron) => ({ cron })) }));
  });

  routes.post('/scripts/:name/tails', (c) => {
    const name = c.req.param('name');
    workers.find(name);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    return c.json(success({ id: randomUUID(), url: runtime.tailUrlOf(name), expires_at: expires }));
  });

  routes.delete('/scripts/:name/tails/:tail', (c) => c.json(success(null)));

  return routes;
}

type Version = ReturnType<Workers['version']>;
type Deployment = Awaited<ReturnType<Workers['deploy']>>;

function shownVersion({ id, number, createdOn, upload }: Version): object {
  return {
    id,
    number,
    metadata: {
      created_on: createdOn,
      modified_on: createdOn,
      source: 'wrangler',
      author_id: '',
      author_email: AUTHOR,
    },
    annotations: { 'workers/triggered_by': 'upload' },
    resources: {
      bindings: upload.bindings,
      script: { etag: id, handlers: ['fetch', 'scheduled'], last_deployed_from: 'wrangler' },
      script_runtime: {
        compatibility_date: upload.compatibilityDate,
        usage_model: 'standard',
        limits: {},
      },
    },
    startup_time_ms: 1,
  };
}

function shownDeployment({ id, createdOn, versionId, message }: Deployment): object {
  return {
    id,
    source: 'wrangler',
    strategy: 'percentage',
    author_email: AUTHOR,
    created_on: createdOn,
    annotations: { 'workers/message': message },
    versions: [{ version_id: versionId, percentage: 100 }],
  };
}
