import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../src/database/open-database.ts';
import { exportBrand } from '../src/export/export.ts';
import { ROOT } from '../../common/wrangler/wrangler.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere, runHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { migratedFolder } from '../../test/node/pool.ts';
import { ADMIN, adminJson, record, records } from '../../test/node/processes.ts';
import { interceptDatabase } from './intercept-database.ts';

/** Columns without a value in every brand that is exported: it is whole, at home, and not being moved. */
const ALWAYS_NULL = ['api_keys.moved_to', 'api_keys.frozen_at', 'brands.unfinished'];

/** Members without the rows whose ids another brand has. A file that was changed has no checksum. */
const NO_ROWS = { keys: [], auditEntries: [], checksum: undefined };

const OTHER = '01890000-0000-7000-8000-0000000000ff';

let admin: AdminHere;
let brandId: string;
let exported: string;
let tables: readonly string[];

const path = (name: string): string => join(admin.path, name);

beforeAll(async () => {
  admin = await openAdminHere();
  const made = await admin.json('brand', 'create', 'Acme; "COMMIT;"');
  brandId = String(made['brandId']);
  await admin.json('brand', 'create', 'Another');
  const limited = await admin.json('key', 'issue', brandId, '--expires-in', '90d');
  await admin.json('key', 'rotate', String(limited['keyId']));
  await admin.json('key', 'revoke', String(made['keyId']));
  await fillBrand(admin.database, brandId);
  await admin.json('brand', 'suspend', brandId, '--reason', 'it leaves');
  const [found] = await admin.database.run(
    sql`select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*' and name <> 'd1_migrations' order by name`,
  );
  // The row of the daily job is of no brand.
  tables = found.map(({ name }) => String(name)).filter((name) => name !== 'daily_job');
  await admin.json('brand', 'export', brandId, '--to', path('first.json'));
  exported = await readFile(path('first.json'), 'utf8');
});

afterAll(() => admin.close());

/** All rows of the brand. Only an import notes that it made them. */
async function rowsOf(table: string, { database }: AdminHere = admin): Promise<readonly Row[]> {
  const owner = sql.raw(table === 'brands' ? 'id' : 'brand_id');
  const order = sql.raw(table === 'api_keys' ? 'id' : '1, 2, 3');
  const [rows] = await database.run(
    sql`select * from ${sql.raw(table)} where ${owner} = ${brandId} order by ${order}`,
  );
  return rows.filter(({ action }) => !String(action).startsWith('brand.import'));
}

it('An export has a value in every column of every table', async () => {
  expect(tables).toEqual(expect.arrayContaining(['products', 'tombstones']));
  const empty: string[] = [];
  for (const table of tables) {
    const rows = await rowsOf(table);
    if (rows.length === 0) empty.push(table);
    const names = Object.keys(rows[0] ?? {});
    const without = names.filter((name) => rows.every((row) => row[name] === null));
    empty.push(...without.map((name) => `${table}.${name}`));
  }
  expect(
    empty.sort(),
    'give them a row or a value in test/support/fields, or in test/node/brand-rows.ts',
  ).toEqual(ALWAYS_NULL.toSorted());
});

it('An export is described by its schema, which describes nothing else', async () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  formats.default(ajv);
  const schema = record(JSON.parse(await readFile('docs/brand-export.schema.json', 'utf8')));
  const valid = ajv.compile(schema);
  const document = record(JSON.parse(exported));
  valid(document);
  expect(valid.errors).toBeNull();
  expect(document).toMatchObject({ profile: { connectionStatus: 'ERROR' } });
  const keys = records(document['keys']);
  expect(valid({ ...document, keys: keys.map((key) => ({ ...key, hash: '' })) })).toBe(false);
  const { checksum, ...required } = document;
  expect(valid({ ...required, checksum: String(checksum).slice(1) })).toBe(false);
  const withHashes = path('with-hashes.json');
  await admin.json('brand', 'export', brandId, '--to', withHashes, '--with-key-hashes');
  valid(JSON.parse(await readFile(withHashes, 'utf8')));
  expect(valid.errors).toBeNull();
  for (const name of [...Object.keys(required), 'more']) {
    const isThere = name in document;
    expect(valid({ ...document, [name]: isThere ? undefined : [] }), name).toBe(false);
  }
});

