import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { databaseOfKey } from '../../src/auth/api-key.ts';
import { Failure } from '../../common/failure.ts';
import {
  CONFIGURATION,
  declaresSeveral,
  readConfiguration,
} from '../src/database/configuration.ts';
import type { DatabaseOpener } from '../src/home/databases.ts';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { moveBrand } from '../src/move/move.ts';
import { runHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { expectShape } from '../../test/node/json-shapes.ts';
import { record, records } from '../../test/node/processes.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';
import { interceptDatabase } from './intercept-database.ts';

// The admin tool on three databases. Each part uses brands of its own.

let admin: AdminOfSeveral;

beforeAll(async () => {
  admin = await openSeveral(3);
});

afterAll(() => admin.close());

const NUMBERS = [0, 1, 2];
const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const database = (number: number): OpenDatabase => admin.open({ number });

const made = z.object({ brandId: z.string(), keyId: z.string(), apiKey: z.string() });
type Made = z.infer<typeof made>;

async function create(name: string, number: number): Promise<Made> {
  return made.parse(await admin.json('brand', 'create', name, '--database', String(number)));
}

/** Expects that each of these commands fails with a sentence that has a text. */
async function expectRefused(
  text: string,
  ...commands: readonly (string | readonly string[])[]
): Promise<void> {
  for (const command of commands) {
    const words = typeof command === 'string' ? command.split(' ') : command;
    const { code, stderr } = await admin.run(...words);
    expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining(text)]);
  }
}

const second = "[[d1_databases]]\nbinding = 'DB_1'\n";

it.each([
  ['as it is in the project', '', false],
  ['with a second one', second, true],
  [
    'with a second one in an environment alone',
    `[[env.staging.d1_databases]]\nbinding = 'DB_1'`,
    true,
  ],
  ['with a second one in a comment', second.replaceAll(/^/gm, '# '), false],
  ['with a database of another use', second.replace('DB_1', 'DB_LOG'), false],
  ['with half a line', '[[d1_databases', false],
])('A configuration says whether it has several databases: %s', (_, added, expected) => {
  expect(declaresSeveral(`${readFileSync(CONFIGURATION, 'utf8')}\n${added}`)).toBe(expected);
});

it('A mistyped environment is refused with the whole reason, on one line', async () => {
  const { message } = await readConfiguration('prodution').then(
    () => new Error('It was read.'),
    (error: unknown) => (error instanceof Failure ? error : new Error(String(error))),
  );
  expect(message).toMatch(/^wrangler refuses wrangler\.toml: - No environment found .*"prodution"/);
  expect(message).toContain('["staging","production"]');
  expect(message).not.toContain('\n');
});

it('A new brand goes by default into the smallest database of the jurisdiction of the first', async () => {
  for (const [number, size] of [200_000, 0, 100_000].entries()) {
    await database(number).run(sql`create table ballast (x text)`);
    await database(number).run(sql`insert into ballast values (hex(zeroblob(${size})))`);
  }
  const created = async (...jurisdictions: [number, string][]): Promise<number> => {
    admin.jurisdictions.clear();
    for (const [number, name] of jurisdictions) admin.jurisdictions.set(number, name);
    return databaseOfKey(made.parse(await admin.json('brand', 'create', 'Near')).apiKey);
  };
  expect(await created()).toBe(1);
  expect(await created([0, 'eu'], [2, 'eu'], [1, 'us'])).toBe(2);
  expect(await created([1, 'us'], [2, 'us'])).toBe(0);

  const found = records((await admin.json('database', 'list'))['databases']);
  expect(found).toMatchObject([
    { number: 0, name: 'name 0', jurisdiction: null },
    { number: 1, name: 'name 1', jurisdiction: 'us' },
    { number: 2, name: 'name 2', jurisdiction: 'us' },
  ]);
  for (const { bytes, share } of found) {
    expect(Number(bytes)).toBeGreaterThan(4096);
    expect(share).toBeCloseTo(Number(bytes) / 8e9, 4);
  }
  admin.jurisdictions.clear();
  for (const number of NUMBERS) await database(number).run(sql`drop table ballast`);
});

it('A new brand cannot go into a database that there is not', async () => {
  await expectRefused('error: There is no database 3.', 'brand create Nowhere --database 3');
  expect((await admin.run('brand', 'create', 'Nowhere', '--database', 'x')).code).toBe(2);
});

