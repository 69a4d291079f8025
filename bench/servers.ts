import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { build } from 'esbuild';
import type { V4WorkerOptions } from 'miniflare';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { OpenDatabase } from '../admin/src/index.ts';
import { databaseOn } from '../admin/src/index.ts';
import { ROOT } from '../common/wrangler/wrangler.ts';
import type { Contestant } from './bundle.ts';
import { bundle, SERVICE, USUAL } from './bundle.ts';

/** The settings of the deployed Worker in `wrangler.toml`. */
const config = z
  .object({ compatibility_date: z.string(), compatibility_flags: z.array(z.string()) })
  .parse(unstable_readConfig({ config: join(ROOT, 'wrangler.toml') }));

export interface Served {
  readonly name: string;
  /** The JavaScript that wrangler would deploy. */
  readonly code: string;
  /** The port of the Worker itself. */
  readonly port: number;
  /** The port of the same Worker on the same database, with added latency to D1 and counters. */
  readonly distantPort: number;
  /** The port of the service on the same database, to fill it. */
  readonly fillingPort: number;
  /** Runs statements on the Worker's database. */
  readonly database: OpenDatabase;
}

/** Running Workers in one workerd. */
export interface Servers extends AsyncDisposable {
  /** In the order of the contestants. */
  readonly served: readonly Served[];
  readonly pid: number;
}

/**
 * Starts Workers side by side in one workerd, each on its own database in memory.
 * @param distance the added latency of each call to D1 at the distant ports, in milliseconds
 */
export async function serve(
  contestants: readonly Contestant[],
  distance: number,
): Promise<Servers> {
  const wrapper = await bundledWrapper();
  const codes = new Map<string, string>();
  for (const one of [SERVICE, ...contestants]) {
    if (!codes.has(one.name)) codes.set(one.name, await bundle(one));
  }
  const workers = contestants.flatMap(({ name }) => {
    const own = codes.get(name) ?? '';
    return [
      worker({ name, database: name, wrapper, code: own, distance: 0 }),
      worker({ name: distantOf(name), database: name, wrapper, code: own, distance }),
      worker({
        name: fillingOf(name),
        database: name,
        wrapper,
        distance: 0,
        code: codes.get(SERVICE.name) ?? '',
      }),
    ];
  });
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers }));
  await miniflare.ready;
  const portOf = async (name: string): Promise<number> =>
    Number((await miniflare.unsafeGetDirectURL(name)).port);
  const served: Served[] = [];
  for (const { name } of contestants) {
    const database = await miniflare.getD1Database('DB', name);
    await migrate(database, name !== USUAL.name);
    served.push({
      name,
      code: codes.get(name) ?? '',
      database: databaseOn(database, 'bench'),
      port: await portOf(name),
      distantPort: await portOf(distantOf(name)),
      fillingPort: await portOf(fillingOf(name)),
    });
  }
  const children = await promisify(execFile)('pgrep', ['-P', String(process.pid), 'workerd']);
  return {
    served,
    pid: Number(children.stdout.trim().split('\n')[0]),
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}

/**
 * Returns the running Worker with this name.
 * @throws Error if there is none
 */
export function servedFor({ served }: Servers, name: string): Served {
  const found = served.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not served.`);
  return found;
}

const distantOf = (name: string): string => `${name}-distant`;
const fillingOf = (name: string): string => `${name}-filling`;

interface WorkerParts {
  readonly name: string;
  readonly database: string;
  readonly wrapper: string;
  readonly code: string;
  readonly distance: number;
}

function worker({ name, database, wrapper, code, distance }: WorkerParts): V4WorkerOptions {
  return {
    name,
    modules: [
      { type: 'ESModule', path: 'wrapper.js', contents: wrapper },
      { type: 'ESModule', path: 'contestant.js', contents: code },
    ],
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { DISTANCE: distance },
    d1Databases: { DB: database },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}

async function bundledWrapper(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'workers/wrapper.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    external: ['./contestant.js'],
  });
  return outputFiles[0]?.text ?? '';
}

/** Miniflare has its own copy of D1's types. */
type LocalDatabase = Awaited<ReturnType<Miniflare['getD1Database']>>;

/** Applies the migrations. If changes are not numbered, the indexes for it are dropped. */
async function migrate(db: LocalDatabase, numbersChanges: boolean): Promise<void> {
  for (const { queries } of await readD1Migrations(join(ROOT, 'migrations'))) {
    await db.batch(queries.map((text) => db.prepare(text)));
  }
  if (numbersChanges) return;
  const { results } = await db
    .prepare(`select name from sqlite_master where type = 'index' and name glob '*_by_change'`)
    .all<{ name: string }>();
  for (const { name } of results) await db.prepare(`drop index ${name}`).run();
}
