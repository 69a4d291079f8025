import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { BrandClient } from '../../../client/src/index.ts';
import { serve } from '../../node/server.ts';
import type { AdminOfSeveral } from '../../node/several-databases.ts';
import { openSeveral, withDatabases } from '../../node/several-databases.ts';
import type { Project } from '../../../tools/test/cloudflare/project.ts';
import { copyProject } from '../../../tools/test/cloudflare/project.ts';

// A brand moves while a client writes and follows. The move is killed, and then given up, or ended by the same command. Each
// single step is in test/exhaustive/moves.test.ts.

let admin: AdminOfSeveral;
let project: Project;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  admin = await openSeveral(3);
  project = await copyProject({});
  const toml = withDatabases(await project.read('wrangler.toml'), 3);
  await project.write('wrangler.toml', toml.replace('command = "npm run -s docs"', ''));
  server = await serve(admin.folder.path, '--config', join(project.folder, 'wrangler.toml'));
});

afterAll(async () => {
  await server.stop();
  await admin.close();
  await project.remove();
});

/** Returns the databases that have products of a brand. */
async function placesOf(brandId: string): Promise<number[]> {
  const text = sql`select 1 from products where brand_id = ${brandId} limit 1`;
  const found = await Promise.all([0, 1, 2].map((number) => admin.open({ number })(text)));
  return found.flatMap(([rows], number) => rows.map(() => number));
}

it('A brand loses nothing that its client has written, although its moves are killed', async () => {
  const { brandId, apiKey } = await admin.json('brand', 'create', 'Mover', '--database', '0');
  const statuses = new Set<number>();
  const { products } = new BrandClient({
    // A move takes longer than most clients wait.
    apiKey: String(apiKey),
    baseUrl: `http://127.0.0.1:${server.port}`,
    tries: 300,
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      statuses.add(response.status);
      return response;
    },
  });
  // More than one page of a copy.
  const long = { title: 'Long', priceCents: 1, description: 'x'.repeat(60_000) };
  const written = new Map<string, number>();
  for (const list of [20, 20].map((count) => Array.from({ length: count }, () => long))) {
    for (const { id } of await products.createMany(list)) written.set(id, 1);
  }

  const over = new AbortController();
  const followed = new Map<string, number>();
  const writing = (async () => {
    for (let [priceCents, token] = [2, '0']; !over.signal.aborted; priceCents++) {
      const { data } = await products.create({ title: 'Written', priceCents });
      written.set(data.id, priceCents);
      for await (const { changed, since } of products.changes({ since: token })) {
        for (const product of changed) followed.set(product.id, product.priceCents);
        token = since;
      }
      await setTimeout(100);
    }
  })();
  const killed = 'node --import ./tools/quick-start.js test/system/databases/killed-admin.ts';
  for (const { program = 'npm run -s admin --', what, code = 0, home } of [
    { program: `${killed} 3`, what: '--to 1', code: 137 },
    { what: '--abort', home: 0 },
    { program: `${killed} 5`, what: '--to 2', code: 137 },
    { what: '--to 2', home: 2 },
    { what: '--to 1', home: 1 },
  ]) {
    const command = `brand move ${String(brandId)} ${what} --persist-to ${admin.folder.path}`;
    const ended = await project.type(`${program} ${command}`);
    expect(ended.code, ended.stderr).toBe(code);
    if (home === undefined) continue;
    await vi.waitFor(async () => {
      expect(await placesOf(String(brandId))).toEqual([home]);
    });
  }
  over.abort();
  await writing;

  const found = new Map<string, number>();
  for await (const { id, priceCents } of products.list()) found.set(id, priceCents);
  expect([found, followed]).toEqual([written, written]);
  expect([...statuses]).toEqual(expect.arrayContaining([503]));
  expect(await admin.json('database', 'check')).toEqual({ brands: [] });
});
