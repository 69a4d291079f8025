import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, beginMove } from '../../mover/index.ts';
import { databaseOfKey } from '../../src/auth/api-key.ts';
import { deleteBrand } from '../../tools/admin/brands.ts';
import type { Open } from '../../tools/admin/databases.ts';
import { Databases } from '../../tools/admin/databases.ts';
import type { Execute, OpenDatabase } from '../../tools/admin/execute.ts';
import { inline } from '../../tools/admin/execute.ts';
import { issueKey, revokeKey } from '../../tools/admin/keys.ts';
import { localMover, moveBrand } from '../../tools/admin/moves.ts';
import { suspendBrand } from '../../tools/admin/suspension.ts';
import type { Configuration } from '../../tools/admin/configuration.ts';
import { runHere } from './admin-here.ts';
import { fillBrand } from './brand-rows.ts';
import { expectShape } from './json-shapes.ts';
import { records } from './processes.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';

// The admin tool on three databases. Each part uses brands of its own.

let admin: AdminOfSeveral;

beforeAll(async () => {
  admin = await openSeveral(3);
});

afterAll(() => admin.close());

interface Made {
  readonly brandId: string;
  readonly keyId: string;
  readonly apiKey: string;
}

function made(document: Record<string, unknown>): Made {
  return {
    brandId: String(document['brandId']),
    keyId: String(document['keyId']),
    apiKey: String(document['apiKey']),
  };
}

async function create(name: string, number: number): Promise<Made> {
  return made(await admin.json('brand', 'create', name, '--database', String(number)));
}

function database(number: number): OpenDatabase {
  const found = admin.databases[number];
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found;
}

/** Opens a database as the tool does it, if there are several. */
function opened(number: number): Execute {
  return Object.assign((...statements: Parameters<Execute>) => database(number)(...statements), {
    ...{ actor: 'Ann', database: number, hasPeers: true },
  });
}

async function count(number: number, table: string, brandId: string): Promise<number> {
  const column = table === 'brands' ? 'id' : 'brand_id';
  const [[row] = []] = await database(number)(
    sql`select count(*) as count from ${sql.identifier(table)} where ${sql.identifier(column)} = ${brandId}`,
  );
  return Number(row?.['count']);
}

