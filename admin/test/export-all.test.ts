import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tryLock } from '../../common/file-lock.ts';
import { DatabaseFailure } from '../../common/wrangler/database-failure.ts';
import type { Finished } from '../../test/node/processes.ts';
import { record, records } from '../../test/node/processes.ts';
import type { DatabaseOpener } from '../src/home/databases.ts';
import { createBrand, deleteBrand } from '../src/brand/brands.ts';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { hexadecimal, inline } from '../src/database/open-database.ts';
import { ending } from '../src/export/fingerprint.ts';
import { moveBrand } from '../src/move/move.ts';
import { runHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { interceptDatabase } from './intercept-database.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';

// A copy of all brands: a file of each in a folder, of two databases.

let admin: AdminOfSeveral;
let [first, second, third] = ['', '', ''];
let [to, before] = ['', ''];
let run = 0;

const database = (number: number): OpenDatabase => admin.open({ number });

async function create(name: string, number: number): Promise<string> {
  const words = ['brand', 'create', name, '--database', String(number)];
  return String((await admin.json(...words))['brandId']);
}

beforeAll(async () => {
  admin = await openSeveral(2);
  first = await create('First', 0);
  second = await create('Second', 1);
  third = await create('Third', 0);
  await fillBrand(database(1), second);
});

beforeEach(() => {
  run++;
  to = join(admin.folder.path, `to-${run}`);
  before = join(admin.folder.path, `before-${run}`);
});

afterAll(() => admin.close());

const fileOf = (brandId: string, folder = to): string => join(folder, `${brandId}.json`);

/** Returns the files of a folder by name, without the lock. */
async function filesIn(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).filter((name) => name !== '.lock').sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return new Map(names.map((name, index) => [name, texts[index] ?? '']));
}

async function exportAll(...words: readonly string[]): Promise<Record<string, unknown>> {
  return admin.json('brand', 'export', '--all', '--to', to, ...words);
}

/** Runs it with databases that do not do what they are to do. */
async function exportBy(
  act: (open: DatabaseOpener) => DatabaseOpener,
  ...words: string[]
): Promise<Finished> {
  const all = ['brand', 'export', '--all', '--to', to, ...words];
  return runHere(all, act(admin.open), admin.configuration);
}

it('`brand export --all` writes what `brand export` writes of each brand, for its owner alone', async () => {
  expect(await exportAll()).toEqual({
    folder: to,
    exported: 3,
    unchanged: 0,
    failed: [],
    tooLarge: [],
    deleted: [],
  });
  const files = await filesIn(to);
  const ids = [first, second, third];
  expect([...files.keys()]).toEqual(ids.map((id) => `${id}.json`).sort());
  for (const id of ids) {
    const one = join(admin.folder.path, `one-${id}`);
    await admin.json('brand', 'export', id, '--to', one);
    expect(files.get(`${id}.json`)).toBe(await readFile(one, 'utf8'));
    expect((await stat(fileOf(id))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(to)).mode & 0o777).toBe(0o700);
});

it.each<[string, () => Promise<unknown>]>([
  [
    'its profile',
    () => database(1).run(sql`update brands set revision = ${first} where id = ${second}`),
  ],
  [
    'a product',
    () =>
      database(1).run(
        sql`update products set change_number = 1800000000000000 where brand_id = ${second} and title = 'Long'`,
      ),
  ],
  [
    'that a product is gone',
    () =>
      database(1).run(
        sql`insert into tombstones values (${second}, 'products', 1800000000000001, ${third}, '2026-01-31T09:30:00.000Z')`,
      ),
  ],
  ['a key more', () => admin.json('key', 'issue', second, '--label', 'more')],
  [
    'a key less',
    async () => {
      const [key] = records((await admin.json('key', 'list', second, '--live'))['keys']);
      await admin.json('key', 'revoke', String(key?.['keyId']));
    },
  ],
  ['its suspension', () => admin.json('brand', 'suspend', second)],
  ['the end of it', () => admin.json('brand', 'resume', second)],
])('A second run replaces the file of a brand if it has changed: %s', async (_, change) => {
  await exportAll();
  const old = await filesIn(to);
  expect(await exportAll()).toMatchObject({ exported: 0, unchanged: 3 });
  await change();
  expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 2 });
  const now = await filesIn(to);
  const changed = [...now.keys()].filter((name) => now.get(name) !== old.get(name));
  expect(changed).toEqual([`${second}.json`]);
});

