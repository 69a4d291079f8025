import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { build } from 'esbuild';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { OwnServer } from './server.ts';

/** A server without processes of its own, which can have any number of brands. */
export interface Workerd extends Omit<OwnServer, 'group'> {
  /** Creates a brand and returns its key. */
  readonly newBrand: () => Promise<string>;
}

const ROOT = join(import.meta.dirname, '../..');

const configSchema = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
});

const created = z.object({ apiKey: z.string() });

/**
 * Serves a Worker directly from workerd, without a proxy, on an in-memory database with one brand.
 * @param main the Worker's module, from the project's folder
 */
export async function startWorkerd(main: string): Promise<Workerd> {
  const config = configSchema.parse(unstable_readConfig({ config: join(ROOT, 'wrangler.toml') }));
  const [service, operator] = await Promise.all([
    bundled(main),
    bundled('test/support/new-brand.ts'),
  ]);
  const shared = {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    d1Databases: { DB: 'DB' },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
  let log = '';
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          ...shared,
          name: 'service',
          modules: service,
          ratelimits: Object.fromEntries(
            ['KEY_RATE_LIMIT', 'FAILURE_RATE_LIMIT'].map((name) => [
              name,
              { namespace_id: name, simple: { limit: 1000, period: 10 } },
            ]),
          ),
        },
        { ...shared, name: 'operator', modules: operator },
      ],
      handleStructuredLogs: ({ message }) => {
        log += `${message}\n`;
      },
    }),
  );
  await miniflare.ready;
  await migrate(await miniflare.getD1Database('DB', 'service'));
  const creation = await miniflare.unsafeGetDirectURL('operator');
  const newBrand = async (): Promise<string> =>
    created.parse(await (await fetch(creation)).json()).apiKey;
  return {
    port: Number((await miniflare.unsafeGetDirectURL('service')).port),
    apiKey: await newBrand(),
    newBrand,
    log: () => log,
    stop: () => miniflare.dispose(),
  };
}

type Modules = { type: 'ESModule'; path: string; contents: string }[];
const bundles = new Map<string, Promise<Modules>>();

/** Bundles the module of a Worker, once. @param main its path from the project's folder */
export function bundled(main: string): Promise<Modules> {
  const made = bundles.get(main) ?? bundle(main);
  bundles.set(main, made);
  return made;
}

async function bundle(main: string): Promise<Modules> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, main)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
  });
  return [{ type: 'ESModule', path: 'worker.js', contents: outputFiles[0]?.text ?? '' }];
}

/** Applies the migrations, and notes it as wrangler does. That starts a process for it, which takes seconds. */
export async function migrate(db: Pick<D1Database, 'batch' | 'prepare'>): Promise<void> {
  const table = `create table d1_migrations(
    id integer primary key autoincrement,
    name text unique,
    applied_at timestamp default current_timestamp not null
  )`;
  await db.batch([db.prepare(table)]);
  for (const { name, queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    const noted = db.prepare('insert into d1_migrations (name) values (?)').bind(name);
    await db.batch([...queries.map((query) => db.prepare(query)), noted]);
  }
}
