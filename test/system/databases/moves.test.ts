import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { BrandClient } from '../../../client/src/index.ts';
import type { Measured } from '../../../tools/admin/execute.ts';
import type { OwnServer } from '../../node/server.ts';
import { serve } from '../../node/server.ts';
import type { AdminOfSeveral } from '../../node/several-databases.ts';
import { openSeveral, withDatabases } from '../../node/several-databases.ts';
import type { Project } from '../cloudflare/project.ts';
import { copyProject } from '../cloudflare/project.ts';

// A brand moves while a client writes. The move is killed, and then given up, or ended by the same command. Each single step
// is in test/exhaustive/moves.test.ts. Another brand moves with the command as an operator types it.

let admin: AdminOfSeveral;
let project: Project;
let server: Omit<OwnServer, 'apiKey'>;

beforeAll(async () => {
  admin = await openSeveral(3);
  project = await copyProject({});
  const toml = withDatabases(await project.read('wrangler.toml'), 3);
  await project.write('wrangler.toml', toml.replace('command = "npm run -s docs"', ''));
  const config = ['--config', join(project.folder, 'wrangler.toml')];
  server = await serve(admin.folder.path, ...config);
});

afterAll(async () => {
  await server.stop();
  await admin.close();
  await project.remove();
});

const PROCESS = fileURLToPath(new URL('admin-process.ts', import.meta.url).href);
const asked = z.object({ call: z.int(), number: z.int(), statements: z.array(z.string()) });

/** A command in a process of its own. */
interface Ended {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly stderr: string;
}

/**
 * Runs a command in a process of its own.
 * @param killedAfter how many calls that change something it may make
 */
async function command(words: readonly string[], killedAfter = Infinity): Promise<Ended> {
  const node = ['--import', './tools/quick-start.js', PROCESS, ...words];
  const child = spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let writes = 0;
  child.on('message', (message) => {
    const { call, number, statements } = asked.parse(message);
    const isWrite = statements.some((statement) => !/^\s*(select|with)\b/i.test(statement));
    // A write that fails, as one may while two processes have the database open, kills the command too.
    void run(number, statements, isWrite ? BUSY : ANY).then(
      (results) => {
        if (isWrite) writes += 1;
        if (writes >= killedAfter) child.kill('SIGKILL');
        // It may have ended by itself.
        else child.send({ call, results }, () => undefined);
      },
      () => child.kill('SIGKILL'),
    );
  });
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const stderr = child.stderr === null ? '' : text(child.stderr);
  return { code: await ended, stderr: await stderr };
}

/** Runs a command until it is not killed. */
async function untilEnd(words: readonly string[]): Promise<Ended> {
  for (;;) {
    const ended = await command(words);
    if (ended.code !== null) return ended;
  }
}

/** Failures after which a call is made again: a write that has not begun, and any read. */
const BUSY = /is locked|is busy/;
const ANY = /./;

/** Makes a call as the tool does it: again, while the service writes. */
async function run(
  number: number,
  statements: readonly string[],
  passes = BUSY,
): Promise<Measured['results']> {
  for (;;) {
    try {
      return await database(number)(...statements.map((statement) => sql.raw(statement)));
    } catch (error) {
      if (!passes.test(String(error))) throw error;
      await setTimeout(50);
    }
  }
}

function database(number: number): AdminOfSeveral['execute'] {
  const found = admin.databases[number];
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found;
}

async function create(name: string): Promise<{ brandId: string; apiKey: string }> {
  const { brandId, apiKey } = await admin.json('brand', 'create', name, '--database', '0');
  return { brandId: String(brandId), apiKey: String(apiKey) };
}

/** Returns the databases that have products of a brand. */
async function placesOf(brandId: string): Promise<number[]> {
  const text = `select 1 from products where brand_id = '${brandId}' limit 1`;
  const found = await Promise.all([0, 1, 2].map((number) => run(number, [text], ANY)));
  return [0, 1, 2].filter((number) => found[number]?.[0]?.length === 1);
}

it('A brand loses nothing that its client has written, although its moves are killed', async () => {
  const [{ brandId, apiKey }, other] = [await create('Mover'), await create('Typed')];
  const statuses = new Set<number>();
  const connect = (key: string): BrandClient['products'] =>
    new BrandClient({
      // A move takes longer than most clients wait.
      ...{ apiKey: key, baseUrl: `http://127.0.0.1:${server.port}`, tries: 300 },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        statuses.add(response.status);
        return response;
      },
    }).products;
  const [products, typed] = [connect(apiKey), connect(other.apiKey)];
  // More than one page of a copy.
  const long = { title: 'Long', priceCents: 1, description: 'x'.repeat(60_000) };
  const written = new Map<string, number>();
  for (const list of [20, 20].map((count) => Array.from({ length: count }, () => long))) {
    for (const { id } of await products.createMany(list)) written.set(id, 1);
  }
  await typed.create({ title: 'Typed', priceCents: 1 });
  const place = `--persist-to ${admin.folder.path}`;
  const ended = project.type(`npm run -s admin -- brand move ${other.brandId} --to 1 ${place}`);

  const over = new AbortController();
  const writing = (async () => {
    for (let priceCents = 2; !over.signal.aborted; priceCents++) {
      const { data } = await products.create({ title: 'Written', priceCents });
      written.set(data.id, priceCents);
      await setTimeout(100);
    }
  })();
  const move = ['brand', 'move', brandId];
  for (const { to, killedAfter, then, home } of [
    { to: '1', killedAfter: 3, then: '--abort', home: 0 },
    { to: '2', killedAfter: 5, then: '--to 2', home: 2 },
    { to: '1', killedAfter: Infinity, then: undefined, home: 1 },
  ]) {
    const killed = await command([...move, '--to', to], killedAfter);
    expect(killed.code, killed.stderr).toBe(then === undefined ? 0 : null);
    const after = then === undefined ? killed : await untilEnd([...move, ...then.split(' ')]);
    expect([after.code, await placesOf(brandId)], after.stderr).toEqual([0, [home]]);
  }
  over.abort();
  await writing;

  const found = new Map<string, number>();
  for await (const { id, priceCents } of products.list()) found.set(id, priceCents);
  expect(found).toEqual(written);
  expect([...statuses]).toEqual(expect.arrayContaining([503]));

  const { code, stdout, stderr } = await ended;
  expect([code, stderr], stdout).toEqual([0, expect.stringContaining('Writes were refused for')]);
  expect(await placesOf(other.brandId)).toEqual([1]);
  expect(await admin.json('database', 'check')).toEqual({ brands: [] });
  await typed.create({ title: 'Again', priceCents: 1 });
});