async function addTombstone(brandId: string, number: number): Promise<void> {
  await database(number)(
    sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
      values (${brandId}, 'products', 1, ${brandId}, '2026-01-31T09:30:00.000Z')`,
  );
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

  it('goes into the smallest database by default', async () => {
    await database(0)(sql`create table ballast (x text)`);
    await database(0)(sql`insert into ballast values (hex(zeroblob(200000)))`);
    await database(2)(sql`create table ballast (x text)`);
    await database(2)(sql`insert into ballast values (hex(zeroblob(100000)))`);
    expect(databaseOfKey(made(await admin.json('brand', 'create', 'Small')).apiKey)).toBe(1);
    await database(1)(sql`create table ballast (x text)`);
    await database(1)(sql`insert into ballast values (hex(zeroblob(300000)))`);
    expect(databaseOfKey(made(await admin.json('brand', 'create', 'Small')).apiKey)).toBe(2);
    for (const number of [0, 1, 2]) await database(number)(sql`drop table ballast`);
  });

  it('goes by default into a database of the jurisdiction of the first', async () => {
    for (const number of [1, 2]) {
      await database(number)(sql`create table ballast (x text)`);
      await database(number)(sql`insert into ballast values (hex(zeroblob(200000)))`);
    }
    const created = async (...jurisdictions: [number, string][]): Promise<number> => {
      admin.jurisdictions.clear();
      for (const [number, name] of jurisdictions) admin.jurisdictions.set(number, name);
      return databaseOfKey(made(await admin.json('brand', 'create', 'Near')).apiKey);
    };
    expect(await created()).toBe(0);
    expect(await created([0, 'eu'], [2, 'eu'], [1, 'us'])).toBe(0);
    await database(0)(sql`create table ballast (x text)`);
    await database(0)(sql`insert into ballast values (hex(zeroblob(400000)))`);
    expect(await created([0, 'eu'], [2, 'eu'], [1, 'us'])).toBe(2);
    expect(await created([1, 'us'])).toBe(2);
    expect(await created([1, 'us'], [2, 'us'])).toBe(0);
    const { databases } = await admin.json('database', 'list');
    expect(records(databases).map(({ jurisdiction }) => jurisdiction)).toEqual([null, 'us', 'us']);
    admin.jurisdictions.clear();
    for (const number of [0, 1, 2]) await database(number)(sql`drop table ballast`);
  });

  it('cannot go into a database that there is not', async () => {
    const { code, stderr } = await admin.run('brand', 'create', 'Nowhere', '--database', '3');
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: There is no database 3.')]);
    expect((await admin.run('brand', 'create', 'Nowhere', '--database', 'x')).code).toBe(2);
  });

  it('is reported if another database has a brand of its name', async () => {
    const { brandId } = await create('Twin', 0);
    const { stderr } = await admin.run('brand', 'create', 'Twin', '--database', '2');
    expect(stderr).toContain(`Another brand has this name: ${brandId}.`);
    expect(stderr).toContain('This was the local database 2.');
  });
});

describe('Lists', () => {
  it('of brands are in one order, in pages, with one total', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.push((await create(`Listed ${n}`, n % 3)).brandId);
    const newest = ids.toReversed();
    const all = await admin.json('brand', 'list', '--search', 'listed');
    expectShape('brand list', all);
    expect([all['total'], all['next']]).toEqual([7, null]);
    expect(records(all['brands']).map(({ brandId }) => brandId)).toEqual(newest);
    const seen: unknown[] = [];
    let after: string[] = [];
    for (let page = 0; page < 4; page++) {
      const words = ['--search', 'listed', '--limit', '2', ...after];
      const { brands, next, total } = await admin.json('brand', 'list', ...words);
      expect(total).toBe(7);
      seen.push(...records(brands).map(({ brandId }) => brandId));
      expect(next === null).toBe(page === 3);
      after = ['--after', String(next)];
    }
    expect(seen).toEqual(newest);
    // The end of a page is the end of the list.
    const exact = await admin.json('brand', 'list', '--search', 'listed', '--limit', '7');
    expect([records(exact['brands']).length, exact['next']]).toEqual([7, null]);
    // A page, and what comes after it, may be of one database alone.
    for (let n = 0; n < 3; n++) await create('In one alone', 1);
    const part = await admin.json('brand', 'list', '--search', 'in one alone', '--limit', '2');
    const rest = ['--search', 'in one alone', '--after', String(part['next'])];
    expect(records((await admin.json('brand', 'list', ...rest))['brands'])).toHaveLength(1);
    const none = await admin.json('brand', 'list', '--search', 'nothing has this');
    expect(none).toEqual({ total: 0, brands: [], next: null });
  });

  it('of brands can be of one database, in pages', async () => {
    const there = [await create('Placed', 1), await create('Placed', 1)];
    await create('Placed', 2);
    const of = ['brand', 'list', '--search', 'placed', '--database', '1'];
    const page = await admin.json(...of, '--limit', '1');
    expect(page).toMatchObject({ total: 2, brands: [{ brandId: there[1]?.brandId }] });
    const rest = await admin.json(...of, '--after', String(page['next']));
    expect(rest).toMatchObject({ brands: [{ brandId: there[0]?.brandId }], next: null });
    expect((await admin.run(...of)).stderr).toContain('This was the local database 1.');
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
    const older = 'There are older ones.';
    expect((await admin.run('audit', '--limit', '3')).stderr).toContain(older);
    expect((await admin.run('audit', '--limit', String(times.length))).stderr).not.toContain(older);
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
    expect(await actions('--limit', '5')).toEqual(all);
    expect(await actions('--limit', '4')).toEqual(all.slice(1));
    const { stderr } = await admin.run('audit', '--brand', brandId, '--limit', '5');
    expect(stderr).not.toContain('There are older ones.');
  });

  it('are printed with the databases that they are of', async () => {
    expect((await admin.run('brand', 'list')).stderr).toContain(
      'These were the local databases 0, 1, 2. Add --remote to use the deployed ones.',
    );
  });
});

describe('A command for one brand or key', () => {
  it('finds it in any database', async () => {
    for (const number of [0, 1, 2]) {
      const { brandId, keyId } = await create('Found', number);
      await fillBrand(opened(number), brandId);
      expect(await admin.json('brand', 'show', brandId)).toMatchObject({ brandName: 'Found' });
      await admin.json('brand', 'suspend', brandId);
      expect(await admin.json('brand', 'show', brandId)).not.toMatchObject({ suspendedAt: null });
      await admin.json('brand', 'resume', brandId);
      const rotated = made(await admin.json('key', 'rotate', keyId));
      expect(databaseOfKey(rotated.apiKey)).toBe(number);
      await admin.json('key', 'revoke', keyId);
      await admin.json('tokens', 'reset', '--brand', brandId);
      const file = join(admin.folder.path, `brand-${number}.json`);
      await admin.json('brand', 'export', brandId, '--to', file);
      const refused = await admin.run('brand', 'import', file, '--database', '1');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('exists')]);
      await admin.json('brand', 'delete', brandId, '--yes');
      expect(await count(number, 'brands', brandId)).toBe(0);
      const other = (number + 1) % 3;
      await admin.json('brand', 'import', file, '--database', String(other));
      expect(await count(other, 'brands', brandId)).toBe(1);
      const { keys } = await admin.json('key', 'rotate', '--brand', brandId);
      for (const key of records(keys)) expect(databaseOfKey(String(key['apiKey']))).toBe(other);
    }
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

describe('brand move', () => {
  it('says what it took, and continues what broke off', async () => {
    const { brandId } = await create('To move', 0);
    await addTombstone(brandId, 0);
    // Somebody else's move, which ended after its first step.
    const plan = { brandId, source: 0, target: 1, actor: 'tests' };
    const begun = await beginMove(admin.local.at(0), plan);
    if (begun === undefined) throw new Error('It has not begun.');
    await advance(admin.local.at(0), admin.local.at(1), begun);

    const moved = await admin.json('brand', 'move', brandId, '--to', '2');
    expectShape('brand move', moved);
    const figures = { failedCommits: 0, frozenSeconds: 0, reason: null, instance: null };
    expect(moved).toMatchObject({ brandId, from: 1, to: 2, state: 'settled', ...figures });
    expect(Number(moved['seconds'])).toBeLessThan(60);
    expect(Number(moved['rows'])).toBeGreaterThan(0);
    const { keys } = await admin.json('key', 'list', brandId);
    expect(records(keys)).toHaveLength(1);
    // The first keys lead to the brand at once.
    for (const number of [0, 1]) {
      const [rows] = await database(number)(
        sql`select moved_to from api_keys where brand_id = ${brandId}`,
      );
      expect(rows).toEqual([{ moved_to: 2 }]);
    }
    const { entries } = await admin.json('audit', '--brand', brandId);
    const actions = records(entries).map(({ action }) => action);
    expect(actions.filter((action) => action === 'brand.move.done')).toHaveLength(2);
    expect(await admin.json('brand', 'move', brandId, '--status')).toEqual(moved);
    // What it left behind in number 0 does not hinder it.
    const back = await admin.json('brand', 'move', brandId, '--to', '1');
    expect(back).toMatchObject({ from: 2, to: 1, state: 'settled' });
  });

  it('can be given up before its commit', async () => {
    const { brandId } = await create('Undecided', 0);
    await addTombstone(brandId, 0);
    const never = await admin.run('brand', 'move', brandId, '--abort');
    expect([never.code, never.stderr]).toEqual([1, expect.stringContaining('has not been moved.')]);
    await beginMove(admin.local.at(0), { brandId, source: 0, target: 1, actor: 'tests' });
    const state = { brandId, from: 0, to: 1, rows: 0, state: 'copying' };
    expect(await admin.json('brand', 'move', brandId, '--status')).toMatchObject(state);
    const reason = 'The operator has given it up.';
    for (let again = 0; again < 2; again++) {
      const aborted = await admin.json('brand', 'move', brandId, '--abort');
      expectShape('brand move', aborted);
      expect(aborted).toMatchObject({ ...state, state: 'over', reason });
    }
    await admin.json('brand', 'move', brandId, '--to', '2');
    const { code, stderr } = await admin.run('brand', 'move', brandId, '--abort');
    const committed = `The move is committed: the brand ${brandId} is in database 2. The way back is another move: --to 0.`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(committed)]);
  });

  it.each(['', '--to 1 --status', '--to 1 --abort', '--status --abort'])(
    'is refused with the options "%s"',
    async (words) => {
      const options = words.split(' ').filter((word) => word !== '');
      expect((await admin.run('brand', 'move', 'x', ...options)).code).toBe(2);
    },
  );

  it('is refused to a database that there is not', async () => {
    const { brandId } = await create('Stays', 0);
    const { code, stderr } = await admin.run('brand', 'move', brandId, '--to', '7');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('There is no database 7. wrangler.toml has: 0, 1, 2.'),
    ]);
    expect(await count(0, 'api_keys', brandId)).toBe(1);
  });

  it('lets old keys lead to the brand directly, even if it broke off after the commit', async () => {
    const { brandId } = await create('Redirected', 0);
    for (const [source, target] of [
      [0, 1],
      [1, 2],
    ] as const) {
      const plan = { brandId, source, target, actor: 'tests' };
      const begun = await beginMove(admin.local.at(source), plan);
      if (begun === undefined) throw new Error('It has not begun.');
      let isSettled = false;
      while (!isSettled) {
        const step = await advance(admin.local.at(source), admin.local.at(target), begun);
        ({ isSettled } = step);
      }
    }
    const { stderr } = await admin.run('brand', 'move', brandId, '--to', '2');
    expect(stderr).toContain('in database 2 already');
    expect(
      await database(0)(sql`select moved_to from api_keys where brand_id = ${brandId}`),
    ).toEqual([[{ moved_to: 2 }]]);
  });

  it('goes on while another process writes to the same files', async () => {
    const { brandId } = await create('Busy', 0);
    let failures = 12;
    // As workerd reports that SQLite is busy.
    const busy: typeof admin.local.at = (number) => {
      const database = admin.local.at(number);
      return {
        prepare: (query) => database.prepare(query),
        batch: (statements) =>
          failures-- > 0
            ? Promise.reject(new Error('D1_ERROR: internal error; reference = 58bvsbghe1mgr0'))
            : database.batch(statements),
      };
    };
    const mover = localMover({ ...admin.local, at: busy });
    const order = { brandId, to: 1, actor: 'tests', findHome: () => Promise.resolve(0) };
    const moved = await moveBrand(mover, order, () => Promise.resolve());
    expect(moved).toMatchObject({ from: 0, to: 1 });
    expect(failures).toBeLessThan(0);
  });

  it('to another jurisdiction needs a flag that says so', async () => {
    const { brandId } = await create('At home', 0);
    admin.jurisdictions.set(1, 'eu');
    const words = ['brand', 'move', brandId, '--to', '1'];
    const { code, stderr } = await admin.run(...words);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'Database 0 is in no jurisdiction, and database 1 in the jurisdiction eu.',
      ),
    ]);
    expect(await count(1, 'brands', brandId)).toBe(0);
    expect((await admin.run(...words, '--to-other-jurisdiction')).code).toBe(0);
    admin.jurisdictions.clear();
  });

  it('does nothing if the brand is there already', async () => {
    const { brandId } = await create('There', 1);
    const { code, stderr } = await admin.run('brand', 'move', brandId, '--to', '1');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('The brand is in database 1 already.'),
    ]);
  });

  it('is refused for a brand that does not exist', async () => {
    const nobody = '01890000-0000-7000-8000-000000000000';
    const { code, stderr } = await admin.run('brand', 'move', nobody, '--to', '1');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no brand ${nobody}.`)]);
  });
});