it('A new brand is reported if another database has a brand of its name', async () => {
  const { brandId } = await create('Twin', 0);
  for (const number of ['2', '0']) {
    const { stderr } = await admin.run('brand', 'create', 'Twin', '--database', number);
    expect(stderr).toContain(`Another brand has this name: ${brandId}`);
    expect(stderr).toContain(`This was the local database ${number}.`);
  }
});

describe('lists', () => {
  const brands: Made[] = [];

  beforeAll(async () => {
    for (const number of [2, 0, 1, 0]) brands.push(await create('Listed', number));
  });

  it.each([
    ['brands', 'brandId', ['brand', 'list', '--search', 'listed']],
    ['keys', 'keyId', ['key', 'list', '--live']],
  ] as const)('A list of all databases is in one order, in pages: %s', async (name, id, words) => {
    const idsOf = (document: Record<string, unknown>): string[] =>
      records(document[name]).map((item) => String(item[id]));
    const all = idsOf(await admin.json(...words));
    const inOrder = all.toSorted();
    expect(all).toEqual(name === 'brands' ? inOrder.toReversed() : inOrder);
    expect(all).toEqual(expect.arrayContaining(brands.map((brand) => brand[id])));
    const first = await admin.json(...words, '--limit', '2');
    const rest = await admin.json(...words, '--after', String(first['next']));
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(all);
    expect([idsOf(first).length, rest['next']]).toEqual([2, null]);
  });

  it('A list of brands has one total, and names the databases', async () => {
    const { stderr } = await admin.run('brand', 'list', '--search', 'listed', '--limit', '3');
    expect(stderr).toContain('3 of 4 brands.');
    expect(stderr).toMatch(/^These were the local databases 0, 1, 2\. .* the deployed ones\.$/m);
  });

  it('The entries of the audit trail are in one order, and the newest of all', async () => {
    const timesOf = async (...words: string[]): Promise<string[]> =>
      records((await admin.json('audit', ...words))['entries']).map(({ at }) => String(at));
    const times = await timesOf();
    expect(times).toEqual(times.toSorted());
    expect(await timesOf('--limit', '3')).toEqual(times.slice(-3));
    for (const limit of [3, times.length]) {
      const { stderr } = await admin.run('audit', '--limit', String(limit));
      expect(stderr.includes('There are older ones.')).toBe(limit === 3);
    }
  });
});

describe('brands whose sync has stopped or failed', () => {
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
  const ERROR = 'products: 2 items\nwere refused';

  beforeAll(async () => {
    const long = daysAgo(9);
    for (const [name, number, products, discounts, error] of [
      ['Never', 0, null, null, null],
      ['Tonight', 1, daysAgo(0), daysAgo(0.5), null],
      ['Stopped', 2, daysAgo(3), null, null],
      ['Codes stopped', 0, daysAgo(0), daysAgo(2.1), null],
      ['Failing', 1, long, long, ERROR],
      ['Failed at once', 2, null, null, ERROR],
    ] as const) {
      const { brandId } = await create(`Sync: ${name}`, number);
      await database(number).run(sql`update brands set last_products_sync_at = ${products},
        last_discounts_sync_at = ${discounts}, last_sync_error = ${error} where id = ${brandId}`);
    }
  });

  it.each<[string[], string[]]>([
    [
      ['--not-synced', '2d'],
      ['Failing', 'Codes stopped', 'Stopped'],
    ],
    [
      ['--not-synced', '60h'],
      ['Failing', 'Stopped'],
    ],
    [['--not-synced', '10d'], []],
    [['--with-sync-error'], ['Failed at once', 'Failing']],
    [['--with-sync-error', '--not-synced', '2d'], ['Failing']],
    [['--with-sync-error', '--search', 'once'], ['Failed at once']],
  ])(
    'A brand whose sync has stopped or failed is listed, of all databases: %j',
    async (words, expected) => {
      const { total, brands } = await admin.json('brand', 'list', ...words);
      const names = records(brands).map(({ brandName }) => String(brandName).replace('Sync: ', ''));
      expect([names, total]).toEqual([expected, expected.length]);
    },
  );

  it('A brand whose sync has failed is shown with its times and its error', async () => {
    const words = ['brand', 'list', '--with-sync-error', '--search', 'failing'];
    const [failing] = records((await admin.json(...words))['brands']);
    const time = String(failing?.['lastProductsSyncAt']);
    expect(time).toMatch(/Z$/);
    const state = { lastProductsSyncAt: time, lastDiscountsSyncAt: time, lastSyncError: ERROR };
    expect(failing).toMatchObject(state);
    const id = String(failing?.['brandId']);
    expect(await admin.json('brand', 'show', id)).toMatchObject(state);
    expect((await admin.run(...words)).stdout).toContain('were refused');
    // The table of all brands has no room for it.
    const all = await admin.run('brand', 'list', '--search', 'failing');
    expect(all.stdout).not.toContain('lastSyncError');
  });

  it.each(['2', 'd', '-2d'])('A time that is none is refused by --not-synced: %s', async (time) => {
    expect((await admin.run('brand', 'list', `--not-synced=${time}`)).code).toBe(2);
  });
});

