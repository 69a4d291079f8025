import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { build } from 'esbuild';
import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { config } from './config.ts';

const ROOT = join(import.meta.dirname, '..');

/** A Worker to run, with a D1 database of its own. */
export interface Contestant {
  readonly name: string;
  /** Its module, from the project's folder. */
  readonly module: string;
  /** The limits of its rate limiting bindings; without them, limits that nothing reaches. */
  readonly limits?: RateLimits;
}

/** Rate limiting bindings by their names. */
export type RateLimits = NonNullable<V4WorkerOptions['ratelimits']>;

// The limits are there, and so is what they cost; nothing reaches them.
const UNREACHED: RateLimits = Object.fromEntries(
  ['KEY_RATE_LIMIT', 'FAILURE_RATE_LIMIT'].map((binding, index) => [
    binding,
    { namespace_id: String(index), simple: { limit: 1_000_000_000, period: 10 } },
  ]),
);

/** A Worker as it runs. */
export interface Served {
  readonly name: string;
  /** Where it listens itself, with nothing in between. */
  readonly port: number;
  /** The port of the same Worker on the same database, with a distance to it and counters around it. */
  readonly instrumentedPort: number;
}

/** Workers that run in one workerd. */
export interface Servers {
  readonly served: readonly Served[];
  /** The process of workerd. */
  readonly pid: number;
  /** The inspector's address of a Worker's isolate, where the inspector is on. */
  inspector(name: string): Promise<string>;
  /** Runs statements on a Worker's database, each with its parameters, in one transaction. */
  execute(
    name: string,
    statements: readonly (readonly [text: string, ...parameters: unknown[]])[],
  ): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts Workers side by side in one workerd, each on a database of its own, which is migrated when it is new.
 * @param options distance: milliseconds on the way to D1, for the instrumented ones; folder: where the databases lie, instead of memory;
 *   inspector: whether isolates can be looked into, which costs them time
 */
export async function serve(
  contestants: readonly Contestant[],
  options: { readonly distance: number; readonly folder?: string; readonly inspector?: boolean },
): Promise<Servers> {
  const { distance, folder, inspector = false } = options;
  const workers = await Promise.all(
    contestants.map(async ({ name, module, limits = UNREACHED }) => [
      await worker(name, name, `export { default } from './${module}';`, 0, limits),
      await worker(
        `${name}-instrumented`,
        name,
        `import worker from './${module}';
         import { instrumented } from './bench/workers/instrument.ts';
         export default instrumented(worker);`,
        distance,
        limits,
      ),
    ]),
  );
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: workers.flat(),
      ...(folder !== undefined && { resourcePersistencePath: folder }),
      ...(inspector && { inspectorPort: 0 }),
      // The service writes a line per request.
      handleStructuredLogs: () => undefined,
    }),
  );
  await miniflare.ready;
  const portOf = async (name: string): Promise<number> =>
    Number((await miniflare.unsafeGetDirectURL(name)).port);

  const execute: Servers['execute'] = async (name, statements) => {
    const db = await miniflare.getD1Database('DB', name);
    await db.batch(statements.map(([text, ...parameters]) => db.prepare(text).bind(...parameters)));
  };
  for (const { name } of contestants) {
    const db = await miniflare.getD1Database('DB', name);
    const isMigrated = `select 1 from sqlite_master where name = 'brands'`;
    if ((await db.prepare(isMigrated).first()) !== null) continue;
    for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
      await execute(
        name,
        queries.map((text) => [text]),
      );
    }
  }
  return {
    served: await Promise.all(
      contestants.map(async ({ name }) => ({
        name,
        port: await portOf(name),
        instrumentedPort: await portOf(`${name}-instrumented`),
      })),
    ),
    pid: await workerdOf(process.pid),
    inspector: async (name) =>
      new URL(`./core:user:${name}`, await miniflare.getInspectorURL()).href.replace(/^http/, 'ws'),
    execute,
    stop: () => miniflare.dispose(),
  };
}

async function worker(
  name: string,
  database: string,
  contents: string,
  distance: number,
  ratelimits: RateLimits,
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
    ratelimits,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}

/** The workerd among the children of a process. */
async function workerdOf(parent: number): Promise<number> {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(parent), 'workerd']);
  return Number(stdout.trim().split('\n')[0]);
}
