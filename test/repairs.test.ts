import { beforeAll, describe, expect, it } from 'vitest';
import { faultsOfBrands, repairFaults } from '../tools/admin/check/check.ts';
import type { Execute } from '../tools/admin/execute.ts';
import { executeIn, brandIn, databases, migrateAll } from './support/databases.ts';
import { interceptD1 } from './support/d1.ts';
import { D1_ERRORS, d1Error } from './support/faults.ts';
import { dataIn, expectHome } from './support/moved-brand.ts';
import { begin, drive } from './support/moves.ts';
import { momentOf, restore } from './support/restored.ts';

// What a repair may meet, and what it leaves for the mover. test/exhaustive/restores.test.ts has all that a restore of one
// database can leave.

beforeAll(migrateAll);

const all = ([0, 1, 2] as const).map((number) => executeIn(number));

async function repaired(brandId: string, databases_: readonly Execute[] = all): Promise<unknown> {
  return repairFaults(databases_, await faultsOfBrands(databases_, [brandId]));
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