describe('A brand that has moved', () => {
  it('is listed, changed and deleted where it is at home', async () => {
    const { brandId, keyId, apiKey } = await create('Moved', 1);
    await addTombstone(brandId, 1);
    const movedAway = async (): Promise<number[]> =>
      records((await admin.json('database', 'list'))['databases']).map((one) =>
        Number(one['movedAway']),
      );
    const [first = 0, second = 0, third = 0] = await movedAway();
    await admin.json('brand', 'move', brandId, '--to', '2');
    expect(await admin.json('brand', 'list', '--search', 'Moved')).toMatchObject({
      total: 1,
      brands: [{ brandId, liveKeys: 1 }],
    });
    const prefix = apiKey.slice(0, 12);
    const { keys } = await admin.json('key', 'list', '--prefix', prefix);
    expect(records(keys)).toHaveLength(1);
    expect(await movedAway()).toEqual([first, second + 1, third]);

    const before = await database(1)(sql`select * from api_keys where brand_id = ${brandId}`);
    const issued = made(await admin.json('key', 'issue', brandId));
    expect(databaseOfKey(issued.apiKey)).toBe(2);
    await admin.json('key', 'revoke', keyId);
    await admin.json('brand', 'suspend', brandId);
    expect(await database(1)(sql`select * from api_keys where brand_id = ${brandId}`)).toEqual(
      before,
    );
    expect(await count(2, 'api_keys', brandId)).toBe(2);

    await admin.json('brand', 'delete', brandId, '--yes');
    for (const number of [1, 2]) {
      for (const table of ['brands', 'api_keys', 'products', 'tombstones']) {
        expect(await count(number, table, brandId)).toBe(0);
      }
    }
    const { entries } = await admin.json('audit', '--brand', brandId);
    const actions = records(entries).map(({ action }) => action);
    expect(actions.filter((action) => action === 'brand.delete.done')).toHaveLength(1);
  });

  it('is deleted completely if the deletion is repeated after it broke off', async () => {
    const { brandId } = await create('Broken off', 0);
    await admin.json('brand', 'move', brandId, '--to', '2');
    await deleteBrand(opened(2), brandId);
    expect(await count(0, 'brands', brandId)).toBe(1);
    const { code, stderr } = await admin.run('brand', 'show', brandId);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Database 0 still has its old keys.'),
    ]);
    await admin.json('brand', 'delete', brandId, '--yes');
    expect(await count(0, 'brands', brandId)).toBe(0);
  });

  it('is not changed where it is not at home, even if it was there a moment before', async () => {
    const { brandId, keyId } = await create('Stale', 0);
    await addTombstone(brandId, 0);
    await admin.json('brand', 'move', brandId, '--to', '1');
    const state = async (): Promise<unknown> =>
      database(0)(
        ...['brands', 'api_keys', 'products', 'tombstones', 'audit_trail'].map(
          (table) => sql`select * from ${sql.identifier(table)}`,
        ),
      );
    const before = await state();
    const stale = opened(0);
    const sentence = 'has moved to database 1. Try again.';
    await expect(issueKey(stale, brandId, {})).rejects.toThrow(sentence);
    await expect(suspendBrand(stale, brandId)).rejects.toThrow(sentence);
    await expect(deleteBrand(stale, brandId)).rejects.toThrow(sentence);
    await expect(revokeKey(stale, keyId)).rejects.toThrow(sentence);
    expect(await state()).toEqual(before);
  });

  it('is found if it moves while the databases are read', async () => {
    const { brandId } = await create('Between reads', 0);
    const unused = (): Promise<never> => Promise.reject(new Error('Not to be asked.'));
    const configuration: Configuration = {
      ...{ worker: unused, jurisdictions: unused, openLocal: unused, databases: unused },
      hasSeveral: () => true,
      numbers: () => Promise.resolve([0, 1, 2]),
    };
    let reads = 0;
    const found = new Databases(({ number = 0 }) => {
      const execute: Execute = opened(number);
      const late = async (...statements: Parameters<Execute>): ReturnType<Execute> => {
        // The others are read before it moves, and this one after that.
        if (number === 0 && reads++ === 0) await admin.json('brand', 'move', brandId, '--to', '1');
        return execute(...statements);
      };
      return Object.assign(late, { ...database(number), actor: 'Ann', database: number });
    }, configuration);
    expect((await found.placesOf({}, brandId)).home?.database).toBe(1);
  });

  it('that is at home in no database, or in two, is not changed', async () => {
    const { brandId } = await create('Between', 0);
    await admin.json('brand', 'move', brandId, '--to', '1');
    const refusal = async (): Promise<string> => (await admin.run('key', 'issue', brandId)).stderr;
    const setState = async (
      number: number,
      state: string,
      movedTo: number | null,
    ): Promise<void> => {
      await database(number)(
        sql`update moves set state = ${state} where brand_id = ${brandId}`,
        sql`update api_keys set moved_to = ${movedTo} where brand_id = ${brandId}`,
      );
    };
    // Committed, and not settled.
    await setState(1, 'copying', 0);
    expect(await refusal()).toContain('is being moved. Try again in a moment.');
    await setState(1, 'home', null);
    // After a restore.
    await setState(0, 'copying', null);
    expect(await refusal()).toContain('is at home in the databases 0 and 1');
    await setState(0, 'gone', 1);
    await admin.json('key', 'issue', brandId);
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
    const { stdout } = await admin.run('database', 'list');
    expect(stdout).toContain('brand-integration-api-2');
    expect(stdout).toMatch(/0\.\d %/);
  });
});

