import type { ChildProcess } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { getPlatformProxy } from 'wrangler';
import * as z from 'zod';
import { BrandApiError, BrandClient } from '../../client/src/index.ts';
import { bindingOf } from '../../src/db/databases.ts';
import type { Env } from '../../src/http/api-env.ts';
import { Failure } from '../../common/failure.ts';
import type { ConfiguredDatabase } from '../../admin/src/index.ts';
import { databaseOn, readConfiguration } from '../../admin/src/index.ts';
import { note } from '../../common/terminal/note.ts';
import { INTERRUPTIONS } from '../../common/terminal/interruption.ts';
import { endOrphans } from '../../common/wrangler/orphans.ts';
import { exitCode, runWrangler, startWrangler } from '../../common/wrangler/wrangler.ts';
import type { DemoBrand } from './demo.ts';
import { fillDemoBrand, openDemoBrand } from './demo.ts';
import type { DevFlags } from './flags.ts';
import { readFlags } from './flags.ts';
import { refuseUnknownMigrations, UnknownMigrations } from './unknown-migrations.ts';

// Serves the API with demo data: applies the migrations, creates a demo brand, then runs `wrangler dev` with the given
// flags.

const readyMessage = z.object({
  event: z.literal('DEV_SERVER_READY'),
  ip: z.string(),
  port: z.number(),
});
type Ready = z.infer<typeof readyMessage>;

/** How long to wait for the end of what the server prints, in milliseconds: a log level may hide it. */
const PATIENCE = 3000;

/** After how many milliseconds without any output the server has said all. On a busy machine, it logs requests late. */
const SILENCE = 500;

/** After how many milliseconds it is seen that npm has ended. */
const WATCH = 500;

// npm passes a signal to its shell, which does not pass it on.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, WATCH).unref();

try {
  process.exitCode = await serve(readFlags(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Failure || error instanceof BrandApiError)) throw error;
  note(`error: ${error.message}`);
  process.exitCode = error instanceof Failure ? error.exitCode : 1;
}

/** Serves until the server ends, and returns its exit code. */
async function serve(flags: DevFlags): Promise<number> {
  await endOrphans();
  const { dev, d1_databases } = await readConfiguration(flags.env, flags.config);
  // Before anything is created.
  const port = Number(flags.port ?? dev.port);
  await refuseUsedPort(flags.ip ?? dev.ip, port);
  return migrateAndServe(d1_databases, flags);
}

/** Migrates the databases, serves until the server ends, and returns its exit code. */
async function migrateAndServe(
  databases: readonly ConfiguredDatabase[],
  flags: DevFlags,
): Promise<number> {
  for (const { number } of databases) {
    const { code, stdout, stderr } = await migrate(number, flags);
    if (code === 0) continue;
    // Another failure is shown as wrangler shows it.
    await withDatabases(flags, (bindings) => refuseUnknown(bindings, [number], flags)).catch(
      (error: unknown) => {
        if (error instanceof UnknownMigrations) throw error;
      },
    );
    process.stderr.write(stdout + stderr);
    return code;
  }
  const brand = await withDatabases(flags, async (bindings) => {
    const numbers = databases.map(({ number }) => number);
    await refuseUnknown(bindings, numbers, flags);
    return openDemoBrand(bindings.DB, flags.folder);
  });

  const server = startWrangler(
    // Stacks name the functions and lines of the code as it is written.
    ['dev', '--show-interactive-dev-session=false', '--minify=false', ...flags.all],
    process.stdout.isTTY ? { FORCE_COLOR: '1' } : {},
  );
  for (const signal of INTERRUPTIONS) {
    process.on(signal, () => {
      server.kill(signal);
    });
  }
  // Nobody reads what it prints any more.
  process.stdout.once('error', () => {
    server.kill();
  });
  const ended = exitCode(server);
  try {
    await Promise.race([ended, greet(server, flags, brand)]);
  } catch (error) {
    server.kill();
    throw error;
  }
  return ended;
}

