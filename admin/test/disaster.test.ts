import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Product } from '../../client/src/index.ts';
import { BrandClient } from '../../client/src/index.ts';
import type { TemporaryFolder } from '../../test/node/processes.ts';
import { record, records, temporaryFolder } from '../../test/node/processes.ts';
import { runHere } from './admin-here.ts';
import { interceptDatabase } from './intercept-database.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';

// All databases are lost. Copies of the brands, with the hashes of their keys, are all that is left.

let admin: AdminOfSeveral;
let copies: TemporaryFolder;

beforeAll(async () => {
  admin = await openSeveral(2, true);
  copies = await temporaryFolder();
});

afterAll(async () => {
  await admin.close();
  await copies.remove();
});

const made = z.object({ brandId: z.string(), keyId: z.string(), apiKey: z.string() });
type Made = z.infer<typeof made>;

/** What an integration has: its key, its copy of the products, and its place in their changes. */
interface Integration extends Made {
  readonly client: BrandClient;
  readonly products: Map<string, Product>;
  since: string;
}

/** The address of the service changes with the databases: the client does not know it. */
function clientOf(apiKey: string): BrandClient {
  const service = 'https://api.example';
  return new BrandClient({
    baseUrl: service,
    apiKey,
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      return fetch(new URL(pathname + search, admin.url), init);
    },
  });
}

async function create(name: string, database: number): Promise<Integration> {
  const words = ['brand', 'create', name, '--database', String(database)];
  const brand = made.parse(await admin.json(...words));
  return { ...brand, client: clientOf(brand.apiKey), products: new Map(), since: '0' };
}

/** Follows the changes of the products to their end. */
async function follow(one: Integration): Promise<void> {
  for await (const page of one.client.products.changes({ since: one.since })) {
    for (const product of page.changed) one.products.set(product.id, product);
    for (const id of page.deleted) one.products.delete(id);
    one.since = page.since;
  }
}

async function listed({ client }: Integration): Promise<Product[]> {
  const all: Product[] = [];
  for await (const product of client.products.list()) all.push(product);
  return all;
}

const file = ({ brandId }: Made): string => join(copies.path, `${brandId}.json`);

async function copyAll(...words: readonly string[]): Promise<Record<string, unknown>> {
  return admin.json('brand', 'export', '--all', '--to', copies.path, ...words);
}

const statusOf = async (apiKey: string): Promise<number> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return (await fetch(new URL('/api/brand/v1/products', admin.url), { headers })).status;
};

