import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { Product } from '../../src/index.ts';
import { BrandClient } from '../../src/index.ts';
import type { TakenBrand } from '../../../test/node/pool.ts';
import { takeBrand } from '../../../test/node/pool.ts';
import type { TemporaryFolder } from '../../../test/node/processes.ts';
import { temporaryFolder } from '../../../test/node/processes.ts';
import type { Start } from './follow-exec.ts';
import { commandIn } from './follow-exec.ts';
import { all } from '../outcomes.ts';
import { random } from '../../../test/support/random.ts';

// The sample "Both directions": a store in SQLite, a nightly sync, and a follower, with one owner for each field. What becomes of a
// page whose follower or program is killed, command-follow-exec says.

const EXAMPLES = resolve('client/examples/both-directions');

const TABLE = `CREATE TABLE items (
  sku TEXT PRIMARY KEY, title TEXT, description TEXT, price_cents INTEGER, quantity INTEGER)`;

let folder: TemporaryFolder;
let brand: TakenBrand;
let products: BrandClient['products'];
let start: Start;
let store: DatabaseSync;

beforeEach(async () => {
  folder = await temporaryFolder();
  brand = await takeBrand();
  products = new BrandClient(brand).products;
  start = commandIn(folder.path, brand);
  store = new DatabaseSync(join(folder.path, 'store.db'), { timeout: 60_000 });
  store.exec(`PRAGMA journal_mode = WAL; ${TABLE}`);
});

afterEach(async () => {
  store.close();
  await folder.remove();
});

/** Adds an item to the store, or changes what the store owns of it. */
function save(sku: string, price: number): void {
  store
    .prepare(
      `INSERT INTO items VALUES (?, ?, 'of the store', ?, ?)
       ON CONFLICT (sku) DO UPDATE SET price_cents = excluded.price_cents, quantity = excluded.quantity`,
    )
    .run(sku, `Title ${sku}`, price, price % 7);
}

/** Starts the nightly script, in a process group of its own. */
function nightly(): { readonly kill: () => void; readonly done: Promise<number | null> } {
  const child = spawn('sh', [join(EXAMPLES, 'store_to_service.sh'), 'store.db'], {
    cwd: folder.path,
    env: {
      ...process.env,
      BRAND_API_KEY: brand.apiKey,
      BRAND_API_URL: brand.baseUrl,
      TMPDIR: folder.path,
      // The script calls the command by its name. One test has a program of its own.
      PATH: `${folder.path}:${dirname(inject('command'))}:${process.env['PATH'] ?? ''}`,
    },
    stdio: 'ignore',
    detached: true,
  });
  const done = once(child, 'exit').then(() => child.exitCode);
  const kill = (): void => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  };
  return { kill, done };
}

const APPLY = `python3 "${join(EXAMPLES, 'apply_to_store.py')}" store.db`;
const FOLLOW = ['follow', '--state', 'service.json', '--exec', APPLY];

/** Lets both directions end. */
async function settle(): Promise<void> {
  // The script knows the time in seconds: what was changed in this one might be kept.
  await setTimeout(1000);
  expect(await nightly().done).toBe(0);
  const last = start(FOLLOW);
  expect([await last.exit(), last.printed().replace(/^Waiting: .*\n/, '')]).toEqual([0, '']);
}

/** What the store shows, and what the service has of it. */
async function bothSides(): Promise<[shown: object[], service: object[]]> {
  const shown = store.prepare('SELECT * FROM shown_items ORDER BY sku').all();
  const ours = (await all(products.list())).filter(({ source }) => source === 'STORE');
  const bySku = ours.sort((a, b) => ((a.sku ?? '') < (b.sku ?? '') ? -1 : 1));
  return [shown.map((row) => ({ ...row })), bySku.map(shownOf)];
}

function shownOf(product: Product): object {
  const { sku, priceCents, storeInventoryQuantity, title, description, discountPercent } = product;
  return {
    sku,
    price_cents: priceCents,
    quantity: storeInventoryQuantity,
    title,
    description,
    discount_percent: discountPercent,
  };
}

