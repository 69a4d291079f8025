import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../tools/admin/execute.ts';
import type { Execute } from '../../tools/admin/execute.ts';
import { exportBrand } from '../../tools/admin/export/export.ts';
import type { Item } from '../../tools/admin/export/items.ts';
import { itemsOf } from '../../tools/admin/export/items.ts';
import { ROOT } from '../../tools/wrangler.ts';
import type { AdminHere } from './admin-here.ts';
import { openAdminHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { migratedFolder } from './pool.ts';
import type { TemporaryFolder } from './processes.ts';
import { AdminTool, record, records, scriptWords } from './processes.ts';
import { around } from '../support/around.ts';

const SCHEMA = 'docs/brand-export.schema.json';

/** What an export leaves out: the hashes, where the brand is, and what all its rows have. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['hash', 'moved_to', 'frozen_at', 'brand_id'],
  audit_trail: ['brand_id'],
  brands: [],
  coupon_codes: ['brand_id'],
  idempotency_records: ['brand_id'],
  products: ['brand_id'],
  tombstones: ['brand_id'],
};

/** The names of the tables in the document. */
const MEMBERS: Readonly<Record<string, string>> = {
  api_keys: 'keys',
  audit_trail: 'auditEntries',
  brands: 'profile',
  coupon_codes: 'couponCodes',
  idempotency_records: 'idempotencyRecords',
  products: 'products',
  tombstones: 'deletions',
};

/** The members that the document has as JSON, and the database as text. */
const JSON_MEMBERS = ['imageUrls', 'details'];

let folder: TemporaryFolder;
let admin: AdminHere;
let brandId: string;
let exported: string;

const path = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await migratedFolder();
  admin = await openAdminHere(folder.path);
  const made = await admin.json('brand', 'create', 'Acme; "COMMIT;"');
  brandId = String(made['brandId']);
  await admin.json('brand', 'create', 'Another');
  const limited = await admin.json('key', 'issue', brandId, '--expires-in', '90d');
  await admin.json('key', 'rotate', String(limited['keyId']));
  await admin.json('key', 'revoke', String(made['keyId']));
  await fillBrand(admin.execute, brandId);
  await admin.json('brand', 'suspend', brandId, '--reason', 'it leaves');
  await admin.json('brand', 'export', brandId, '--to', path('first.json'));
  exported = await readFile(path('first.json'), 'utf8');
});

afterAll(async () => {
  await admin.close();
  await folder.remove();
});

async function rowsOf(table: string, { execute }: AdminHere = admin): Promise<readonly Row[]> {
  const owner = sql.raw(table === 'brands' ? 'id' : 'brand_id');
  const [rows] = await execute(
    sql`select * from ${sql.raw(table)} where ${owner} = ${brandId} order by ${sql.raw(table === 'api_keys' ? 'id' : '1, 2, 3')}`,
  );
  return rows;
}