it('A second run replaces the file of a brand if it was suspended and resumed in between', async () => {
  await exportAll();
  await admin.json('brand', 'suspend', third);
  await admin.json('brand', 'resume', third);
  expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 2 });
});

it.each<[string, (text: string) => string]>([
  ['a byte is another one', (text) => text.replace('"Third"', '"Thirt"')],
  ['its end is missing', (text) => text.slice(0, -30)],
  ['it is empty', () => ''],
  ['it has a line more', (text) => `${text}\n`],
])('A second run replaces the file of a brand if it is damaged: %s', async (_, damaged) => {
  await exportAll();
  const whole = await readFile(fileOf(third), 'utf8');
  await writeFile(fileOf(third), damaged(whole));
  expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 2 });
  expect(await readFile(fileOf(third), 'utf8')).toBe(whole);
});

it('The option --changed-since leaves out what is in another folder, and names the files of deleted brands', async () => {
  const gone = await create('Gone', 1);
  await admin.json('brand', 'export', '--all', '--to', before);
  await admin.json('key', 'issue', first);
  await admin.json('brand', 'delete', gone, '--yes');
  const { stdout, stderr } = await exportBy((open) => open, '--changed-since', before, '--json');
  const deleted = [fileOf(gone, before)];
  expect(JSON.parse(stdout)).toMatchObject({ exported: 1, unchanged: 2, deleted });
  expect(stderr).toContain(`${fileOf(gone, before)}: the service no longer has this brand.`);
  expect([...(await filesIn(to)).keys()]).toEqual([`${first}.json`]);
  expect((await filesIn(before)).has(`${gone}.json`)).toBe(true);
  // What is in the folder itself counts first: this brand is again as it was in the other one.
  await admin.json('brand', 'suspend', third);
  expect(await exportAll('--changed-since', before)).toMatchObject({ exported: 1 });
  await admin.json('brand', 'resume', third);
  expect(await exportAll('--changed-since', before)).toMatchObject({ exported: 1 });
  expect(await readFile(fileOf(third), 'utf8')).toContain('"suspendedAt":null');
});

it('What a killed run left unfinished is removed, and the rest is done', async () => {
  await exportAll();
  const whole = await filesIn(to);
  await writeFile(`${fileOf(third)}.${randomUUID()}.new`, '{ "for', { mode: 0o600 });
  const mine = ['mine.txt', 'mine.json.part', `${third}.json.part`, `x.${randomUUID()}.new`];
  for (const name of mine) await writeFile(join(to, name), 'mine');
  expect(await exportAll()).toMatchObject({ exported: 0, unchanged: 3 });
  const files = await filesIn(to);
  const left = [...whole, ...mine.map((name): [string, string] => [name, 'mine'])];
  expect(files).toEqual(new Map(left));
});

/** Makes a change at the second call that reads a brand: its further pages, or the look whether it has changed. */
const changing =
  (
    brandId: string,
    often: number,
    change: () => Promise<unknown>,
  ): ((open: DatabaseOpener) => DatabaseOpener) =>
  (open) => {
    let calls = 0;
    return (target) =>
      interceptDatabase(open(target), async (call, statements) => {
        const isOfBrand = statements.some((one) => inline(one).includes(hexadecimal(brandId)));
        if (isOfBrand && ++calls % 2 === 0 && calls <= 2 * often) await change();
        return call();
      });
  };