it('An export holds no hash of a key, and nothing of another brand', async () => {
  const hashes = (await rowsOf('api_keys')).map(({ hash }) => String(hash));
  expect(hashes).toHaveLength(3);
  for (const hash of hashes) expect(exported).not.toContain(hash);
  expect(exported).not.toContain('Another');
});

it('An export is a file that only its owner can read, and overwrites none', async () => {
  expect((await stat(path('first.json'))).mode & 0o777).toBe(0o600);
  const { code, stderr } = await admin.run('brand', 'export', brandId, '--to', path('first.json'));
  expect(code).toBe(1);
  expect(stderr).toContain('is not overwritten');
  expect(await readFile(path('first.json'), 'utf8')).toBe(exported);
});

it.each([
  ['of no brand', () => [OTHER, '--to', path('none.json')]],
  ['to no folder', () => [brandId, '--to', path('nowhere/none.json')]],
])('An export that cannot be made leaves no file: %s', async (_, words) => {
  const { code, stderr } = await admin.run('brand', 'export', ...words());
  expect([code, stderr]).toEqual([1, expect.stringContaining('error: ')]);
  expect(await readdir(admin.path)).not.toContain('none.json');
});

describe('a brand of several pages', () => {
  const ROWS = 6000;
  let large: string;

  beforeAll(async () => {
    large = String((await admin.json('brand', 'create', 'Large'))['brandId']);
    await admin.database.run(
      sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
        select ${large}, iif(n % 2, 'products', 'coupon-codes'), n, ${large}, '2026-01-31T09:30:00.000Z' from numbers`,
      sql`insert into products (brand_id, id, revision, created_at, updated_at, change_number, title, description, handle, price_cents, currency_code,
          discount_percent, featured, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 150)
        select ${large}, printf('01890000-0000-7000-8000-%012d', n), ${large}, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z', n, 'P',
          printf('%.60000c', 'x'), 'p', 1, 'USD', 0, 0, '[]', 'OTHER', 0, 'DRAFT', 0, 'API', 'NOT_LINKED' from numbers`,
    );
  });

  it('A brand of several pages is read in bounded pieces, and has each row once, in order', async () => {
    const sizes: number[] = [];
    const database = interceptDatabase(admin.database, async (call) => {
      const results = await call();
      sizes.push(...results.map((rows) => JSON.stringify(rows).length));
      return results;
    });
    const { counts, pieces } = await exportBrand(database, large);
    let [whole, done] = ['', 0];
    for await (const { text, rows } of pieces) {
      whole += text;
      done += rows;
    }
    // The progress bar ends where it says that it ends.
    expect(done).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0));
    expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024);
    const document = record(JSON.parse(whole));
    const odd = Array.from({ length: ROWS / 2 }, (_, n) => 2 * n + 1);
    const numbers = records(document['deletions']).map(({ changeNumber }) => changeNumber);
    expect(numbers).toEqual([...odd.map((n) => n + 1), ...odd]);
    expect(new Set(records(document['products']).map(({ id }) => id)).size).toBe(150);
  });

  it.each<[string, SQL]>([
    ['a product', sql`delete from products where change_number = 1`],
    ['its state', sql`update brands set suspended_at = created_at where brand_name = 'Large'`],
    ['its profile', sql`update brands set revision = ${OTHER} where brand_name = 'Large'`],
  ])('A brand of several pages is not written if it changes meanwhile: %s', async (_, change) => {
    let calls = 0;
    const database = interceptDatabase(admin.database, async (call) => {
      if (++calls === 2) await admin.database.run(change);
      return call();
    });
    const words = ['brand', 'export', large, '--to', path('changed.json')];
    const { code, stderr } = await runHere(words, () => database);
    expect([code, stderr]).toEqual([1, expect.stringContaining('changed while it was exported')]);
    expect(await readdir(admin.path)).not.toContain('changed.json');
  });
});

it('An imported brand is the same in an empty database, byte for byte, if wrangler exports it', async () => {
  const other = await migratedFolder();
  const there = await openAdminHere(other.path);
  const made = await there.json('brand', 'import', path('first.json'));
  expect(made).toMatchObject({ brandId, brandName: 'Acme; "COMMIT;"' });
  const withoutHash = (row: Row): Row => ({ ...row, hash: null });
  for (const table of tables) {
    const rows = (await rowsOf(table, there)).map(withoutHash);
    expect(rows, table).toEqual((await rowsOf(table)).map(withoutHash));
  }
  const [left] = await there.database.run(
    sql`select name from sqlite_master where name glob 'pieces*'`,
  );
  expect(left).toEqual([]);
  await there.close();
  await adminJson(other.path, 'brand', 'export', brandId, '--to', path('second.json'));
  expect(await readFile(path('second.json'), 'utf8')).toBe(exported);
  await other.remove();
});

it('An imported brand keeps its audit trail where it was deleted', async () => {
  const again = await admin.run('brand', 'import', path('first.json'));
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('nothing was imported');
  await admin.json('brand', 'delete', brandId, '--yes');
  await admin.json('brand', 'import', path('first.json'));
  const { entries } = await admin.json('audit', '--brand', brandId);
  const actions = records(entries).map(({ action }) => action);
  expect(actions.slice(-5)).toEqual([
    'brand.suspend',
    'brand.delete.begin',
    'brand.delete.done',
    'brand.import.begin',
    'brand.import.done',
  ]);
});

it('An imported brand has keys that nobody can use, until they are rotated', async () => {
  const { keys } = await admin.json('key', 'list', brandId);
  const statuses = records(keys).map(({ status }) => status);
  expect(statuses).toEqual(['revoked', 'imported', 'imported']);
  expect(await admin.json('brand', 'show', brandId)).toMatchObject({ liveKeys: 0, keys: 3 });
  const { stdout } = await admin.run('key', 'list', brandId);
  expect(stdout).toContain('imported: rotate it');
  const rotated = await admin.json('key', 'rotate', '--brand', brandId);
  const live = await admin.json('key', 'list', brandId, '--live');
  const keyIds = [rotated, live].map((list) => records(list['keys']).map(({ keyId }) => keyId));
  expect(keyIds[0]).toHaveLength(1);
  expect(keyIds[1]).toEqual(keyIds[0]);
});

it('An imported brand may come through a pipe, which can be read only once', async () => {
  const pipe = path('pipe');
  execFileSync('mkfifo', [pipe]);
  const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
  const text = JSON.stringify({ ...document, ...NO_ROWS });
  const [made] = await Promise.all([
    admin.json('brand', 'import', pipe),
    writeFile(pipe, text.padEnd(2_000_000)),
  ]);
  expect(made).toMatchObject({ brandId: OTHER, counts: { products: 2 } });
  await admin.json('brand', 'delete', OTHER, '--yes');
});

it('An import starts again after it broke off, once the brand is deleted', async () => {
  const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
  const [code] = records(document['couponCodes']);
  const id = '01890000-0000-7000-8000-00000000aaaa';
  const couponCodes = [code, { ...code, id, code: 'SAVE10', changeNumber: 4 }];
  const file = path('doubled.json');
  await writeFile(file, JSON.stringify({ ...document, ...NO_ROWS, couponCodes }));
  const refused = await admin.run('brand', 'import', file);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`partly imported. Delete it with brand delete ${OTHER}`);
  expect(refused.stderr).toContain('Look at couponCodes in the file.');
  // Neither the export nor a key takes the part that is there for the brand.
  await expectPart('partly imported', ['brand', 'export', OTHER, '--to', path('part.json')]);
  await expectPart('partly imported', ['key', 'issue', OTHER]);
  await expectPart('partly imported', ['key', 'rotate', '--brand', OTHER]);
  const part = { brandId: OTHER, unfinished: 'import' };
  expect(await admin.json('brand', 'show', OTHER)).toMatchObject(part);
  const { brands } = await admin.json('brand', 'list', '--limit', '50');
  expect(records(brands)).toContainEqual(expect.objectContaining(part));
  for (const words of [['list'], ['show', OTHER]]) {
    expect((await admin.run('brand', ...words)).stdout).toContain('import unfinished');
  }
  const again = await admin.run('brand', 'import', file);
  expect(again.stderr).toContain('If an import of it broke off, delete it first');
  await admin.json('brand', 'delete', OTHER, '--yes');
  // A document of one line, in another order.
  const { format, profile, ...rest } = document;
  await writeFile(file, JSON.stringify({ ...rest, ...NO_ROWS, profile, format }));
  expect(await admin.json('brand', 'import', file)).toMatchObject({ brandId: OTHER });
  await admin.json('brand', 'delete', OTHER, '--yes');
});

/** Expects that a command refuses a brand of which a part is there, and names the command that goes on. */
async function expectPart(part: string, words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await admin.run(...words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(part);
  expect(stderr).toContain(`brand delete ${OTHER}`);
}

const withProducts = (...changes: readonly object[]): string => {
  const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
  const [product] = records(document['products']);
  const products = changes.map((change) => ({ ...product, ...change }));
  return JSON.stringify({ ...document, products });
};
const withProduct = (change: object): string => withProducts(change);

it.each<[string, () => string, string]>([
  ['it is empty', () => '', 'is incomplete: export the brand again.'],
  ['it is a list', () => '[]', 'no JSON object'],
  ['it is an empty object', () => '{}', 'no export of a brand'],
  ['a list is missing', () => exported.replace('"products"', '"keys"'), "property 'products'"],
  ['it is cut', () => exported.slice(0, -3), 'is incomplete: export the brand again.'],
  ['it goes on', () => `${exported}{}`, 'after JSON'],
  ['it is cut behind a row', () => exported.slice(0, exported.indexOf('}') + 1), 'is incomplete'],
  [
    'it is cut within a text',
    () => exported.slice(0, exported.indexOf('"title"') + 4),
    'is incomplete',
  ],
  ['it is not JSON', () => exported.replace('\n  ],', ',\n  ],'), 'cannot be read'],
  ['it is of another version', () => exported.replace('export-1', 'export-2'), 'in the format'],
  ['it has another member', () => exported.replace('{', '{"more": [],'), 'must NOT have'],
  [
    'a value is in the place of a list',
    () => exported.replace(/"deletions": \[[^\]]*\]/, '"deletions": 1'),
    'deletions: must be array',
  ],
  ['a column is unknown', () => withProduct({ more: 1 }), 'products.0: must NOT have'],
  ['a value breaks a rule', () => withProduct({ priceCents: -1 }), 'priceCents: must be >= 0'],
  ['it has no id', () => withProduct({ id: "x' or 1=1" }), 'products.0.id: must match'],
  ['it has no day', () => withProduct({ createdAt: '2026-02-30T09:30:00.000Z' }), 'date-time'],
  [
    'a text is not in NFC',
    () => withProduct({ sku: 'e\u0301' }),
    'products.0.sku: must be stored as',
  ],
  ['a text is half a character', () => withProduct({ description: '\ud83e' }), 'well-formed'],
  ['a text is not trimmed', () => withProduct({ title: ' Rope' }), 'products.0.title'],
  [
    'two resources have one number',
    () => withProducts({}, { id: OTHER }),
    'products.1.changeNumber: products.0 has the same',
  ],
  ['a number is too large', () => withProduct({ changeNumber: 2 ** 53 }), 'must be <='],
  [
    'a detail is deep',
    () => exported.replace('"details":{', `"details":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)},`),
    'details.a: must be string,integer,null',
  ],
  [
    'a key of a suspended brand is live',
    () => exported.replace(/(?<="keys": \[\n.*"suspendedAt":)"[^"]*"/, 'null'),
    'keys.0.suspendedAt: must be that of the profile',
  ],
  ['it has another id', () => exported.replaceAll(brandId, OTHER), 'is not as it was exported'],
])('A file that is no export changes nothing: %s', async (_, content, said) => {
  const file = path('bad.json');
  await writeFile(file, content());
  const before = await admin.json('audit');
  const { code, stderr } = await admin.run('brand', 'import', file);
  expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
  expect(await admin.json('audit')).toEqual(before);
});

it('A file that does not exist changes nothing', async () => {
  const { code, stderr } = await admin.run('brand', 'import', path('nothing.json'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('there is no such file')]);
});

it('An export leaves no file after a signal', async () => {
  const { brands } = await admin.json('brand', 'list', '--search', 'Large');
  const large = String(records(brands)[0]?.['brandId']);
  const [command, ...first] = ADMIN;
  const to = ['--to', path('stopped.json'), '--persist-to', admin.path];
  const child = spawn(command, [...first, 'brand', 'export', large, ...to], { cwd: ROOT });
  const output = text(child.stderr);
  const ended = once(child, 'exit');
  // Further pages take wrangler seconds.
  await expect
    .poll(() => readdir(admin.path), { timeout: 120_000, interval: 10 })
    .toContain('stopped.json');
  child.kill('SIGTERM');
  expect(await ended).toEqual([143, null]);
  expect(await output).toContain('error: Stopped. No file was written.');
  expect(await readdir(admin.path)).not.toContain('stopped.json');
});
