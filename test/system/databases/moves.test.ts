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

// A brand moves again and again while its clients write and follow. Its move is killed after each of its steps, and then
// ended by the same command, or given up. Another brand moves with the command as an operator types it.

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
  const places: number[] = [];
  for (const number of [0, 1, 2]) {
    const text = `select 1 from products where brand_id = '${brandId}' limit 1`;
    const [rows = []] = await run(number, [text], ANY);
    if (rows.length > 0) places.push(number);
  }
  return places;
}

/** The clients of one brand, and what the service has acknowledged to them. */
class Clients {
  /** The prices of products by their ids. */
  readonly acknowledged = new Map<string, number>();
  readonly followers = [new Map<string, number>(), new Map<string, number>()];
  readonly statuses = new Set<number>();
  isOver = false;
  isSettled = false;

  connect(apiKey: string): BrandClient {
    return new BrandClient({
      // A move takes longer than most clients wait.
      ...{ apiKey, baseUrl: `http://127.0.0.1:${server.port}`, tries: 300 },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        this.statuses.add(response.status);
        return response;
      },
    });
  }

  async write({ products }: BrandClient): Promise<void> {
    for (let n = 1; !this.isOver; n++) {
      const { data } = await products.create({ title: 'Written', priceCents: n });
      this.acknowledged.set(data.id, n);
      if (n % 3 === 0) {
        await products.update(data.id, { priceCents: n + 1 });
        this.acknowledged.set(data.id, n + 1);
      }
      if (n % 4 === 0) {
        await products.delete(data.id);
        this.acknowledged.delete(data.id);
      }
      await setTimeout(100);
    }
  }

  async follow({ products }: BrandClient, copy: Map<string, number>): Promise<void> {
    let since = '0';
    for (let isLast = false; !isLast;) {
      isLast = this.isSettled;
      for await (const page of products.changes({ since })) {
        for (const { id, priceCents } of page.changed) copy.set(id, priceCents);
        for (const id of page.deleted) copy.delete(id);
        ({ since } = page);
      }
      await setTimeout(200);
    }
  }
}

it('A brand that moves loses nothing that was acknowledged, however often its move is killed', async () => {
  const { brandId, apiKey } = await create('Mover');
  const revoked = await admin.json('key', 'issue', brandId);
  await admin.json('key', 'revoke', String(revoked['keyId']));
  const clients = new Clients();
  const client = clients.connect(apiKey);
  // More than one page of a copy.
  const long = { title: 'Long', priceCents: 1, description: 'x'.repeat(60_000) };
  for (const list of [20, 20].map((count) => Array.from({ length: count }, () => long))) {
    for (const { id } of await client.products.createMany(list)) clients.acknowledged.set(id, 1);
  }
  const other = await create('Typed');
  await clients.connect(other.apiKey).products.create({ title: 'Typed', priceCents: 1 });
  const [first = ''] = clients.acknowledged.keys();
  const place = `--persist-to ${admin.folder.path}`;
  const typed = project.type(`npm run -s admin -- brand move ${other.brandId} --to 1 ${place}`);

  const keys = [apiKey, String((await admin.json('key', 'issue', brandId))['apiKey'])];
  const writers = Promise.all(keys.map((key) => clients.write(clients.connect(key))));
  const following = Promise.all(
    clients.followers.map((copy) => clients.follow(clients.connect(apiKey), copy)),
  );

  let home = 0;
  const ends: string[] = [];
  for (let step = 1; !ends.includes('never killed'); step++) {
    const to = (home + 1) % 3;
    const move = ['brand', 'move', brandId, '--to', String(to)];
    // Each single step is in test/exhaustive/moves.test.ts.
    const killed = await command(move, 2 * step - 1);
    if (killed.code === 0) ends.push('never killed');
    else {
      expect(killed.code, killed.stderr).toBe(null);
      const abort = await (step % 2 === 0
        ? untilEnd(['brand', 'move', brandId, '--abort'])
        : undefined);
      if (abort?.code !== 0) {
        const again = await untilEnd(move);
        expect(again.code, again.stderr).toBe(0);
      }
      ends.push(abort === undefined ? 'again' : abort.code === 0 ? 'given up' : 'too late');
    }
    if (ends.at(-1) !== 'given up') home = to;
    expect([step, await placesOf(brandId)]).toEqual([step, [home]]);
    const refused = clients.connect(String(revoked['apiKey'])).getProfile();
    await expect(refused).rejects.toMatchObject({ status: 401 });
    await client.products.update(first, { featured: step % 2 === 0 });
  }
  clients.isOver = true;
  await writers;
  clients.isSettled = true;
  await following;

  expect(ends).toEqual(expect.arrayContaining(['again', 'given up', 'never killed']));
  const found = new Map<string, number>();
  for await (const { id, priceCents } of client.products.list()) found.set(id, priceCents);
  expect(found).toEqual(clients.acknowledged);
  for (const copy of clients.followers) expect(copy).toEqual(found);
  expect([...clients.statuses]).toEqual(expect.arrayContaining([503]));

  const { code, stdout, stderr } = await typed;
  expect([code, stderr], stdout).toEqual([0, expect.stringContaining('Writes were refused for')]);
  expect(await placesOf(other.brandId)).toEqual([1]);
  expect(await admin.json('database', 'check')).toEqual({ brands: [] });
  await clients.connect(other.apiKey).products.create({ title: 'Again', priceCents: 1 });
});
