import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { build } from 'esbuild';
import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { Values } from '../src/db/columns.ts';
import { bindingOf } from '../src/db/databases.ts';
import { products } from '../src/resources/products.ts';
import type { Execute } from '../tools/admin/execute.ts';
import { executeOn } from '../tools/admin/execute.ts';

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '..');

const limitSchema = z.object({ limit: z.number(), period: z.literal([10, 60]) });
/** The settings of the deployed Worker in `wrangler.toml`. */
const config = z
  .object({
    ...{ compatibility_date: z.string(), compatibility_flags: z.array(z.string()) },
    ratelimits: z.array(
      z.object({ name: z.string(), namespace_id: z.string(), simple: limitSchema }),
    ),
  })
  .parse(unstable_readConfig({ config: join(ROOT, 'wrangler.toml') }));

/** A Worker to run, with its own D1 database, or several. */
export interface Contestant {
  readonly name: string;
  /** The path of its module in the project. */
  readonly module: string;
  /** The number of its databases; one by default. */
  readonly databases?: number;
}

const ofBench = (name: string): Contestant => ({ name, module: `bench/workers/${name}.ts` });

/** The service, with a rate limiter that answers immediately. */
export const SERVICE = ofBench('service');
/** The designs that the service is compared with. */
export const OTHERS = ['bare', 'usual', 'chanfana'].map(ofBench);
/** The one written by hand. */
export const BARE = ofBench('bare');
/** The bare Worker with layers of the service around it, each with one more. */
export const LAYERS = ['routed', 'keyed'].map(ofBench);

const distantOf = (name: string): string => `${name}-distant`;

/** What calls to D1 cost at a distant port. */
interface Distance {
  readonly distance: number;
  readonly isInTurn: boolean;
}

/** A running Worker. */
export interface Served {
  readonly name: string;
  /** The port of the Worker itself. */
  readonly port: number;
  /** The port of the same Worker on the same database, with added latency to D1 and counters. */
  readonly distantPort: number;
  /** The port of the service on the same database, to fill it. */
  readonly fillingPort: number;
  /** Runs statements on the Worker's database. */
  readonly execute: Execute;
  /** The same for each of its databases, by number. */
  readonly databases: readonly Execute[];
}

/** Running Workers in one workerd. */
export interface Servers extends AsyncDisposable {
  /** Returns a Worker by name. */
  served(name: string): Promise<Served>;
  /** The process id of workerd. */
  readonly pid: number;
  /** Returns the inspector address of a Worker's isolate, if the inspector is on. */
  inspector(name: string): Promise<string>;
}

/**
 * Starts Workers side by side in one workerd, each on its own database, which is migrated if it is new.
 * @param options distance: the added latency of each call to D1 at the distant port, in milliseconds; isInTurn: whether a
 *   database does nothing else in that time; folder: the folder of the databases, instead of memory; inspector: whether
 *   isolates can be inspected, which slows them down
 */
