import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { advance, beginMove } from '../../mover/index.ts';
import { findFaults } from '../../tools/admin/check/check.ts';
import type { Execute, OpenDatabase } from '../../tools/admin/execute.ts';
import { inline } from '../../tools/admin/execute.ts';
import { expectShape } from './json-shapes.ts';
import { record, records } from './processes.ts';
import type { AdminOfSeveral } from './several-databases.ts';
import { openSeveral } from './several-databases.ts';

// What `database check` says and does, on three databases. test/exhaustive/restores.test.ts has all that a restore can leave.

let admin: AdminOfSeveral;

beforeAll(async () => {
  admin = await openSeveral(3);
});

afterAll(() => admin.close());

function database(number: number): OpenDatabase {
  const found = admin.databases[number];
  if (found === undefined) throw new Error(`There is no database ${number}.`);
  return found;
}

async function create(number: number): Promise<string> {
  const made = await admin.json('brand', 'create', 'Acme', '--database', String(number));
  return String(made['brandId']);
}

async function moved(from: number, to: number): Promise<string> {
  const brandId = await create(from);
  await admin.json('brand', 'move', brandId, '--to', String(to));
  return brandId;
}

/** Brings a database back to before a brand has left it. */
async function undoMove(brandId: string, number: number): Promise<void> {
  await database(number)(
    sql`delete from moves where brand_id = ${brandId}`,
    sql`update api_keys set moved_to = null where brand_id = ${brandId}`,
  );
}

/** Runs the check, which finds something, and returns its exit code and its document. */
async function check(...words: string[]): Promise<[number | null, Record<string, unknown>[]]> {
  const { code, stdout, stderr } = await admin.run('database', 'check', ...words, '--json');
  if (stdout === '') throw new Error(stderr);
  const document: unknown = JSON.parse(stdout);
  expectShape('database check', document);
  return [code, records(record(document)['faults'])];
}

async function movedTo(number: number, brandId: string): Promise<unknown> {
  const [rows] = await database(number)(
    sql`select moved_to, frozen_at from api_keys where brand_id = ${brandId}`,
  );
  return rows;
}