it('A command for one brand or key finds it in its database', async () => {
  const { brandId, keyId } = await create('Found', 1);
  await fillBrand(database(1), brandId);
  for (const command of [
    `brand suspend ${brandId}`,
    `brand resume ${brandId}`,
    `key issue ${brandId}`,
    `key rotate ${keyId}`,
    `key revoke ${keyId}`,
    `tokens reset --brand ${brandId}`,
  ]) {
    await admin.json(...command.split(' '));
  }
  /** The beginnings of its live keys. */
  const liveKeys = async (): Promise<string[]> => {
    const { keys } = await admin.json('key', 'list', brandId, '--live');
    return records(keys).map(({ prefix }) => String(prefix).slice(0, 7));
  };
  expect(await liveKeys()).toEqual(['bik_z01', 'bik_z01']);
  const file = join(admin.folder.path, 'found.json');
  await admin.json('brand', 'export', brandId, '--to', file);
  await expectRefused('exists', ['brand', 'import', file, '--database', '2']);
  await admin.json('brand', 'delete', brandId, '--yes');
  await expectRefused('There is no brand', `brand show ${brandId}`);
  await admin.json('brand', 'import', file, '--database', '2');
  await admin.json('key', 'rotate', '--brand', brandId, '--overlap', '0s');
  expect(await liveKeys()).toEqual(['bik_z02', 'bik_z02']);

  // Each entry is there once, although the import has brought it to a second database.
  const audit = ['audit', '--brand', brandId];
  const { entries } = await admin.json(...audit);
  expect(records(entries).map(({ action }) => action)).toEqual([
    'brand.create',
    'brand.suspend',
    'brand.resume',
    'key.issue',
    'key.rotate',
    'key.revoke',
    'tokens.reset',
    'brand.delete.begin',
    'brand.delete.done',
    'brand.import.begin',
    'brand.import.done',
    'key.rotate',
    'key.rotate',
  ]);
  const { entries: newest } = await admin.json(...audit, '--limit', '12');
  expect(newest).toEqual(records(entries).slice(1));
});

it('A command for one brand follows it if a move ends after it was found', async () => {
  const { brandId } = await create('Moving', 0);
  let isMoved = false;
  const open: DatabaseOpener = (target) =>
    interceptDatabase(admin.open(target), async (call, statements) => {
      // The brand is found by one statement.
      if (statements.length > 1 && !isMoved) {
        isMoved = true;
        await moveBrand(NUMBERS.map(database), brandId, { to: 1 });
      }
      return call();
    });
  const words = ['key', 'issue', brandId, '--json'];
  const { code, stdout, stderr } = await runHere(words, open, admin.configuration);
  expect(code, stderr).toBe(0);
  expect(databaseOfKey(made.parse(JSON.parse(stdout)).apiKey)).toBe(1);
});

it('A command for one brand or key says so if no database has it', async () => {
  await expectRefused(
    `There is no brand ${UNKNOWN}.`,
    `brand show ${UNKNOWN}`,
    `brand delete ${UNKNOWN} --yes`,
    `key issue ${UNKNOWN}`,
    `key list ${UNKNOWN}`,
    `tokens reset --brand ${UNKNOWN}`,
  );
  await expectRefused(`There is no key ${UNKNOWN}.`, `key revoke ${UNKNOWN}`);
});