const { numRuns: KILLS } = random(4);

it('Both directions give each field the value of its owner, also if both sides change one', async () => {
  for (const sku of ['A', 'B', 'C']) save(sku, 100);
  await settle();
  const service = new Map((await all(products.list())).map(({ sku, id }) => [sku, id]));
  // Both change both: the title is the service's, the price is the store's.
  await products.update(service.get('A') ?? '', { title: 'Edited', priceCents: 1 });
  save('A', 200);
  store.exec(`UPDATE items SET title = 'Of the store' WHERE sku = 'A'`);
  // The store owns which products there are: B comes back, and C goes.
  await products.delete(service.get('B') ?? '');
  store.exec(`DELETE FROM items WHERE sku = 'C'`);
  // What others have in the service stays.
  await products.create({ sku: 'OTHER', title: 'Other', priceCents: 1 });
  await settle();
  const [shown, theirs] = await bothSides();
  expect(shown).toEqual(theirs);
  expect(shown).toMatchObject([
    { sku: 'A', title: 'Edited', price_cents: 200 },
    { sku: 'B', title: 'Title B', price_cents: 100 },
  ]);
  expect((await all(products.list())).map(({ sku }) => sku)).toContain('OTHER');
});

it('Both directions keep what comes into the service while the store is read', async () => {
  // One of several may be deleted.
  for (const sku of ['A', 'B', 'C']) save(sku, 100);
  expect(await nightly().done).toBe(0);
  // The store is read once it may be.
  const python = join(folder.path, 'python3');
  const wait = 'touch begun; while [ ! -e may-be-read ]; do sleep 0.05; done';
  await writeFile(python, `#!/bin/sh\n${wait}\nPATH="\${PATH#*:}" exec python3 "$@"\n`);
  await chmod(python, 0o755);
  const night = nightly();
  await expect.poll(() => existsSync(join(folder.path, 'begun'))).toBe(true);
  await products.create({ sku: 'NEW', title: 'New', priceCents: 1, source: 'STORE' });
  // The clocks may differ by two seconds.
  await setTimeout(3000);
  await writeFile(join(folder.path, 'may-be-read'), '');
  expect(await night.done).toBe(0);
  expect((await all(products.list())).map(({ sku }) => sku)).toContain('NEW');
});

it('Both directions are equal at the end, after changes on both sides and kills of the nightly script', async () => {
  const skus = Array.from({ length: 300 }, (_, index) => `S-${index}`);
  for (const sku of skus) save(sku, 100);
  await settle();

  const end = new AbortController();
  const one = (list: readonly string[]): string =>
    list[Math.floor(Math.random() * list.length)] ?? '';
  const inService = (async (): Promise<void> => {
    for (let round = 1; !end.signal.aborted; round++) {
      const changed = Array.from({ length: 5 }, () => one(skus));
      await products.push(
        [...new Set(changed)].map((sku) => ({
          sku,
          title: `Edited ${round}`,
          discountPercent: round % 90,
        })),
        { match: 'sku', lenient: true },
      );
      await setTimeout(50);
    }
  })();
  const inStore = (async (): Promise<void> => {
    for (let round = 1; !end.signal.aborted; round++) {
      save(one(skus), 100 + round);
      // Few, so that the guard lets them go.
      if (round % 30 === 0) store.prepare('DELETE FROM items WHERE sku = ?').run(one(skus));
      await setTimeout(30);
    }
  })();
  const follower = start([...FOLLOW, '--every', '0.3']);
  for (let round = 0; round < KILLS; round++) {
    const night = nightly();
    await setTimeout(200 + Math.random() * 800);
    if (round % 2 === 0) night.kill();
    await night.done;
  }
  follower.child.kill('SIGKILL');
  end.abort();
  await Promise.all([inService, inStore]);

  await settle();
  const [shown, service] = await bothSides();
  expect(shown).toEqual(service);
  expect(shown.length).toBeGreaterThan(200);
});