describe('database check', () => {
  it('finds nothing if all is well, a move under way included', async () => {
    await moved(0, 1);
    const brandId = await create(1);
    const plan = { brandId, source: 1, target: 2, actor: 'tests' };
    const begun = await beginMove(admin.local.at(1), plan);
    if (begun === undefined) throw new Error('It has not begun.');
    await advance(admin.local.at(1), admin.local.at(2), begun);
    expect(await check()).toEqual([0, []]);
    const { code, stderr } = await admin.run('database', 'check');
    expect([code, stderr]).toEqual([0, expect.stringContaining('None.')]);
  });

  it('names a brand that is at home twice, repairs it if it may, and says who has', async () => {
    const brandId = await moved(0, 1);
    await undoMove(brandId, 0);
    const fault = { brandId, brandName: 'Acme', fault: 'twice', databases: [0, 1] };
    expect(await check()).toEqual([1, [expect.objectContaining({ ...fault, isRepaired: false })]]);
    const before = await movedTo(0, brandId);
    const asked = await admin.run('database', 'check', '--repair');
    expect([asked.code, asked.stderr]).toEqual([
      1,
      expect.stringMatching(
        /at home in the databases 0 and 1. Database 1 keeps it[\s\S]*requires --yes/,
      ),
    ]);
    expect(await movedTo(0, brandId)).toEqual(before);
    const repaired = await check('--repair', '--yes', '--actor', 'Ann');
    expect(repaired).toEqual([0, [expect.objectContaining({ ...fault, isRepaired: true })]]);
    expect(await movedTo(0, brandId)).toEqual([{ moved_to: 1, frozen_at: null }]);
    const { entries } = await admin.json('audit', '--brand', brandId, '--action', 'brand.repair');
    expect(records(entries)).toMatchObject([
      { actor: 'Ann', details: { act: 'close', database: 0, home: 1 } },
    ]);
    expect(await check()).toEqual([0, []]);
  });

  it('ends the freeze of a brand that does not move', async () => {
    const brandId = await moved(0, 1);
    await database(1)(
      sql`update api_keys set frozen_at = '2026-01-01T00:00:00.000Z' where brand_id = ${brandId}`,
    );
    expect(await check('--repair', '--yes')).toEqual([
      0,
      [expect.objectContaining({ brandId, fault: 'frozen', databases: [1], isRepaired: true })],
    ]);
    expect(await movedTo(1, brandId)).toEqual([{ moved_to: null, frozen_at: null }]);
  });

  it('deletes what a brand has left behind, eight days after it left', async () => {
    const brandId = await create(0);
    await database(0)(
      sql`insert into tombstones (brand_id, collection, change_number, id, deleted_at)
        values (${brandId}, 'products', 1, ${brandId}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
    );
    await admin.json('brand', 'move', brandId, '--to', '1');
    const age = async (days: number): Promise<unknown> =>
      database(0)(
        sql`update moves set changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`-${days} days`}) where brand_id = ${brandId}`,
      );
    await age(7.9);
    expect(await check()).toEqual([0, []]);
    await age(8.1);
    const [code, faults] = await check('--repair', '--yes');
    expect([code, faults]).toEqual([
      0,
      [expect.objectContaining({ brandId, fault: 'left', databases: [0], isRepaired: true })],
    ]);
    const left = async (number: number): Promise<unknown> =>
      database(number)(
        sql`select count(*) as n from tombstones where brand_id = ${brandId}`,
        sql`select count(*) as n from brands where id = ${brandId}`,
        sql`select count(*) as n from api_keys where brand_id = ${brandId} and moved_to = 1`,
      );
    expect(await left(0)).toEqual([[{ n: 0 }], [{ n: 1 }], [{ n: 1 }]]);
    expect(await left(1)).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 0 }]]);
  });

  it('finishes the deletion of a brand, and does not delete one that a restore brought back', async () => {
    const [left, back] = [await moved(0, 1), await moved(0, 1)];
    for (const brandId of [left, back]) {
      await database(1)(sql`delete from brands where id = ${brandId}`);
    }
    await undoMove(back, 0);
    const [code, faults] = await check('--repair', '--yes');
    expect([code, faults]).toEqual([
      1,
      [
        expect.objectContaining({ brandId: left, fault: 'deleted', isRepaired: true }),
        expect.objectContaining({ brandId: back, fault: 'deleted', isRepaired: false }),
      ],
    ]);
    expect(await movedTo(0, left)).toEqual([]);
    expect(await movedTo(0, back)).toHaveLength(1);
    await admin.json('brand', 'delete', back, '--yes');
    expect(await check()).toEqual([0, []]);
  });

  it('finds nothing if a brand that has moved was deleted, imported, and moved where it was deleted', async () => {
    const brandId = await moved(0, 1);
    const file = join(admin.folder.path, 'moved.json');
    await admin.json('brand', 'export', brandId, '--to', file);
    for (const number of [2, 1, 0]) {
      await admin.json('brand', 'delete', brandId, '--yes');
      await admin.json('brand', 'import', file, '--database', String(number));
      expect([number, await check()]).toEqual([number, [0, []]]);
    }
    for (const to of [1, 2]) {
      await admin.json('brand', 'move', brandId, '--to', String(to));
      expect([to, await check()]).toEqual([to, [0, []]]);
    }
  });

  it('finds the copy of a move that broke off before the brand was deleted', async () => {
    const brandId = await create(0);
    const plan = { brandId, source: 0, target: 1, actor: 'tests' };
    const begun = await beginMove(admin.local.at(0), plan);
    if (begun === undefined) throw new Error('It has not begun.');
    await advance(admin.local.at(0), admin.local.at(1), begun);
    await database(1)(
      sql`update moves set state = 'copying' where brand_id = ${brandId}`,
      sql`update api_keys set moved_to = 0 where brand_id = ${brandId}`,
    );
    await database(0)(
      sql`update moves set state = 'aborted' where brand_id = ${brandId}`,
      sql`delete from brands where id = ${brandId}`,
    );
    expect(await check('--repair', '--yes')).toEqual([
      0,
      [expect.objectContaining({ brandId, fault: 'deleted', databases: [1], isRepaired: true })],
    ]);
    expect(await movedTo(1, brandId)).toEqual([]);
  });

  it('goes by the clocks of the databases', async () => {
    const brandId = await moved(0, 1);
    await database(0)(
      sql`update moves set changed_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-8 days') where brand_id = ${brandId}`,
    );
    await database(1)(
      sql`delete from moves where brand_id = ${brandId}`,
      sql`delete from brands where id = ${brandId}`,
    );
    vi.useFakeTimers({ now: Date.now() - 5 * 86_400_000, toFake: ['Date'] });
    try {
      // A part of what database 0 has may be deleted already.
      expect(await check('--repair', '--yes')).toEqual([
        1,
        [expect.objectContaining({ brandId, fault: 'lost', isRepaired: false })],
      ]);
    } finally {
      vi.useRealTimers();
    }
    await admin.json('brand', 'delete', brandId, '--yes');
  });

  it('does not choose between two homes if nothing says which is newer', async () => {
    const brandId = await create(0);
    const [[row = {}] = []] = await database(0)(sql`select * from brands where id = ${brandId}`);
    const names = Object.keys(row).map((name) => sql.identifier(name));
    const values = Object.values(row).map((value) => sql`${value}`);
    await database(2)(
      sql`insert into brands (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`,
    );
    expect(await check('--repair', '--yes')).toEqual([
      1,
      [expect.objectContaining({ brandId, fault: 'twice', databases: [0, 2], isRepaired: false })],
    ]);
    await database(2)(sql`delete from brands where id = ${brandId}`);
  });
});