describe('With one database', () => {
  const ofOne: Configuration = {
    hasSeveral: () => false,
    numbers: () => Promise.resolve([0]),
    databases: () => Promise.resolve([{ number: 0, name: 'only', id: 'id' }]),
    worker: () => Promise.resolve('brand-integration-api'),
    jurisdictions: () => Promise.resolve(new Map()),
    openLocal: () => Promise.reject(new Error('With one database, no brand moves.')),
  };
  const FLAG = '--database <number>';
  const WITH_FLAG = [
    ['brand', 'create'],
    ['brand', 'import'],
    ['brand', 'list'],
    ['tokens', 'reset'],
  ];
  /** What there is only with several. */
  const OF_MOVES = /moved?(Away|\.)|brand\.repair|spread/;

  it('no help text has a flag for several', async () => {
    const one = await openSeveral(1);
    for (const words of WITH_FLAG) {
      expect((await one.run(...words, '--help')).stdout).not.toContain(FLAG);
      expect((await admin.run(...words, '--help')).stdout).toContain(FLAG);
    }
    for (const words of [
      ['audit', '--help'],
      ['database', '--help'],
      ['database', 'list'],
    ]) {
      expect((await one.run(...words)).stdout).not.toMatch(OF_MOVES);
      expect((await admin.run(...words)).stdout).toMatch(OF_MOVES);
    }
    await one.close();
  });

  it('a command makes one call for one brand or key, and no statement asks where a brand is', async () => {
    const one = await openSeveral(1);
    const calls: string[][] = [];
    const open: Open = ({ actor = 'Ann' }) => {
      const counted = (...statements: Parameters<Execute>): ReturnType<Execute> => {
        calls.push(statements.map(inline));
        return one.execute(...statements);
      };
      const measure: OpenDatabase['measure'] = async (...statements) => {
        calls.push(statements.map(inline));
        return { results: await one.execute(...statements), bytes: null };
      };
      return Object.assign(counted, { measure, actor, database: 0 });
    };
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
      calls.length = 0;
      const { code, stderr } = await runHere(words, open, ofOne);
      expect([words, code, calls.length], stderr).toEqual([words, 0, 1]);
      expect(calls.flat().join()).not.toContain('moved_to is');
    }
    await one.close();
  });
});
