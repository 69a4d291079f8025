import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../common/wrangler/wrangler.ts';
import { random } from '../../test/support/random.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { ADMIN, record } from '../../test/node/processes.ts';
import { createBrand } from '../src/brand/brands.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';

// brand export --all is killed again and again, while brands change.

const { numRuns: KILLS } = random(2);

const BRANDS = 12;
/** How many products of 5 KB each brand has. */
const PRODUCTS = 100;

let folder: TemporaryFolder;
let admin: AdminHere;
const brands: string[] = [];

beforeAll(async () => {
  folder = await migratedFolder();
  admin = await openAdminHere(folder.path);
  for (let n = 0; n < BRANDS; n++) {
    const { brandId } = await createBrand(admin.database, `Brand ${n}`);
    await admin.database.run(
      sql`insert into products (brand_id, id, revision, created_at, updated_at, change_number, title, description, handle, price_cents, currency_code,
          discount_percent, featured, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${PRODUCTS})
        select ${brandId}, printf('01890000-0000-7000-8000-%012d', n), ${brandId}, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z', n, 'P',
          printf('%.5000c', 'x'), 'p', 1, 'USD', 0, 0, '[]', 'OTHER', 0, 'DRAFT', 0, 'API', 'NOT_LINKED' from numbers`,
    );
    brands.push(brandId);
  }
});

afterAll(async () => {
  await admin.close();
  await folder.remove();
});

const to = (): string => join(folder.path, 'copies');

/** The whole files, by their brands. */
async function wholeFiles(): Promise<Map<string, Record<string, unknown>>> {
  const names = (await readdir(to()).catch(() => [])).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(to(), name), 'utf8')));
  return new Map(
    names.map((name, index) => [name.replace('.json', ''), record(JSON.parse(texts[index] ?? ''))]),
  );
}

/** Starts the command, and kills it a moment after it has begun to write. */
async function killOne(after: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<boolean> {
  const [command, ...first] = ADMIN;
  const words = ['brand', 'export', '--all', '--to', to(), '--persist-to', folder.path];
  const child = spawn(command, [...first, ...words], { cwd: ROOT, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const before = new Set(await readdir(to()).catch(() => []));
  const isWriting = async (): Promise<boolean> => {
    const names = await readdir(to()).catch(() => []);
    return names.some((name) => name.endsWith('.new') && !before.has(name));
  };
  while (child.exitCode === null && !(await isWriting())) await setTimeout(2);
  await setTimeout(after);
  const isKilled = child.exitCode === null && child.kill(signal);
  await ended;
  return isKilled;
}

it('A copy that is killed at any moment goes on, with each brand whole and once', async () => {
  let killed = 0;
  // On a quick machine, it may be over each time before it is killed.
  for (let n = 0; n < KILLS || (killed === 0 && n < 20); n++) {
    // Some have changed since they were written, so there is something to do each time.
    for (let one = 0; one < 8; one++) {
      const brandId = brands[Math.floor(Math.random() * BRANDS)] ?? '';
      await admin.database.run(
        sql`update products set title = ${`P${n}`}, change_number = (select max(change_number) + 1 from products where brand_id = ${brandId})
          where brand_id = ${brandId} and id like '%000000000001'`,
      );
    }
    if (await killOne(Math.random() * 150, n % 2 === 1 ? 'SIGTERM' : 'SIGKILL')) killed++;
    for (const [brandId, { profile, products }] of await wholeFiles()) {
      expect(record(profile)['id']).toBe(brandId);
      expect(products).toHaveLength(PRODUCTS);
    }
  }
  const { exported, unchanged } = await admin.json('brand', 'export', '--all', '--to', to());
  expect(Number(exported) + Number(unchanged)).toBe(BRANDS);
  const files = await wholeFiles();
  expect([...files.keys()].sort()).toEqual(brands.toSorted());
  for (const brandId of brands) {
    const one = join(folder.path, `${brandId}.json`);
    await admin.json('brand', 'export', brandId, '--to', one);
    expect(files.get(brandId)).toEqual(JSON.parse(await readFile(one, 'utf8')));
  }
  expect((await readdir(to())).filter((name) => name.endsWith('.new'))).toEqual([]);
  expect(killed).toBeGreaterThan(0);
});