it('`key rotate --all` rotates the keys of all databases into a file, once', async () => {
  const file = join(admin.folder.path, 'rotated.ndjson');
  const rotate = ['key', 'rotate', '--all', '--yes', '--keys-to', file];
  const { rotated, refused } = await admin.json(...rotate);
  expect(refused).toEqual([]);
  expect(await admin.json(...rotate)).toMatchObject({ rotated: 0, found: rotated });
  const keys = (await readFile(file, 'utf8')).trim().split('\n');
  const databases = keys.map((line) => databaseOfKey(made.parse(JSON.parse(line)).apiKey));
  expect([databases.length, [...new Set(databases)].sort()]).toEqual([rotated, NUMBERS]);
});

it('`tokens reset` resets the tokens of all brands, or of those of one database', async () => {
  const reset = ['tokens', 'reset', '--all', '--yes'];
  const { databases } = await admin.json('database', 'list');
  for (const { number, brands } of records(databases)) {
    const document = await admin.json(...reset, '--database', String(number));
    expect(document).toEqual({ resetBrands: brands });
  }
  const { total } = await admin.json('brand', 'list');
  expect(await admin.json(...reset)).toEqual({ resetBrands: total });
});

it('`brand move` moves a brand, which the audit trail and its old keys tell, and may be given up or kept', async () => {
  const { brandId, apiKey } = await create('Moving', 0);
  await fillBrand(database(0), brandId);
  const move = ['brand', 'move', brandId];
  const before = await admin.json('brand', 'show', brandId);
  const { stderr } = await admin.run(...move, '--to', '2');
  expect(stderr).toMatch(/^\d+ rows, \d+ bytes\. Writes were refused for [\d.]+ seconds\.$/m);
  expect(await admin.json('brand', 'show', brandId)).toEqual(before);
  for (const from of [2, null]) {
    const moved = await admin.json(...move, '--to', '1');
    expectShape('brand move', moved);
    expect(moved).toMatchObject({ brandId, from, to: 1 });
  }
  const old = await admin.json('key', 'list', '--prefix', apiKey);
  expect(old).toMatchObject({ keys: [{ brandId, revokedAt: null }] });
  await expectRefused('at home in database 1', `brand move ${brandId} --abort`);
  await expectRefused('There is no database 7.', `brand move ${brandId} --to 7`);
  admin.jurisdictions.set(0, 'eu');
  await expectRefused('not in the jurisdiction', `brand move ${brandId} --to 0`);
  admin.jurisdictions.clear();
  const kept = await admin.json(...move, '--keep', '1');
  expectShape('brand move --keep', kept);
  expect(kept).toEqual({ brandId, keptIn: 1 });
  for (const [database, products] of Object.entries({ 0: 0, 1: 2 })) {
    const words = ['--database', database, '--to', join(admin.folder.path, database)];
    const exported = await admin.json('brand', 'export', brandId, ...words);
    expect(exported).toMatchObject({ counts: { products } });
  }
  for (const unclear of [[], ['--to', '1', '--abort']]) {
    expect((await admin.run(...move, ...unclear)).code).toBe(2);
  }
  const { entries } = await admin.json('audit', '--brand', brandId, '--limit', '5');
  expect(records(entries).map(({ action }) => action)).toEqual([
    'brand.freeze',
    'brand.move',
    'brand.freeze',
    'brand.move',
    'brand.keep',
  ]);
});

it('`brand move` leaves no name of a brand behind that is deleted later, in no database', async () => {
  const { brandId, keyId } = await create('Forgotten', 0);
  const move = ['brand', 'move', brandId, '--to'];
  await admin.json(...move, '2');
  await admin.json('key', 'rotate', keyId, '--label', "Anna's laptop");
  await admin.json(...move, '1');
  await admin.json('brand', 'delete', brandId, '--yes');
  const { entries } = await admin.json('audit', '--brand', brandId);
  expect(records(entries).length).toBeGreaterThan(5);
  for (const number of NUMBERS) {
    const [found] = await database(number).run(sql`select details from audit_trail`);
    expect(JSON.stringify(found)).not.toMatch(/Forgotten|Anna/);
  }
});

