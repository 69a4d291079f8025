import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../common/wrangler/wrangler.ts';
import { sha256 } from '../../src/hash.ts';
import { random } from '../../test/support/random.ts';
import { ADMIN } from '../../test/node/processes.ts';
import { createBrand } from '../src/brand/brands.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';

// brand import of a file with the hashes of keys is killed again and again.

const { numRuns: KILLS } = random(3);

/** How many products of 5 KB the brand has: several calls insert them. */
const PRODUCTS = 1300;

let admin: AdminHere;

beforeAll(async () => {
  admin = await openAdminHere();
});

afterAll(() => admin.close());

it('A brand whose import is killed at any moment is there whole, with its keys, or none of its keys works', async () => {
  const { brandId, apiKey } = await createBrand(admin.database, 'Brand');
  await admin.database.run(
    sql`insert into products (brand_id, id, revision, created_at, updated_at, change_number, title, description, handle, price_cents, currency_code,
          discount_percent, featured, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${PRODUCTS})
        select ${brandId}, printf('01890000-0000-7000-8000-%012d', n), ${brandId}, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z', n, 'P',
          printf('%.5000c', 'x'), 'p', 1, 'USD', 0, 0, '[]', 'OTHER', 0, 'DRAFT', 0, 'API', 'NOT_LINKED' from numbers`,
  );
  const [file, again] = [join(admin.path, 'brand.json'), join(admin.path, 'again.json')];
  await admin.json('brand', 'export', brandId, '--to', file, '--with-key-hashes');
  await admin.json('brand', 'delete', brandId, '--yes');

  const hash = await sha256(apiKey);
  const state = async (): Promise<readonly unknown[]> => {
    const [[row]] = await admin.database.run(
      sql<
        Record<string, unknown>
      >`select exists (select 1 from brands where id = ${brandId}) as is_there,
          (select unfinished from brands where id = ${brandId}) as unfinished,
          (select count(*) from api_keys where hash = ${hash}) as live,
          (select count(*) from products where brand_id = ${brandId}) as products`,
    );
    return [row?.['is_there'], row?.['unfinished'], row?.['live'], row?.['products']];
  };
  const [command, ...first] = ADMIN;
  const words = ['brand', 'import', file, '--persist-to', admin.path];
  let within = 0;
  // On a quick machine, it may be over each time before it is killed.
  for (let n = 0; n < KILLS || (within === 0 && n < 20); n++) {
    const child = spawn(command, [...first, ...words], { cwd: ROOT, stdio: 'ignore' });
    const ended = once(child, 'exit');
    // Beside another runtime that writes, a call may fail.
    const isWriting = (): Promise<boolean> =>
      state().then(
        ([isThere]) => isThere === 1,
        () => true,
      );
    while (child.exitCode === null && !(await isWriting())) await setTimeout(5);
    await setTimeout(Math.random() * 500);
    child.kill(n % 3 === 2 ? 'SIGTERM' : 'SIGKILL');
    await ended;
    const [isThere, unfinished, live, products] = await state();
    if (unfinished === 'import') within++;
    // Whole, or a part that nobody can use.
    if (isThere === 1 && unfinished === null) expect([live, products]).toEqual([1, PRODUCTS]);
    else expect(live).toBe(0);
    if (isThere === 1) await admin.json('brand', 'delete', brandId, '--yes');
  }
  await admin.json('brand', 'import', file);
  expect(await state()).toEqual([1, null, 1, PRODUCTS]);
  await admin.json('brand', 'export', brandId, '--to', again, '--with-key-hashes');
  // The deletions have taken the names out of the audit trail.
  const lines = async (path: string): Promise<string[]> =>
    (await readFile(path, 'utf8'))
      .split('\n')
      .filter((line) => !/exportedAt|checksum|"action"/.test(line));
  expect(await lines(again)).toEqual(await lines(file));
  expect(within).toBeGreaterThan(0);
});
