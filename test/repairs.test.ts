import { beforeAll, describe, expect, it } from 'vitest';
import { openMove, redirect } from '../mover/index.ts';
import { faultsOfBrands, repairFaults } from '../tools/admin/check/check.ts';
import type { Execute } from '../tools/admin/execute.ts';
import { executeIn, brandIn, databases, migrateAll } from './support/databases.ts';
import type { DatabaseNumber } from './support/databases.ts';
import { interceptD1 } from './support/d1.ts';
import { D1_ERRORS, d1Error } from './support/faults.ts';
import { dataIn, expectHome } from './support/moved-brand.ts';
import { begin, drive, moveBrand, SMALL } from './support/moves.ts';
import { momentOf, restore } from './support/restored.ts';

// What a repair may meet, and what it leaves for the mover. test/exhaustive/restores.test.ts has all that a restore of one
// database can leave.

beforeAll(migrateAll);

const AT_ONCE = { ...SMALL, days: 0 };
const all = ([0, 1, 2] as const).map((number) => executeIn(number));

async function repaired(brandId: string, databases_: readonly Execute[] = all): Promise<unknown> {
  return repairFaults(databases_, await faultsOfBrands(databases_, [brandId]));
}

/** Moves a brand on, and points its older keys to its new home. */
async function moveOn(
  brandId: string,
  [from, to, other]: readonly [DatabaseNumber, DatabaseNumber, DatabaseNumber],
): Promise<void> {
  const move = await begin(brandId, from, to);
  await drive(move);
  await redirect(databases[other], move);
}

describe('A copy that is deleted in several transactions', () => {
  it('does not become the home if the mover settles it between two of them', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    await brand.create('/products', { title: 'A', priceCents: 1 });
    await databases[0]
      .prepare(
        `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
         with recursive numbers (n) as (select 10 union all select n + 1 from numbers where n < 5100)
         select ?, 'products', n, printf('01890000-0000-7000-8000-%012d', n), strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from numbers`,
      )
      .bind(brandId)
      .run();
    const before = await momentOf(0, brandId);
    const move = await begin(brandId, 0, 1);
    let settle: (() => Promise<unknown>) | undefined;
    const target = interceptD1(databases[1], async (call) => {
      const isGone = databases[0].prepare(
        `select 1 from moves where brand_id = ? and state = 'gone'`,
      );
      if ((await isGone.bind(brandId).first()) === null) return call();
      settle ??= call;
      throw d1Error(D1_ERRORS.passing[0]);
    });
    await expect(drive(move, {}, { source: databases[0], target })).rejects.toThrow();
    expect(settle).toBeDefined();
    await restore(0, brandId, before);
    const late = async (...statements: Parameters<Execute>): ReturnType<Execute> => {
      const results = await all[1]?.(...statements);
      const count = await dataIn(1, brandId);
      if (count > 0 && count < 5000) await settle?.();
      return results ?? [];
    };
    const execute = Object.assign(late, { actor: 'tests', database: 1 });
    expect(await repaired(brandId, [executeIn(0), execute, executeIn(2)])).toEqual([]);
    await expectHome(brandId, 0, [1]);
  });
});

describe('A home that a repair has closed', () => {
  it('lets the mover delete what the brand had left before', async () => {
    const { brandId } = (await brandIn(0)).issued;
    await moveBrand(brandId, 0, 1);
    const before = await momentOf(1, brandId);
    await moveOn(brandId, [1, 2, 0]);
    await restore(1, brandId, before);
    expect(await repaired(brandId)).toEqual([]);
    for (const number of [0, 1] as const) {
      const left = await openMove(databases[number], number, brandId);
      if (left) expect(await drive(left, AT_ONCE)).toMatchObject({ state: 'tidied' });
    }
    await expectHome(brandId, 2, [0, 1]);
  });
});

describe('A brand whose last two homes were restored', () => {
  it('is not given back to an earlier home, although that knows of the last move', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    await moveBrand(brandId, 0, 1);
    await brand.create('/products', { title: 'New', priceCents: 1 });
    const [there, next] = [await momentOf(1, brandId), await momentOf(2, brandId)];
    await moveOn(brandId, [1, 2, 0]);
    await restore(1, brandId, there);
    await restore(2, brandId, next);
    await repaired(brandId);
    await expectHome(brandId, 1, [0, 2]);
    expect(await dataIn(1, brandId)).toBe(1);
  });

  it('stays where it is if nothing says whether that is newer', async () => {
    const { brandId } = (await brandIn(0)).issued;
    await moveBrand(brandId, 0, 1);
    await moveOn(brandId, [1, 2, 0]);
    const [there, next] = [await momentOf(2, brandId), await momentOf(1, brandId)];
    const last = await begin(brandId, 2, 1);
    await drive(last);
    await redirect(databases[0], last);
    // Database 1 no longer says that the brand went from there to 2.
    await restore(2, brandId, there);
    await restore(
      1,
      brandId,
      next.map(([table]) => [table, []]),
    );
    expect(await repaired(brandId)).toMatchObject([{ faults: [{ fault: 'twice' }] }]);
    await expectHome(brandId, 2, [0, 1]);
  });

  it('gets back what it had when it left, not what a repair has closed since', async () => {
    const brand = await brandIn(0);
    const { brandId } = brand.issued;
    const old = await momentOf(0, brandId);
    await moveBrand(brandId, 0, 1);
    await brand.create('/products', { title: 'New', priceCents: 1 });
    const next = await momentOf(2, brandId);
    const last = await begin(brandId, 1, 2);
    await drive(last);
    await restore(0, brandId, old);
    expect(await repaired(brandId)).toEqual([]);
    await redirect(databases[0], last);
    await restore(2, brandId, next);
    expect(await repaired(brandId)).toEqual([]);
    await expectHome(brandId, 1, [0, 2]);
    expect(await dataIn(1, brandId)).toBeGreaterThan(0);
  });
});