describe('a brand that changes while it is read', () => {
  let large = '';

  beforeAll(async () => {
    large = await create('Large', 0);
    await database(0).run(
      sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 6000)
        select ${large}, 'products', n, ${large}, '2026-01-31T09:30:00.000Z' from numbers`,
    );
  });

  afterAll(() => admin.json('brand', 'delete', large, '--yes'));

  const change = (): Promise<unknown> =>
    database(0).run(
      sql`insert into tombstones select brand_id, collection, max(change_number) + 1, id, deleted_at from tombstones where brand_id = ${large}`,
    );

  it('A brand that changes while it is read is read again', async () => {
    const { code, stderr } = await exportBy(changing(large, 2, change));
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error:')]);
    expect((await filesIn(to)).size).toBe(4);
    expect(await exportAll()).toMatchObject({ exported: 0, unchanged: 4 });
  });

  it('A brand that never stops changing is named, its older file stays, and the others are exported', async () => {
    await exportAll();
    const old = await readFile(fileOf(large), 'utf8');
    await rm(fileOf(first));
    await change();
    const { code, stdout, stderr } = await exportBy(changing(large, 9, change), '--json');
    expect(JSON.parse(stdout)).toMatchObject({ exported: 1, failed: [{ brandId: large }] });
    expect([code, stderr]).toEqual([1, expect.stringContaining('1 of 4 brands could not')]);
    expect(stderr).toContain('changed while it was exported');
    expect(await readFile(fileOf(large), 'utf8')).toBe(old);
    expect((await filesIn(to)).size).toBe(4);
  });
});

it('A brand that moves or is created meanwhile is exported, and one that is deleted is none', async () => {
  const gone = await create('Gone', 0);
  let late = '';
  let isFirst = true;
  const { code, stderr } = await exportBy(
    (open) => (target) =>
      interceptDatabase(open(target), async (call) => {
        const result = await call();
        // The first call lists the brands.
        if (target.number === 1 && isFirst) {
          isFirst = false;
          await moveBrand([database(0), database(1)], second, { to: 0 });
          await deleteBrand(database(0), gone);
          late = (await createBrand(database(0), 'Late')).brandId;
        }
        return result;
      }),
  );
  expect(code, stderr).toBe(0);
  const files = await filesIn(to);
  expect([...files.keys()]).toEqual([first, second, third, late].map((id) => `${id}.json`).sort());
  // Not what it has left behind.
  const { products } = record(JSON.parse(files.get(`${second}.json`) ?? ''));
  expect(products).toHaveLength(2);
  await admin.json('brand', 'delete', late, '--yes');
  await admin.json('brand', 'move', second, '--to', '1');
});

it.each([
  [
    'it is partly deleted',
    sql`update brands set unfinished = 'delete' where id = `,
    sql`update brands set unfinished = null where id = `,
    'partly deleted',
  ],
  [
    'it is at home in two databases',
    sql`update api_keys set moved_to = null where brand_id = `,
    sql`update api_keys set moved_to = 1 where brand_id = `,
    'is at home in the databases 0 and 1',
  ],
])(
  'A brand that nobody may take for whole is named, its file stays, and the others are exported: %s',
  async (_, change, back, says) => {
    const odd = await create('Odd', 0);
    await admin.json('brand', 'move', odd, '--to', '1');
    await mkdir(to);
    await writeFile(fileOf(odd), 'old');
    const where = says.startsWith('partly') ? database(1) : database(0);
    await where.run(sql`${change}${odd}`);
    const { code, stdout, stderr } = await exportBy((open) => open, '--json');
    const { failed, ...rest } = record(JSON.parse(stdout));
    expect([rest, failed]).toMatchObject([{ exported: 3 }, [{ brandId: odd }]]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
    expect(await readFile(fileOf(odd), 'utf8')).toBe('old');
    await where.run(sql`${back}${odd}`);
    await admin.json('brand', 'delete', odd, '--yes');
  },
);

let lock: FileHandle | undefined;
let reads = 0;
const failing =
  (often: number): ((open: DatabaseOpener) => DatabaseOpener) =>
  (open) => {
    reads = 0;
    return (target) =>
      interceptDatabase(open(target), (call, statements) =>
        // Several statements read a brand; one lists all.
        statements.length > 1 && reads++ < often
          ? Promise.reject(new DatabaseFailure('The database is away.', ''))
          : call(),
      );
  };

it('A failure of the database is of one brand at first, which is tried again', async () => {
  const { code, stderr } = await exportBy(failing(2));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('away')]);
  expect((await filesIn(to)).size).toBe(3);
});

it('A failure that stays ends the command, and the next run goes on', async () => {
  const more: string[] = [];
  for (let n = 0; n < 17; n++) more.push((await createBrand(database(0), `More ${n}`)).brandId);
  const { code, stdout, stderr } = await exportBy(failing(100), '--json');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('error: The database is away.');
  // One call for each database, then one for a brand, of which some are under way at the fifth failure.
  expect(reads).toBeLessThanOrEqual(2 + 8);
  expect(await exportAll()).toMatchObject({ exported: 20 });
  for (const id of more) await deleteBrand(database(0), id);
});

it.each<[string, () => Promise<unknown>, string]>([
  ['it is a file', () => writeFile(to, ''), 'it is no folder'],
  ['it is within a file', () => writeFile(dirname(to), ''), 'it is no folder'],
  [
    'another run writes to it',
    async () => {
      await mkdir(to);
      lock = await tryLock(join(to, '.lock'));
    },
    'Another brand export writes to',
  ],
  [
    'a file of it cannot be read',
    () => mkdir(fileOf(first), { recursive: true }),
    'it is a folder',
  ],
  ['there is none to compare with', () => Promise.resolve(), 'there is no such file or folder'],
])('A failure of the folder ends the command: %s', async (name, prepare, says) => {
  if (name.includes('within')) to = join(`${to}-file`, 'folder');
  await prepare();
  const words = name.includes('compare') ? ['--changed-since', before] : [];
  const { code, stdout, stderr } = await exportBy((open) => open, '--json', ...words);
  await lock?.close();
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(says)]);
});

const MB = 1024 * 1024;

it('A file that brand import could not read is named, each time', async () => {
  await exportAll();
  const text = await readFile(fileOf(third), 'utf8');
  const pieces = [text.slice(0, text.lastIndexOf(',')), ...Array<string>(600).fill(' '.repeat(MB))];
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  await writeFile(fileOf(third), [...pieces, ending(hash.digest('hex'))]);
  const { code, stdout, stderr } = await exportBy((open) => open, '--json');
  expect(code).toBe(0);
  expect(record(JSON.parse(stdout))).toMatchObject({ unchanged: 3, tooLarge: [fileOf(third)] });
  expect(stderr).toContain(`${fileOf(third)} has 601 MB: brand import reads files up to 512 MB.`);
  const refused = await admin.run('brand', 'import', fileOf(third));
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('more than 512 MB')]);
});

it('`brand import` creates a brand again from its file', async () => {
  await exportAll();
  await admin.json('brand', 'delete', second, '--yes');
  expect(await admin.json('brand', 'import', fileOf(second))).toMatchObject({ brandId: second });
  const { keys } = await admin.json('key', 'rotate', '--brand', second, '--overlap', '0s');
  expect(records(keys).length).toBeGreaterThan(0);
  expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 2, deleted: [] });
});

it.each([
  [['--all']],
  [['ID', '--all', '--to', 'x']],
  [['--to', 'x']],
  [['ID', '--to', 'x', '--changed-since', 'y']],
  [['--all', '--to', 'x', '--database', '1']],
])('`brand export` with options that do not fit is wrong usage: %j', async (words) => {
  const { code } = await admin.run('brand', 'export', ...words.map((w) => w.replace('ID', first)));
  expect(code).toBe(2);
});