export async function serve(
  contestants: readonly Contestant[],
  options: Partial<Distance> & { readonly folder?: string; inspector?: boolean },
): Promise<Servers> {
  const { distance = 0, isInTurn = false, folder, inspector = false } = options;
  const workers = contestants.flatMap((contestant) => {
    const { name, module } = contestant;
    return [
      ...nearAndDistant(name, contestant, module, { distance, isInTurn }),
      worker(`${name}-filling`, contestant, `export { default } from './${SERVICE.module}';`),
    ];
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: await Promise.all(workers),
      ...(folder !== undefined && { resourcePersistencePath: folder }),
      ...(inspector && { inspectorPort: 0 }),
    }),
  );
  await miniflare.ready;
  const opened = new Map<string, LocalDatabase[]>();
  for (const { name, databases = 1 } of contestants) {
    const all = await Promise.all(
      Array.from({ length: databases }, (_, n) => miniflare.getD1Database(bindingOf(n), name)),
    );
    opened.set(name, all);
    for (const one of all) await migrate(one, !['usual', 'chanfana'].includes(name));
  }
  const portOf = async (name: string): Promise<number> =>
    Number((await miniflare.unsafeGetDirectURL(name)).port);
  const pgrep = await promisify(execFile)('pgrep', ['-P', String(process.pid), 'workerd']);
  return {
    served: async (name) => {
      const databases = (opened.get(name) ?? []).map((db, n) => executeOn(db, 'bench', n));
      const [execute] = databases;
      if (execute === undefined) throw new Error(`There is no ${name}.`);
      const [port, distantPort] = [await portOf(name), await portOf(distantOf(name))];
      return {
        ...{ name, port, distantPort, fillingPort: await portOf(`${name}-filling`) },
        ...{ execute, databases },
      };
    },
    pid: Number(pgrep.stdout.trim().split('\n')[0]),
    inspector: async (name) =>
      new URL(`./core:user:${name}`, await miniflare.getInspectorURL()).href.replace(/^http/, 'ws'),
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}

/** Miniflare has its own copy of D1's types. */
type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** A Worker, and the same with added latency to D1 and counters. */
function nearAndDistant(
  name: string,
  contestant: Contestant,
  module: string,
  distance: Distance,
): Promise<V4WorkerOptions>[] {
  return [
    worker(name, contestant, `export { default } from './${module}';`),
    worker(
      distantOf(name),
      contestant,
      `import worker from './${module}';
       import { instrumented } from './bench/workers/instrument.ts';
       export default instrumented(worker);`,
      distance,
    ),
  ];
}

async function worker(
  name: string,
  { name: database, databases = 1 }: Contestant,
  contents: string,
  { distance, isInTurn }: Distance = { distance: 0, isInTurn: false },
): Promise<V4WorkerOptions> {
  const { outputFiles } = await build({
    // A line of the log costs little on Cloudflare. Here, Miniflare's host reads it from a pipe.
    stdin: {
      contents: `${contents}\nconsole.log = () => undefined;`,
      resolveDir: ROOT,
      loader: 'ts',
    },
    // The same settings as wrangler's build for deployment.
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2024' },
    ...{ conditions: ['workerd', 'worker', 'browser'], external: ['cloudflare:*', 'node:*'] },
    define: { PRODUCT_DEFAULTS: JSON.stringify(productDefaults()) },
  });
  return {
    name,
    modules: [{ type: 'ESModule', path: `${name}.js`, contents: outputFiles[0]?.text ?? '' }],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { DISTANCE: distance, IS_IN_TURN: isInTurn },
    d1Databases: Object.fromEntries(
      Array.from({ length: databases }, (_, n) => [
        bindingOf(n),
        n === 0 ? database : `${database}-${n}`,
      ]),
    ),
    ratelimits: Object.fromEntries(
      config.ratelimits.map(({ name: binding, ...limit }) => [binding, limit]),
    ),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}

/** The values that the service gives to the fields of a product that a body leaves out. */
function productDefaults(): Values {
  const required = { title: 'A', priceCents: 1, handle: 'a' };
  const complete = z.core.parse(products.postBody, required)('');
  return Object.fromEntries(Object.entries(complete).filter(([field]) => !(field in required)));
}

/** Applies the migrations. Where changes are not numbered, the indexes for it are dropped. */
async function migrate(db: LocalDatabase, numbersChanges: boolean): Promise<void> {
  const isMigrated = `select 1 from sqlite_master where name = 'brands'`;
  if ((await db.prepare(isMigrated).first()) !== null) return;
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    await db.batch(queries.map((text) => db.prepare(text)));
  }
  const numbering = `select 'drop index ' || name as text from sqlite_master
    where not ?1 and name glob '*_by_change'`;
  const { results } = await db
    .prepare(numbering)
    .bind(Number(numbersChanges))
    .all<{ text: string }>();
  for (const { text } of results) await db.prepare(text).run();
}