describe('With ten thousand brands in each of three databases', () => {
  const BRANDS = 10_000;
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${BRANDS})`;
  const fill = (number: number): string[] => [
    `insert into brands (id, revision, created_at, updated_at, brand_name, description, cart_minimum_cents, customer_ltv_cents, connection_status, sync_enabled)
      ${numbers} select printf('01890000-0000-700${number}-8000-%012d', n), printf('01890000-0000-7000-8000-%012d', n), '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'Brand ' || n, '', 0, 0, 'CONNECTED', 0 from numbers`,
    `insert into api_keys (hash, id, brand_id, prefix, label, scope, created_at)
      ${numbers} select printf('f${number}%062x', n), printf('01890000-0000-700${number}-8000-%012d', n), printf('01890000-0000-700${number}-8000-%012d', n), printf('bik_%08x', n), '', 'write', '2026-01-01T00:00:00.000Z' from numbers`,
  ];

  it('the check reads some rows of each, in a few calls, and finds the one', async () => {
    const brandId = await moved(0, 2);
    await undoMove(brandId, 0);
    let [rowsRead, calls, most] = [0, 0, 0];
    const counted: Execute[] = [];
    for (const number of [0, 1, 2]) {
      const db = admin.local.at(number);
      if (!('exec' in db)) throw new Error('This is no D1.');
      for (const text of fill(number)) await db.prepare(text).run();
      const run = async (...statements: Parameters<Execute>): ReturnType<Execute> => {
        calls += 1;
        const results = await db.batch<Record<string, string | number | null>>(
          statements.map((statement) => db.prepare(inline(statement))),
        );
        for (const { meta, results: rows } of results) {
          rowsRead += meta.rows_read;
          most = Math.max(most, rows.length);
        }
        return results.map(({ results: rows }) => rows);
      };
      counted.push(Object.assign(run, { actor: 'tests', database: number }));
    }
    const found = [];
    for await (const finding of findFaults(counted)) found.push(finding);
    expect(found.map((finding) => finding.brandId)).toEqual([brandId]);
    // An entry of two indexes, a row and a key of each brand.
    expect(rowsRead).toBeLessThan(5 * 3 * BRANDS);
    expect(calls).toBeLessThanOrEqual(20);
    expect(most).toBeLessThanOrEqual(10_001);
  });
});
