import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { databaseOfKey } from '../../src/auth/api-key.ts';
import type { Open } from '../../tools/admin/databases.ts';
import type { OpenDatabase } from '../../tools/admin/execute.ts';
import type { Configuration } from '../../tools/admin/configuration.ts';
import { moveBrand } from '../../tools/admin/move/move.ts';
import { runHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { expectShape } from './json-shapes.ts';
import { record, records } from './processes.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';
import { around } from '../support/around.ts';

// The admin tool on three databases. Each part uses brands of its own.

let admin: AdminOfSeveral;

beforeAll(async () => {
  admin = await openSeveral(3);
});

afterAll(() => admin.close());

const madeSchema = z.object({ brandId: z.string(), keyId: z.string(), apiKey: z.string() });
type Made = z.infer<typeof madeSchema>;
const made = (document: unknown): Made => madeSchema.parse(document);

async function create(name: string, number: number): Promise<Made> {
  return made(await admin.json('brand', 'create', name, '--database', String(number)));
}

function database(number: number): OpenDatabase {
  const found = admin.databases[number];
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found;
}

/** What the tool would read of a configuration with these databases. */
function configurationOf(numbers: readonly number[]): Configuration {
  return {
    hasSeveral: () => numbers.length > 1,
    numbers: () => Promise.resolve(numbers),
    databases: () => Promise.resolve([{ number: 0, name: 'first', id: 'id' }]),
    jurisdictions: () => Promise.resolve(new Map()),
  };
}

async function count(number: number, table: string, brandId: string): Promise<number> {
  const column = table === 'brands' ? 'id' : 'brand_id';
  const [[row]] = await database(number)(
    sql`select count(*) as count from ${sql.identifier(table)} where ${sql.identifier(column)} = ${brandId}`,
  );
  return Number(row?.['count']);
}

describe('A new brand', () => {
  it('goes where --database says, and its keys carry the number', async () => {
    for (const number of [0, 1, 2]) {
      const { brandId, apiKey } = await create(`In ${number}`, number);
      expect(databaseOfKey(apiKey)).toBe(number);
      expect(await count(number, 'brands', brandId)).toBe(1);
      const issued = made(await admin.json('key', 'issue', brandId));
      expect(databaseOfKey(issued.apiKey)).toBe(number);
      const { keys } = await admin.json('key', 'rotate', '--brand', brandId);
      for (const key of records(keys)) expect(databaseOfKey(String(key['apiKey']))).toBe(number);
    }
  });

  it('goes by default into the smallest database of the jurisdiction of the first', async () => {
    const SIZES = [200_000, 0, 100_000];
    for (const [number, size] of SIZES.entries()) {
      await database(number)(sql`create table ballast (x text)`);
      await database(number)(sql`insert into ballast values (hex(zeroblob(${size})))`);
    }
    const created = async (...jurisdictions: [number, string][]): Promise<number> => {
      admin.jurisdictions.clear();
      for (const [number, name] of jurisdictions) admin.jurisdictions.set(number, name);
      return databaseOfKey(made(await admin.json('brand', 'create', 'Near')).apiKey);
    };
    expect(await created()).toBe(1);
    expect(await created([0, 'eu'], [2, 'eu'], [1, 'us'])).toBe(2);
    expect(await created([1, 'us'], [2, 'us'])).toBe(0);
    const { databases } = await admin.json('database', 'list');
    expect(records(databases).map(({ jurisdiction }) => jurisdiction)).toEqual([null, 'us', 'us']);
    admin.jurisdictions.clear();
    for (const number of SIZES.keys()) await database(number)(sql`drop table ballast`);
  });

  it('cannot go into a database that there is not', async () => {
    const { code, stderr } = await admin.run('brand', 'create', 'Nowhere', '--database', '3');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: There is no database 3.')]);
    expect((await admin.run('brand', 'create', 'Nowhere', '--database', 'x')).code).toBe(2);
  });

  it('is reported if another database has a brand of its name', async () => {
    const { brandId } = await create('Twin', 0);
    for (const number of ['2', '0']) {
      const { stderr } = await admin.run('brand', 'create', 'Twin', '--database', number);
      expect(stderr).toContain('has this name');
      expect(stderr).toContain(brandId);
      expect(stderr).toContain(`This was the local database ${number}.`);
    }
  });
});

describe('Lists', () => {
  it('of brands are in one order, in pages, with one total', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await create(`Listed ${n}`, n % 3)).brandId);
    const words = ['brand', 'list', '--search', 'listed'];
    const all = await admin.json(...words);
    expectShape('brand list', all);
    expect(all).toMatchObject({ total: 5, next: null });
    expect(records(all['brands']).map(({ brandId }) => brandId)).toEqual(ids);
    const seen: unknown[] = [];
    for (let after: string[] = []; seen.length < 5;) {
      const { brands, next, total } = await admin.json(...words, '--limit', '2', ...after);
      expect(total).toBe(5);
      seen.push(...records(brands).map(({ brandId }) => brandId));
      expect(next === null).toBe(seen.length === 5);
      after = ['--after', String(next)];
    }
    expect(seen).toEqual(ids);
    expect((await admin.run(...words)).stderr).toContain(
      'These were the local databases 0, 1, 2. Add --remote to use the deployed ones.',
    );
  });

  it('of keys are in one order, with their filters', async () => {
    const keys: Made[] = [];
    for (const number of [2, 0, 1]) keys.push(await create(`Keys ${number}`, number));
    const ids = keys.map(({ keyId }) => keyId);
    const { keys: listed } = await admin.json('key', 'list', '--live');
    const found = records(listed).map(({ keyId }) => String(keyId));
    expect(found).toEqual(found.toSorted());
    expect(found.filter((id) => ids.includes(id))).toEqual(ids);
    for (const { apiKey, keyId, brandId } of keys) {
      const prefix = apiKey.slice(0, 12);
      expect(await admin.json('key', 'list', '--prefix', prefix)).toMatchObject({
        keys: [{ keyId, brandId }],
      });
      expect(await admin.json('key', 'list', brandId)).toMatchObject({ keys: [{ keyId }] });
    }
  });

  it('of the audit trail are in one order, and the newest of all', async () => {
    for (const number of [1, 0, 2, 1]) await create('Audited', number);
    const { entries } = await admin.json('audit');
    const times = records(entries).map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted());
    const { entries: newest } = await admin.json('audit', '--limit', '3');
    expect(records(newest).map(({ at }) => at)).toEqual(times.slice(-3));
    for (const [limit, hasOlder] of [
      [3, true],
      [times.length, false],
    ] as const) {
      const { stderr } = await admin.run('audit', '--limit', String(limit));
      expect(stderr.includes('There are older ones.')).toBe(hasOlder);
    }
  });

  it('of the audit trail show an entry once, although an import has brought it to a second database', async () => {
    const { brandId } = await create('Imported', 1);
    const file = join(admin.folder.path, 'imported.json');
    await admin.json('brand', 'export', brandId, '--to', file);
    await admin.json('brand', 'delete', brandId, '--yes');
    await admin.json('brand', 'import', file, '--database', '2');
    const actions = async (...words: string[]): Promise<unknown[]> =>
      records((await admin.json('audit', '--brand', brandId, ...words))['entries']).map(
        ({ action }) => action,
      );
    const all = [
      'brand.create',
      ...['brand.delete.begin', 'brand.delete.done', 'brand.import.begin', 'brand.import.done'],
    ];
    expect(await actions()).toEqual(all);
    expect(await actions('--limit', '4')).toEqual(all.slice(1));
  });
});