it('After a disaster, the same clients with the same keys go on', async () => {
  const home = await create('Home', 0);
  const other = await create('Other', 1);
  const moved = await create('Moved', 0);
  const all = [home, other, moved];
  for (const one of all) {
    await one.client.products.create({ title: 'Rope', priceCents: 100 });
    await one.client.products.create({ title: 'Soap', priceCents: 200 });
    await follow(one);
  }
  await admin.json('brand', 'move', moved.brandId, '--to', '1');
  const issue = async (...words: string[]): Promise<Made> =>
    made.parse(await admin.json('key', 'issue', home.brandId, ...words));
  const reading = await issue('--scope', 'read', '--label', 'report', '--expires-in', '90d');
  const revoked = await issue('--label', 'leaked');
  await admin.json('key', 'revoke', revoked.keyId);
  const paused = await create('Paused', 0);
  await admin.json('brand', 'suspend', paused.brandId);
  const keysBefore = records((await admin.json('key', 'list', home.brandId))['keys']);

  expect(await copyAll('--with-key-hashes')).toMatchObject({ exported: 4, failed: [] });
  const { exportedAt, keys } = record(JSON.parse(await readFile(file(home), 'utf8')));
  const hash = createHash('sha256').update(home.apiKey).digest('hex');
  expect(records(keys).map((key) => key['hash'])).toContain(hash);
  expect(exportedAt).toMatch(/^20.*Z$/);
  const before = new Map<string, Product[]>();
  for (const one of all) before.set(one.brandId, await listed(one));
  // After the copy: lost, like a revocation.
  await home.client.products.create({ title: 'Late', priceCents: 300 });
  await follow(home);

  await admin.close();
  admin = await openSeveral(2, true);
  expect(await Promise.all(all.map(({ apiKey }) => statusOf(apiKey)))).toEqual([401, 401, 401]);
  // The one of database 1 comes into database 0, and the one that was moved to 1 comes there again.
  for (const [one, to] of [
    [home, 0],
    [other, 0],
    [moved, 1],
    [paused, 0],
  ] as const) {
    const words = ['brand', 'import', file(one), '--database', String(to)];
    const { code, stderr } = await admin.run(...words);
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/Its keys work again\. The file is of 20.*Z: what was revoked/);
  }

  for (const one of all) {
    expect(await listed(one)).toEqual(before.get(one.brandId));
    const [product] = before.get(one.brandId) ?? [];
    const { data } = await one.client.products.update(product?.id ?? '', { title: 'New rope' });
    expect(data.title).toBe('New rope');
  }
  expect(await statusOf(reading.apiKey)).toBe(200);
  await expect(
    clientOf(reading.apiKey).products.create({ title: 'x', priceCents: 1 }),
  ).rejects.toMatchObject({ code: 'read-only-key' });
  expect([await statusOf(revoked.apiKey), await statusOf(paused.apiKey)]).toEqual([401, 403]);
  const keysAfter = records((await admin.json('key', 'list', home.brandId))['keys']);
  expect(keysAfter).toEqual(keysBefore);
  expect(records((await admin.json('database', 'check'))['brands'])).toEqual([]);

  // The tokens are of changes that are lost. Once they are reset, each follower loads everything again.
  await admin.json('tokens', 'reset', '--all', '--yes');
  for (const one of all) {
    await expect(follow(one)).rejects.toMatchObject({ code: 'token-gone' });
    one.products.clear();
    one.since = '0';
    await follow(one);
    expect([...one.products.values()]).toEqual(expect.arrayContaining(await listed(one)));
    expect(one.products.size).toBe(2);
  }
  // What leads a key is deleted with the brand, and so is its file.
  await rm(file(other));
  await admin.json('brand', 'delete', other.brandId, '--yes');
  expect(await statusOf(other.apiKey)).toBe(401);
  for (const number of [0, 1]) {
    const [left] = await admin
      .open({ number })
      .run(sql`select id from api_keys where brand_id = ${other.brandId}`);
    expect(left).toEqual([]);
  }
});

it('A file without hashes counts as changed, and so does one with them that must have none', async () => {
  expect(await copyAll('--with-key-hashes')).toMatchObject({ unchanged: 0 });
  expect(await copyAll('--with-key-hashes')).toMatchObject({ exported: 0 });
  expect(await copyAll()).toMatchObject({ unchanged: 0 });
  const names = (await readdir(copies.path)).filter((name) => name.endsWith('.json'));
  for (const name of names) {
    expect(await readFile(join(copies.path, name), 'utf8')).not.toMatch(/"hash"|exportedAt/);
  }
});

it('An import says which keys work again: one that was once imported without its hash does not', async () => {
  const brand = await create('Twice', 0);
  const path = join(copies.path, 'twice.json');
  const imported = async (...words: string[]): Promise<string> => {
    await rm(path, { force: true });
    await admin.json('brand', 'export', brand.brandId, '--to', path, ...words);
    await admin.json('brand', 'delete', brand.brandId, '--yes');
    const { code, stderr } = await admin.run('brand', 'import', path);
    expect(code, stderr).toBe(0);
    return stderr;
  };
  const none = 'Its keys do not work, because the file has no hashes of them.';
  expect(await imported()).toContain(none);
  const empty = await imported('--with-key-hashes');
  expect(empty).toContain(none);
  expect(empty).not.toContain('work again');
  const { apiKey } = made.parse(await admin.json('key', 'issue', brand.brandId));
  const said = await imported('--with-key-hashes');
  expect(said).toMatch(
    /^1 of its 2 keys work again\. The file is of .*\nThe others do not, because/m,
  );
  expect([await statusOf(apiKey), await statusOf(brand.apiKey)]).toEqual([200, 401]);
  await admin.json('brand', 'delete', brand.brandId, '--yes');
});