/** Applies the migrations to the database with this number. */
function migrate(number: number, { database }: DevFlags): ReturnType<typeof runWrangler> {
  return runWrangler(['d1', 'migrations', 'apply', bindingOf(number), '--local', ...database]);
}

/** @throws UnknownMigrations */
async function refuseUnknown(
  bindings: Env,
  numbers: readonly number[],
  { folder }: DevFlags,
): Promise<void> {
  for (const number of numbers) {
    const database = bindings[bindingOf(number)];
    if (database === undefined) continue;
    await refuseUnknownMigrations(databaseOn(database, 'npm run dev', number), folder);
  }
}

/** Does something with the local databases, while the server does not run. */
async function withDatabases<T>(
  { config, env, folder }: DevFlags,
  work: (bindings: Env) => Promise<T>,
): Promise<T> {
  const { env: bindings, dispose } = await getPlatformProxy<Env>({
    ...(config !== undefined && { configPath: config }),
    ...(env !== undefined && { environment: env }),
    persist: { path: join(folder, 'v3') },
    remoteBindings: false,
  });
  try {
    return await work(bindings);
  } finally {
    await dispose();
  }
}

/** Fills a new demo brand once the server is ready. Then prints how to try the API, after the server's own output. */
async function greet(server: ChildProcess, flags: DevFlags, brand: DemoBrand): Promise<void> {
  const { apiKey, isNew } = brand;
  const hasSaidAll = passOn(server);
  const { ip, port } = await ready(server);
  const isThisMachine = ['127.0.0.1', '0.0.0.0', '[::]', '[::1]'].includes(ip);
  const service = `http://${isThisMachine ? 'localhost' : ip}:${port}`;
  if (isNew) {
    await fillDemoBrand(new BrandClient({ apiKey, baseUrl: service }), flags.folder, brand);
  }
  const end = Date.now() + PATIENCE;
  while (!hasSaidAll() && Date.now() < end) await setTimeout(50, undefined, { ref: false });
  process.stdout.write(
    `
The Brand Integration API serves a demo brand. Its key:

  ${apiKey}

Try:

  curl -H 'Authorization: Bearer ${apiKey}' ${service}/api/brand/v1/products

or the reference page, in a browser:

  ${service}/docs

`,
  );
}

/** Passes the server's output on. Returns whether it has printed that it is ready, and nothing after that for a while. */
function passOn({ stdout, stderr }: ChildProcess): () => boolean {
  let isReady = false;
  let last = 0;
  stderr?.pipe(process.stderr);
  stdout?.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    last = Date.now();
    isReady ||= chunk.includes('Ready on ');
  });
  return () => isReady && Date.now() - last >= SILENCE;
}

/** Waits for wrangler's message that the server is ready. */
function ready(server: ChildProcess): Promise<Ready> {
  return new Promise((resolve) => {
    server.on('message', (message) => {
      if (typeof message !== 'string') return;
      const { success, data } = readyMessage.safeParse(JSON.parse(message));
      if (success) resolve(data);
    });
  });
}

/**
 * Makes sure that a server can listen on a port. wrangler would show a crash of its runtime.
 * @param ip the address, or a name such as `localhost`, of which each address is tried
 * @throws Failure if the port is in use, or may not be used
 */
async function refuseUsedPort(ip: string, port: number): Promise<void> {
  // wrangler knows names that are none here, such as `*`.
  const addresses = await lookup(ip, { all: true }).catch(() => []);
  for (const { address } of addresses) {
    const server = createServer();
    try {
      await once(server.listen(port, address), 'listening');
    } catch (error) {
      // A machine without IPv6 may still have a name for its address.
      if (!(error instanceof Error) || error.message.includes('EADDRNOTAVAIL')) continue;
      throw new Failure(
        `Port ${port} cannot be used (${error.message}). Choose another one: npm run dev -- --port NUMBER`,
      );
    } finally {
      server.close();
    }
  }
}