describe('A command for one brand or key', () => {
  it('finds it in its database', async () => {
    const { brandId, keyId } = await create('Found', 1);
    await fillBrand(database(1), brandId);
    await admin.json('brand', 'suspend', brandId);
    expect(await admin.json('brand', 'show', brandId)).not.toMatchObject({ suspendedAt: null });
    await admin.json('brand', 'resume', brandId);
    expect(databaseOfKey(made(await admin.json('key', 'rotate', keyId)).apiKey)).toBe(1);
    await admin.json('key', 'revoke', keyId);
    await admin.json('tokens', 'reset', '--brand', brandId);
    const file = join(admin.folder.path, 'found.json');
    await admin.json('brand', 'export', brandId, '--to', file);
    const refused = await admin.run('brand', 'import', file, '--database', '2');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('exists')]);
    await admin.json('brand', 'delete', brandId, '--yes');
    expect(await count(1, 'brands', brandId)).toBe(0);
    await admin.json('brand', 'import', file, '--database', '2');
    expect(await count(2, 'brands', brandId)).toBe(1);
    const { keys } = await admin.json('key', 'rotate', '--brand', brandId);
    for (const key of records(keys)) expect(databaseOfKey(String(key['apiKey']))).toBe(2);
  });

  it('follows it if a move ends after it was found', async () => {
    const { brandId } = await create('Moving', 0);
    let isMoved = false;
    const open: Open = ({ number = 0 }) =>
      around(database(number), async (call, statements) => {
        // The brand is found by one statement.
        if (statements.length > 1 && !isMoved) {
          isMoved = true;
          await moveBrand(admin.databases, brandId, { to: 1 });
        }
        return call();
      });
    const words = ['key', 'issue', brandId, '--json'];
    const { code, stdout, stderr } = await runHere(words, open, configurationOf([0, 1, 2]));
    expect(code, stderr).toBe(0);
    const { apiKey } = made(JSON.parse(stdout));
    expect(databaseOfKey(apiKey)).toBe(1);
  });

  it('says so if no database has it', async () => {
    const id = '01890000-0000-7000-8000-000000000000';
    for (const words of [
      ['brand', 'show', id],
      ['brand', 'delete', id, '--yes'],
      ['key', 'issue', id],
      ['key', 'list', id],
      ['tokens', 'reset', '--brand', id],
    ]) {
      const { code, stderr } = await admin.run(...words);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no brand ${id}.`)]);
    }
    const { stderr } = await admin.run('key', 'revoke', id);
    expect(stderr).toContain(`There is no key ${id}.`);
  });

  it('resets the tokens of all brands, or of those of one database', async () => {
    const { total } = await admin.json('brand', 'list');
    expect(await admin.json('tokens', 'reset', '--all', '--yes')).toEqual({ resetBrands: total });
    const { databases } = await admin.json('database', 'list');
    const [, second] = records(databases);
    expect(await admin.json('tokens', 'reset', '--all', '--yes', '--database', '1')).toEqual({
      resetBrands: second?.['brands'],
    });
  });
});

describe('database list', () => {
  it('says how much each has', async () => {
    const document = await admin.json('database', 'list');
    expectShape('database list', document);
    const found = records(document['databases']);
    expect(found.map(({ number, name }) => [number, name])).toEqual([
      [0, 'brand-integration-api'],
      [1, 'brand-integration-api-1'],
      [2, 'brand-integration-api-2'],
    ]);
    const { total } = await admin.json('brand', 'list');
    expect(found.reduce((sum, { brands }) => sum + Number(brands), 0)).toBe(total);
    for (const { bytes, share } of found) {
      expect(Number(bytes)).toBeGreaterThan(4096);
      expect(share).toBeCloseTo(Number(bytes) / 8e9, 4);
    }
  });
});

describe('brand move', () => {
  it('moves a brand, which the audit trail and its old keys tell, and may be given up or kept', async () => {
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
    const abort = await admin.run(...move, '--abort');
    expect(abort.code).toBe(1);
    expect(abort.stderr).toContain('at home in database 1');
    const kept = await admin.json(...move, '--keep', '1');
    expectShape('brand move --keep', kept);
    expect(kept).toMatchObject({ brandId, keptIn: 1 });
    for (const [database, products] of [
      ['1', 2],
      ['0', 0],
    ] as const) {
      const to = join(admin.folder.path, `database-${database}.json`);
      const words = ['--database', database, '--to', to];
      const exported = await admin.json('brand', 'export', brandId, ...words);
      expect(exported).toMatchObject({ counts: { products } });
    }
    for (const unclear of [[], ['--to', '1', '--abort']]) {
      expect((await admin.run(...move, ...unclear)).code).toBe(2);
    }
    const { entries } = await admin.json('audit', '--brand', brandId, '--limit', '5');
    expect(records(entries).map(({ action }) => action)).toEqual([
      ...['brand.freeze', 'brand.move', 'brand.freeze', 'brand.move', 'brand.keep'],
    ]);
  });

  it('refuses other commands for the brand until it has ended or is given up', async () => {
    const { brandId, keyId } = await create('Frozen', 0);
    const frozenAt = '2026-01-31T09:30:00.000Z';
    await database(0)(
      sql`update api_keys set frozen_at = ${frozenAt} where brand_id = ${brandId}`,
      sql`insert into audit_trail (id, at, action, brand_id, actor, details)
        values (${brandId}, ${frozenAt}, 'brand.freeze', ${brandId}, 'Ann', '{"to":1}')`,
    );
    for (const words of [
      ['brand', 'suspend', brandId],
      ['brand', 'delete', brandId, '--yes'],
      ['key', 'issue', brandId],
      ['key', 'revoke', keyId],
      ['tokens', 'reset', '--brand', brandId],
      ['brand', 'move', brandId, '--to', '2'],
    ]) {
      const { code, stderr } = await admin.run(...words);
      expect(code).toBe(1);
      expect(stderr).toContain(`has been frozen since ${frozenAt}`);
    }
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
});

describe('With one database', () => {
  let one: AdminOfSeveral;

  beforeAll(async () => {
    one = await openSeveral(1);
  });

  afterAll(() => one.close());

  it('no help text has a flag for several', async () => {
    for (const [words, ofSeveral] of [
      [['brand', 'create', '--help'], '--database <number>'],
      [['tokens', 'reset', '--help'], '--database <number>'],
      [['database', 'list'], 'movedAway'],
    ] as const) {
      expect((await one.run(...words)).stdout).not.toContain(ofSeveral);
      expect((await admin.run(...words)).stdout).toContain(ofSeveral);
    }
  });

  it('a command makes one call for one brand or key', async () => {
    let calls = 0;
    const counted: Open = () =>
      around(one.execute, (call) => {
        calls++;
        return call();
      });
    const { brandId, keyId } = made(await one.json('brand', 'create', 'Only'));
    for (const words of [
      ['brand', 'create', 'Another'],
      ['brand', 'list'],
      ['brand', 'show', brandId],
      ['brand', 'suspend', brandId],
      ['brand', 'resume', brandId],
      ['key', 'issue', brandId],
      ['key', 'list'],
      ['key', 'rotate', keyId],
      ['key', 'revoke', keyId],
      ['tokens', 'reset', '--all', '--yes'],
      ['audit'],
      ['database', 'list'],
    ]) {
      calls = 0;
      const { code, stderr } = await runHere(words, counted, configurationOf([0]));
      expect([words, code, calls], stderr).toEqual([words, 0, 1]);
    }
  });
});