it('No key of a brand works until all of the brand is there', async () => {
  const brand = await create('Whole', 1);
  for (let n = 0; n < 3; n++) await brand.client.products.create({ title: 'Rope', priceCents: n });
  const path = join(copies.path, 'whole.json');
  await admin.json('brand', 'export', brand.brandId, '--to', path, '--with-key-hashes');
  await admin.json('brand', 'delete', brand.brandId, '--yes');
  const statuses: number[] = [];
  const { code, stderr } = await runHere(
    ['brand', 'import', path, '--database', '0'],
    (target) =>
      interceptDatabase(admin.open(target), async (call) => {
        statuses.push(await statusOf(brand.apiKey));
        return call();
      }),
    admin.configuration,
  );
  expect(code, stderr).toBe(0);
  expect(statuses.length).toBeGreaterThan(4);
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(await listed(brand)).toHaveLength(3);
  await admin.json('brand', 'delete', brand.brandId, '--yes');
});

it.each(['before', 'after'])(
  'An import into another database that ends at any call can be deleted, and made again: %s it',
  async (moment) => {
    const brand = await create('Ended', 1);
    await brand.client.products.create({ title: 'Rope', priceCents: 1 });
    const path = join(copies.path, `ended-${moment}.json`);
    await admin.json('brand', 'export', brand.brandId, '--to', path, '--with-key-hashes');
    await admin.json('brand', 'delete', brand.brandId, '--yes');
    const words = ['brand', 'import', path, '--database', '0'];
    let ends = 0;
    for (let isEnded = true; isEnded; ends++) {
      let calls = 0;
      const ended = runHere(
        words,
        (target) =>
          interceptDatabase(admin.open(target), async (call) => {
            if (calls++ !== ends) return call();
            if (moment === 'after') await call();
            throw new Error('Killed.');
          }),
        admin.configuration,
      );
      isEnded = await ended.then(
        ({ stderr }) => stderr.includes('Killed.'),
        () => true,
      );
      const isWhole = (await statusOf(brand.apiKey)) === 200;
      if (isWhole) expect(await listed(brand)).toHaveLength(1);
      if (!isEnded) expect(isWhole).toBe(true);
      await admin.run('brand', 'delete', brand.brandId, '--yes');
      expect(await statusOf(brand.apiKey)).toBe(401);
    }
    expect(ends).toBeGreaterThan(6);
    const again = await admin.run(...words);
    expect([again.code, await statusOf(brand.apiKey)]).toEqual([0, 200]);
    await admin.json('brand', 'delete', brand.brandId, '--yes');
  },
);

it('Keys that another brand has are refused, in any database, and keys that lead nowhere', async () => {
  const owner = await create('Owner', 1);
  const path = join(copies.path, 'owner.json');
  await admin.json('brand', 'export', owner.brandId, '--to', path, '--with-key-hashes');
  // A file that was changed has no checksum.
  const text = (await readFile(path, 'utf8')).replace(/,\s*"checksum": "\w+"/, '');
  const otherId = owner.brandId.replace(/.{4}$/, 'ffff');
  const refused = async (changed: string, says: string): Promise<void> => {
    await writeFile(path, changed);
    const { code, stderr } = await admin.run('brand', 'import', path, '--database', '0');
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(await statusOf(owner.apiKey)).toBe(200);
  };
  await refused(
    text.replaceAll(owner.brandId, otherId),
    `Another brand has the key ${owner.keyId} of this file, so nothing was imported.`,
  );
  await refused(text, `The brand ${owner.brandId} exists`);
  await admin.json('brand', 'delete', owner.brandId, '--yes');
  await writeFile(path, text.replaceAll('"bik_z01', '"bik_z0K'));
  const { code, stderr } = await admin.run('brand', 'import', path);
  expect([code, stderr]).toEqual([1, expect.stringContaining('names database 20, which')]);
});