it('`brand move` refuses other commands for the brand until it has ended or is given up', async () => {
  const { brandId, keyId } = await create('Frozen', 0);
  const frozenAt = '2026-01-31T09:30:00.000Z';
  await database(0).run(
    sql`update api_keys set frozen_at = ${frozenAt} where brand_id = ${brandId}`,
    sql`insert into audit_trail (id, at, action, brand_id, actor, details)
        values (${brandId}, ${frozenAt}, 'brand.freeze', ${brandId}, 'Ann', '{"to":1}')`,
  );
  await expectRefused(
    `has been frozen since ${frozenAt}`,
    `brand suspend ${brandId}`,
    `brand delete ${brandId} --yes`,
    `key issue ${brandId}`,
    `key revoke ${keyId}`,
    `tokens reset --brand ${brandId}`,
    `brand move ${brandId} --to 2`,
  );
  const state = { unfinished: 'move', frozenAt };
  expect(await admin.json('brand', 'show', brandId)).toMatchObject(state);
  const shown = `move, frozen since ${frozenAt}`;
  expect((await admin.run('brand', 'show', brandId)).stdout).toContain(shown);
  expect((await admin.run('brand', 'list', '--search', 'Frozen')).stdout).toContain(shown);
  const { code: needs, stdout: status, stderr } = await admin.run('status', '--json');
  expect([needs, stderr]).toEqual([1, expect.stringContaining('1 brand is frozen')]);
  expect(record(JSON.parse(status))['brands']).toContainEqual({
    brandId,
    brandName: 'Frozen',
    suspendedAt: null,
    ...state,
  });
  const { code, stdout } = await admin.run('database', 'check', '--json');
  const check = record(JSON.parse(stdout));
  expectShape('database check', check);
  expect([code, check]).toMatchObject([1, { brands: [{ brandId, fault: 'frozen' }] }]);
  const given = await admin.json('brand', 'move', brandId, '--abort');
  expectShape('brand move --abort', given);
  expect(given).toMatchObject({ brandId, staysIn: 0 });
  expect(await admin.json('database', 'check')).toEqual({ brands: [] });
  await admin.json('key', 'issue', brandId);
});

it('`brand move` refuses a brand of which only a part is there', async () => {
  const { brandId } = await create('Partly', 0);
  for (const [unfinished, part] of [
    ['delete', 'partly deleted'],
    ['import', 'partly imported'],
  ] as const) {
    await database(0).run(sql`update brands set unfinished = ${unfinished} where id = ${brandId}`);
    await expectRefused(part, `brand move ${brandId} --to 1`, `brand suspend ${brandId}`);
  }
  await expectRefused('at home in database 0', `brand move ${brandId} --abort`);
  await admin.json('brand', 'delete', brandId, '--yes');
  await expectRefused('There is no brand', `brand show ${brandId}`);
});

describe('one database', () => {
  let one: AdminOfSeveral;

  beforeAll(async () => {
    one = await openSeveral(1);
  });

  afterAll(() => one.close());

  it('No help text has a flag for several databases if there is one', async () => {
    for (const [words, ofSeveral] of [
      [['brand', 'create', '--help'], '--database <number>'],
      [['tokens', 'reset', '--help'], '--database <number>'],
      [['database', 'list'], 'movedAway'],
    ] as const) {
      expect((await one.run(...words)).stdout).not.toContain(ofSeveral);
      expect((await admin.run(...words)).stdout).toContain(ofSeveral);
    }
  });

  it('A command makes one call for one brand or key if there is one database', async () => {
    let calls = 0;
    const counted: DatabaseOpener = (target) =>
      interceptDatabase(one.open(target), (call) => {
        calls++;
        return call();
      });
    const { brandId, keyId } = made.parse(await one.json('brand', 'create', 'Only'));
    for (const command of [
      'brand create Another',
      'brand list',
      'key list',
      'audit',
      'database list',
      `brand show ${brandId}`,
      `brand suspend ${brandId}`,
      `brand resume ${brandId}`,
      `key issue ${brandId}`,
      `key rotate ${keyId}`,
      `key revoke ${keyId}`,
      'tokens reset --all --yes',
    ]) {
      calls = 0;
      const { code, stderr } = await runHere(command.split(' '), counted, one.configuration);
      expect([command, code, calls], stderr).toEqual([command, 0, 1]);
    }
  });
});
