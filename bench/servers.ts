import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { build } from 'esbuild';
import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { Execute } from '../tools/admin/execute.ts';
import { executeOn } from '../tools/admin/execute.ts';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..');

const limitSchema = z.object({ limit: z.number(), period: z.literal([10, 60]) });
/** What `wrangler.toml` says about the deployed Worker. */
const config = z
  .object({
    ...{ compatibility_date: z.string(), compatibility_flags: z.array(z.string()) },
    ratelimits: z.array(
      z.object({ name: z.string(), namespace_id: z.string(), simple: limitSchema }),
    ),
  })
  .parse(unstable_readConfig({ config: join(ROOT, 'wrangler.toml') }));

/** A Worker to run, with a D1 database of its own. */
export interface Contestant {
  readonly name: string;
  /** Its module, from the project's folder. */
  readonly module: string;
}

const ofBench = (name: string): Contestant => ({ name, module: `bench/workers/${name}.ts` });

/** The service, with a rate limiter that answers at once. */
export const SERVICE = ofBench('service');
/** What the service is compared with. */
export const OTHERS = ['bare', 'usual', 'chanfana'].map(ofBench);

/** A Worker as it runs. */
export interface Served {
  readonly name: string;
  /** Where it listens itself, with nothing in between. */
  readonly port: number;
  /** The same Worker on the same database, with a distance to D1 and counters around it. */
  readonly distantPort: number;
  /** The service on the same database, to fill it. */
  readonly fillingPort: number;
  /** Runs statements on its database. */
  readonly execute: Execute;
}

/** Workers that run in one workerd. */
export interface Servers extends AsyncDisposable {
  /** A Worker by its name. */
  served(name: string): Promise<Served>;
  /** The process of workerd. */
  readonly pid: number;
  /** The inspector's address of a Worker's isolate, if the inspector is on. */
  inspector(name: string): Promise<string>;
}

/**
 * Starts Workers side by side in one workerd, each on a database of its own, which is migrated if it is new.
 * @param options distance: milliseconds that each call to D1 takes longer at the distant port; folder: where the
 *   databases are kept, instead of in memory; inspector: whether isolates can be inspected, which costs them time
 */
export async function serve(
  contestants: readonly Contestant[],
  options: { readonly distance?: number; folder?: string; inspector?: boolean },
): Promise<Servers> {
  const { distance = 0, folder, inspector = false } = options;
  const workers = contestants.flatMap(({ name, module }) => [
    worker(name, name, `export { default } from './${module}';`, 0),
    worker(
      `${name}-distant`,
      name,
      `import worker from './${module}';
       import { instrumented } from './bench/workers/instrument.ts';
       export default instrumented(worker);`,
      distance,
    ),
    worker(`${name}-filling`, name, `export { default } from './${SERVICE.module}';`, 0),
  ]);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: await Promise.all(workers),
      ...(folder !== undefined && { resourcePersistencePath: folder }),
      ...(inspector && { inspectorPort: 0 }),
      // The service writes a line per request.
      handleStructuredLogs: () => undefined,
    }),
  );
  await miniflare.ready;
  const database = (name: string): Promise<LocalDatabase> => miniflare.getD1Database('DB', name);
  for (const { name } of contestants) await migrate(await database(name), name === SERVICE.name);
  const portOf = async (name: string): Promise<number> =>
    Number((await miniflare.unsafeGetDirectURL(name)).port);
  const pgrep = await promisify(execFile)('pgrep', ['-P', String(process.pid), 'workerd']);
  return {
    served: async (name) => {
      const db = await database(name);
      const execute = executeOn(db, 'bench');
      const [port, distantPort] = [await portOf(name), await portOf(`${name}-distant`)];
      return { name, port, distantPort, fillingPort: await portOf(`${name}-filling`), execute };
    },
    pid: Number(pgrep.stdout.trim().split('\n')[0]),
    inspector: async (name) =>
      new URL(`./core:user:${name}`, await miniflare.getInspectorURL()).href.replace(/^http/, 'ws'),
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}

/** Miniflare has D1's types in a copy of its own. */
type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

async function worker(
  name: string,
  database: string,
  contents: string,
  distance: number,
): Promise<V4WorkerOptions> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    // As wrangler builds for deployment.
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2024' },
    ...{ conditions: ['workerd', 'worker', 'browser'], external: ['cloudflare:*', 'node:*'] },
  });
  return {
    name,
    modules: [{ type: 'ESModule', path: `${name}.js`, contents: outputFiles[0]?.text ?? '' }],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { DISTANCE: distance },
    d1Databases: { DB: database },
    ratelimits: Object.fromEntries(
      config.ratelimits.map(({ name: binding, ...limit }) => [binding, limit]),
    ),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}

/** Applies the migrations; other designs number no changes, so neither index nor triggers for it burden them. */
async function migrate(db: LocalDatabase, isService: boolean): Promise<void> {
  const isMigrated = `select 1 from sqlite_master where name = 'brands'`;
  if ((await db.prepare(isMigrated).first()) !== null) return;
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    await db.batch(queries.map((text) => db.prepare(text)));
  }
  const numbering = `select 'drop ' || type || ' ' || name as text from sqlite_master
    where not ?1 and (type = 'trigger' or name glob '*_by_change')`;
  const { results } = await db.prepare(numbering).bind(Number(isService)).all<{ text: string }>();
  for (const { text } of results) await db.prepare(text).run();
}