const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('An export of a brand', () => {
  it('has every column of every table', async () => {
    const document = record(JSON.parse(exported));
    const [tables] = await admin.execute(
      sql`select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_cf_*' and name <> 'd1_migrations'`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(MEMBERS).sort());
    for (const [table, member] of Object.entries(MEMBERS)) {
      const [columns] = await admin.execute(sql`select name from pragma_table_info(${table})`);
      const names = columns
        .map(({ name }) => String(name))
        .filter((name) => !LEFT_OUT[table]?.includes(name));
      const rows = await rowsOf(table);
      const value = document[member];
      const items = table === 'brands' ? [record(value)] : records(value);
      expect(items, table).toHaveLength(rows.length);
      for (const [index, item] of items.entries()) {
        const row = rows.find(({ id, key }) => (key ?? id) === (item['key'] ?? item['id']));
        const expected = table === 'tombstones' ? rows[index] : row;
        expect(Object.keys(item).sort(), table).toEqual(names.map(camelCase).sort());
        for (const name of names) {
          const text = JSON_MEMBERS.includes(camelCase(name));
          const found = item[camelCase(name)];
          const stored = text ? JSON.stringify(found) : found;
          expect(typeof stored === 'boolean' ? Number(stored) : stored).toEqual(expected?.[name]);
        }
      }
      for (const name of names) {
        expect(
          rows.some((row) => row[name] !== null),
          `fillBrand has a value for ${name} of ${table}`,
        ).toBe(true);
      }
    }
  });

  it('is described by its schema, which describes nothing else', async () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
    formats.default(ajv);
    const valid = ajv.compile(record(JSON.parse(await readFile(SCHEMA, 'utf8'))));
    const document = record(JSON.parse(exported));
    valid(document);
    expect(valid.errors).toBeNull();
    expect(valid({ ...document, more: [] })).toBe(false);
    const keys = records(document['keys']);
    expect(valid({ ...document, keys: keys.map((key) => ({ ...key, hash: '' })) })).toBe(false);
    for (const name of Object.keys(document)) {
      expect(valid({ ...document, [name]: undefined }), name).toBe(false);
    }
  });

  it('holds no hash of a key, and nothing of another brand', async () => {
    const hashes = (await rowsOf('api_keys')).map(({ hash }) => String(hash));
    expect(hashes).toHaveLength(3);
    for (const hash of hashes) expect(exported).not.toContain(hash);
    expect(exported).not.toContain('Another');
  });

  it('is a file that only its owner can read, and overwrites none', async () => {
    expect((await stat(path('first.json'))).mode & 0o777).toBe(0o600);
    await writeFile(path('mine.txt'), 'mine');
    const { code, stderr } = await admin.run('brand', 'export', brandId, '--to', path('mine.txt'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not overwritten')]);
    expect(await readFile(path('mine.txt'), 'utf8')).toBe('mine');
  });

  it('says what it wrote', async () => {
    const file = path('json.json');
    expect(await admin.json('brand', 'export', brandId, '--to', file)).toEqual({
      ...{ brandId, file },
      counts: {
        ...{ keys: 3, products: 2, couponCodes: 1 },
        ...{ deletions: 2, idempotencyRecords: 1, auditEntries: 5 },
      },
    });
    expect(await readFile(file, 'utf8')).toBe(exported);
  });

  it.each([
    ['of no brand', () => ['01890000-0000-7000-8000-000000000000', '--to', path('none.json')]],
    ['to no folder', () => [brandId, '--to', path('nowhere/none.json')]],
  ])('%s leaves no file', async (_, words) => {
    const { code, stderr } = await admin.run('brand', 'export', ...words());
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: ')]);
    expect(await filesLike('none.json')).toEqual([]);
  });
});

/** The files of this name, and what an export leaves if it breaks off. */
async function filesLike(name: string): Promise<string[]> {
  const all = await readdir(dirname(path(name)));
  return all.filter((file) => file === basename(name) || file.startsWith('.unfinished'));
}

describe('A brand of several pages', () => {
  const ROWS = 12_000;
  let large: string;

  beforeAll(async () => {
    large = String((await admin.json('brand', 'create', 'Large'))['brandId']);
    await admin.execute(
      sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS})
        select ${large}, iif(n % 2, 'products', 'coupon-codes'), n, ${large}, '2026-01-31T09:30:00.000Z' from numbers`,
      sql`insert into products (brand_id, id, revision, created_at, updated_at, change_number, title, description, handle, price_cents, currency_code,
          discount_percent, featured, image_urls, marketplace_category, service_inventory_quantity, service_listing_status, store_inventory_quantity, source, sync_status)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 300)
        select ${large}, printf('01890000-0000-7000-8000-%012d', n), ${large}, '2026-01-31T09:30:00.000Z', '2026-01-31T09:30:00.000Z', n, 'P',
          printf('%.60000c', 'x'), 'p', 1, 'USD', 0, 0, '[]', 'OTHER', 0, 'DRAFT', 0, 'API', 'NOT_LINKED' from numbers`,
    );
  });

  /** The database, with something done before each call. */
  function watched(before: (call: number) => Promise<unknown>): {
    execute: Execute;
    sizes: number[];
  } {
    const sizes: number[] = [];
    let calls = 0;
    const execute = around(admin.execute, async (call) => {
      await before(++calls);
      const results = await call();
      sizes.push(...results.map((rows) => JSON.stringify(rows).length));
      return results;
    });
    return { execute, sizes };
  }

  async function textOf(execute: Execute): Promise<string> {
    const { counts, pieces } = await exportBrand(execute, large);
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    let [whole, done] = ['', 0];
    for await (const { text, rows } of pieces) {
      whole += text;
      done += rows;
    }
    // The progress bar ends where it says that it ends.
    expect(done).toBe(total);
    return whole;
  }

  it('is read in bounded pieces, and has each row once, in order', async () => {
    const { execute, sizes } = watched(() => Promise.resolve());
    const document = record(JSON.parse(await textOf(execute)));
    expect(sizes.length).toBeGreaterThan(12);
    expect(Math.max(...sizes)).toBeLessThan(5 * 1024 * 1024);
    const deletions = records(document['deletions']);
    expect(deletions).toHaveLength(ROWS);
    const odd = Array.from({ length: ROWS / 2 }, (_, n) => 2 * n + 1);
    const numbers = deletions.map(({ changeNumber }) => changeNumber);
    expect(numbers).toEqual([...odd.map((n) => n + 1), ...odd]);
    expect(new Set(records(document['products']).map(({ id }) => id)).size).toBe(300);
  });

  it.each([
    ['its profile', sql`update brands set revision = id || '' where id = ''`, false],
    ['a product', sql`delete from products where change_number = 1`, true],
    ['a record', sql`delete from tombstones where change_number = 1`, true],
    [
      'its state',
      sql`update brands set suspended_at = '2026-01-31T09:30:00.000Z' where brand_name = 'Large'`,
      true,
    ],
    [
      'its name',
      sql`update brands set revision = '01890000-0000-7000-8000-000000000009', contact_name = 'x' where brand_name = 'Large'`,
      true,
    ],
  ])('is not written if %s changes meanwhile', async (_, change, changes) => {
    const { execute } = watched((call) => (call === 3 ? admin.execute(change) : Promise.resolve()));
    const text = textOf(execute);
    if (changes) await expect(text).rejects.toThrow('was changed while it was exported');
    else expect(JSON.parse(await text)).toHaveProperty('format');
  });
});

describe('An imported brand', () => {
  it('is the same in an empty database, byte for byte', async () => {
    const other = await migratedFolder();
    const there = await openAdminHere(other.path);
    const made = await there.json('brand', 'import', path('first.json'));
    expect(made).toMatchObject({ brandId, brandName: 'Acme; "COMMIT;"', counts: { products: 2 } });
    await there.json('brand', 'export', brandId, '--to', path('second.json'));
    expect(await readFile(path('second.json'), 'utf8')).toBe(exported);
    const ofCopy = (row: Row): boolean => String(row['action']).startsWith('brand.import');
    for (const table of Object.keys(MEMBERS)) {
      const rows = (await rowsOf(table, there)).filter((row) => !ofCopy(row));
      const withoutHash = (row: Row): Row => ({ ...row, hash: null });
      expect(rows.map(withoutHash), table).toEqual((await rowsOf(table)).map(withoutHash));
    }
    const [left] = await there.execute(
      sql`select name from sqlite_master where name glob 'pieces*'`,
    );
    expect(left).toEqual([]);
    await there.close();
    await other.remove();
  });

  it('is the same where it was deleted, and keeps its audit trail', async () => {
    const again = await admin.run('brand', 'import', path('first.json'));
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('nothing was imported'),
    ]);
    await admin.json('brand', 'delete', brandId, '--yes');
    await admin.json('brand', 'import', path('first.json'));
    await admin.json('brand', 'export', brandId, '--to', path('third.json'));
    expect(await readFile(path('third.json'), 'utf8')).toBe(exported);
    const { entries } = await admin.json('audit', '--brand', brandId);
    const actions = records(entries).map(({ action }) => action);
    expect(actions.slice(-5)).toEqual([
      ...['brand.suspend', 'brand.delete.begin', 'brand.delete.done'],
      ...['brand.import.begin', 'brand.import.done'],
    ]);
  });

  it('has keys that nobody can use, until they are rotated', async () => {
    const { keys } = await admin.json('key', 'list', brandId);
    const statuses = records(keys).map(({ status }) => status);
    expect(statuses).toEqual(['revoked', 'imported', 'imported']);
    expect(await admin.json('key', 'list', brandId, '--live')).toMatchObject({ keys: [] });
    expect(await admin.json('brand', 'show', brandId)).toMatchObject({ liveKeys: 0, keys: 3 });
    const { stdout } = await admin.run('key', 'list', brandId);
    expect(stdout).toContain('imported: rotate it');
    const rotated = await admin.json('key', 'rotate', '--brand', brandId);
    const [made, ...others] = records(rotated['keys']);
    expect(others).toEqual([]);
    const live = await admin.json('key', 'list', brandId, '--live');
    expect(records(live['keys']).map(({ keyId }) => keyId)).toEqual([made?.['keyId']]);
  });

  it('may come through a pipe, which can be read only once', async () => {
    const pipe = path('pipe');
    execFileSync('mkfifo', [pipe]);
    const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
    const text = JSON.stringify({ ...document, keys: [], auditEntries: [] });
    const [made] = await Promise.all([
      admin.json('brand', 'import', pipe),
      writeFile(pipe, text.padEnd(2_000_000)),
    ]);
    expect(made).toMatchObject({ brandId: OTHER, counts: { products: 2 } });
    await admin.json('brand', 'delete', OTHER, '--yes');
  });

  it('is partly there if the database refuses a row', async () => {
    const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
    const [product] = records(document['products']);
    // No schema says that it is trimmed.
    const products = [{ ...product, title: ' x' }];
    await writeFile(path('refused.json'), JSON.stringify({ ...document, products, keys: [] }));
    const { code, stderr } = await admin.run('brand', 'import', path('refused.json'));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`partly imported. Delete it with brand delete ${OTHER}`),
    ]);
    await admin.json('brand', 'delete', OTHER, '--yes');
  });

  it('starts again after it broke off, once it is deleted', async () => {
    const doubled = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
    const [code] = records(doubled['couponCodes']);
    const id = '01890000-0000-7000-8000-00000000aaaa';
    const couponCodes = [code, { ...code, id, code: 'SAVE10' }];
    // Their ids are those of the other brand.
    const none = { keys: [], auditEntries: [] };
    const file = path('doubled.json');
    await writeFile(file, JSON.stringify({ ...doubled, ...none, couponCodes }));
    const { code: exit, stderr } = await admin.run('brand', 'import', file);
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining('Look at couponCodes in the file.'),
    ]);
    expect(stderr).toContain(`brand delete ${OTHER}`);
    const again = await admin.run('brand', 'import', file);
    expect(again.stderr).toContain('If an import of it broke off, delete it first');
    await admin.json('brand', 'delete', OTHER, '--yes');
    // A document of one line, in another order.
    const { format, profile, ...rest } = doubled;
    await writeFile(file, JSON.stringify({ ...rest, ...none, profile, format }));
    expect(await admin.json('brand', 'import', file)).toMatchObject({ brandId: OTHER });
    await admin.json('brand', 'delete', OTHER, '--yes');
  });
});

const OTHER = '01890000-0000-7000-8000-0000000000ff';

describe('A file that is no export', () => {
  const withProduct = (change: object): string => {
    const document = record(JSON.parse(exported.replaceAll(brandId, OTHER)));
    const [product] = records(document['products']);
    return JSON.stringify({ ...document, products: [{ ...product, ...change }] });
  };

  it.each<[string, () => string, string]>([
    ['is empty', () => '', 'ends too early'],
    ['is a list', () => '[]', 'no JSON object'],
    ['is a text', () => '"x"', 'ends too early'],
    ['is an empty object', () => '{}', 'it lacks format, profile, keys'],
    ['has a list twice', () => exported.replace('"products"', '"keys"'), '"keys" does not belong'],
    [
      'lacks a list',
      () => exported.replace(/,\s+"auditEntries": [^]*\]/, ''),
      'it lacks auditEntries',
    ],
    ['is cut', () => exported.slice(0, -3), 'ends too early'],
    ['goes on', () => `${exported}{}`, 'something follows'],
    ['has a comma too many', () => exported.replace('\n  ],', ',\n  ],'), 'cannot be read'],
    [
      'is of another version',
      () => exported.replace('brand-export-1', 'brand-export-2'),
      'version',
    ],
    ['has another member', () => exported.replace('"keys"', '"more"'), '"more" does not belong'],
    ['has a list for the profile', () => '{"profile": [1]}', '"profile" does not belong'],
    ['has a value for a list', () => '{"keys": 1}', '"keys" does not belong'],
    ['has an unknown column', () => withProduct({ more: 1 }), 'products.0: must NOT have'],
    ['lacks a column', () => withProduct({ title: undefined }), "required property 'title'"],
    ['has a wrong type', () => withProduct({ title: 1 }), 'products.0.title: must be string'],
    ['breaks a rule', () => withProduct({ priceCents: -1 }), 'products.0.priceCents: must be >= 0'],
    [
      'has no id',
      () => withProduct({ id: "x' or 1=1" }),
      'products.0.id: must match format "uuid"',
    ],
    ['has an upper-case id', () => withProduct({ id: OTHER.toUpperCase() }), 'format "uuid"'],
    ['has no day', () => withProduct({ createdAt: '2026-02-30T09:30:00.000Z' }), '"date-time"'],
    [
      'has a number beyond',
      () => withProduct({ changeNumber: 2 ** 53 }),
      'changeNumber: must be <=',
    ],
    [
      'has a deep detail',
      () => exported.replace('"details":{', `"details":{"a":${'['.repeat(1e5)}${']'.repeat(1e5)},`),
      'details.a: must be string,integer,null',
    ],
    [
      'has a live key of a suspended brand',
      () => exported.replace(/(?<="keys": \[\n.*"suspendedAt":)"[^"]*"/, 'null'),
      'keys.0.suspendedAt: must be that of the profile',
    ],
  ])('because it %s changes nothing', async (_, text, said) => {
    const file = path('bad.json');
    await writeFile(file, text());
    const before = await admin.json('audit');
    const { code, stderr } = await admin.run('brand', 'import', file);
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)]);
    expect(await admin.json('audit')).toEqual(before);
  });

  it('or that does not exist is refused in a sentence', async () => {
    const { code, stderr } = await admin.run('brand', 'import', path('nothing.json'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no such file')]);
  });
});

describe('The members of a document', () => {
  it('are found wherever its pieces are cut', async () => {
    const document = {
      text: 'a "quoted" \\ [x], {y}: \\\\',
      list: [1, 'a,]}"\\', { a: [1, { b: '}' }] }, [], null],
      empty: [],
      object: { a: [1, 2], b: {} },
      last: ['\\'],
    };
    const expected = Object.entries(document).flatMap(([name, value]): Item[] =>
      Array.isArray(value) && value.length > 0
        ? value.map((item: unknown, index) => ({ name, value: item, index }))
        : [{ name, value, index: undefined }],
    );
    for (const space of [undefined, 2]) {
      const text = JSON.stringify(document, null, space);
      for (let length = 1; length <= text.length; length++) {
        const pieces = Array.from({ length: Math.ceil(text.length / length) }, (_, n) =>
          text.slice(n * length, (n + 1) * length),
        );
        const found: Item[] = [];
        for await (const item of itemsOf(streamOf(pieces))) found.push(item);
        expect(found).toEqual(expected);
      }
    }
  });
});

async function* streamOf(pieces: readonly string[]): AsyncGenerator<string> {
  await Promise.resolve();
  yield* pieces;
}

describe('Through wrangler', () => {
  it('a brand is exported and imported with the same bytes', async () => {
    const [source, target] = [await migratedFolder(), await migratedFolder()];
    const [from, to] = [new AdminTool(source.path), new AdminTool(target.path)];
    await from.json('brand', 'import', path('first.json'));
    const file = path('wrangler.json');
    await from.json('brand', 'export', brandId, '--to', file);
    expect(await readFile(file, 'utf8')).toBe(exported);
    expect((await to.json('brand', 'import', file))['brandId']).toBe(brandId);
    await source.remove();
    await target.remove();
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves no file', async (signal) => {
    const { brands } = await admin.json('brand', 'list', '--search', 'Large');
    const large = String(records(brands)[0]?.['brandId']);
    const [command, ...first] = scriptWords('admin');
    const file = path('interrupted.json');
    const words = ['brand', 'export', large, '--to', file, '--persist-to', folder.path];
    const child = spawn(command, [...first, ...words], { cwd: ROOT });
    const output = text(child.stderr);
    const ended = once(child, 'exit');
    // Further pages take wrangler seconds.
    await expect
      .poll(() => filesLike('interrupted.json'), { timeout: 60_000, interval: 10 })
      .toHaveLength(2);
    child.kill(signal);
    await ended;
    expect(child.exitCode).toBe(128 + constants.signals[signal]);
    expect(await output).toContain('error: Stopped. No file was written.');
    expect(await filesLike('interrupted.json')).toEqual([]);
  });
});
