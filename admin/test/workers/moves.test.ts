import { sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import type { OpenDatabase, Measurement } from '../../src/database/open-database.ts';
import { inline } from '../../src/database/open-database.ts';
import { issueKey } from '../../src/key/keys.ts';
import { findMisplaced } from '../../src/move/check.ts';
import { keepBrand } from '../../src/move/keep.ts';
import { abortMove, moveBrand } from '../../src/move/move.ts';
import { onlyHome, readPlaces } from '../../src/home/places.ts';
import { interceptDatabase } from '../intercept-database.ts';
import type { DatabaseNumber } from '../../../test/support/databases.ts';
import { contentOf, migrateAll, relocate, setKeys } from '../../../test/support/databases.ts';
import { adminIn } from './database.ts';
import { expectHome, makeBrand, openAll } from './moving-brand.ts';

beforeAll(migrateAll);

const FULL = new DatabaseFailure('The disk or the database is full.', 'Nothing was changed.');

it('A move keeps all of the brand, and says what it did: to another database, back, and to a third', async () => {
  const moving = await makeBrand();
  const { brand, keys } = moving;
  const { brandId } = brand.issued;
  let from: DatabaseNumber = 0;
  for (const to of [1, 0, 2] as const) {
    const content = await contentOf(from, brandId);
    const moved = await moveBrand(openAll().all, brandId, { to });
    // Profile, keys, three products, a code, a tombstone and a record.
    expect(moved).toMatchObject({ from, to, rows: 1 + (2 + keys.length) + 3 + 1 + 1 + 1 });
    expect(moved.bytes).toBeGreaterThan(60_000);
    expect(await contentOf(to, brandId)).toBe(content);
    await expectHome(moving, to);
    keys.push(brand.with(await issueKey(adminIn(to), brandId, {})));
    from = to;
  }
});

it.each<[command: string, other: (all: OpenDatabase[], brandId: string) => Promise<unknown>]>([
  ['the same', (all, brandId) => moveBrand(all, brandId, { to: 1 })],
  ['--abort', abortMove],
  ['--keep', (all, brandId) => keepBrand(all, brandId, 0)],
])(
  'A move leads to one home, whenever another operator acts on the brand: %s',
  async (_, other) => {
    for (let at = 1, isDone = false; !isDone; at++) {
      const moving = await makeBrand();
      const { brandId } = moving.brand.issued;
      let calls = 0;
      const { all } = openAll(async () => {
        if (++calls === at) await other(openAll().all, brandId).catch(() => undefined);
      });
      await moveBrand(all, brandId, { to: 1 }).catch(() => undefined);
      isDone = calls < at;
      const { database } = onlyHome(await readPlaces(openAll().all, brandId), brandId);
      await expectHome(moving, database.number === 0 ? 0 : 1);
    }
  },
);

it.each<[says: RegExp, statement: RegExp, answer: Measurement['results'] | Error]>([
  [/have the same migrations\. .* Nothing was changed\.$/, /d1_migrations/, [[]]],
  [/is full\. The brand was not moved\.$/, /insert into products/i, FULL],
  [/is not the same .* The brand was not moved\.$/, /has_more/, Array<[]>(6).fill([])],
])(
  'A move that fails says why, and leaves the brand as it was: %s',
  async (says, statement, answer) => {
    const moving = await makeBrand();
    const { brandId } = moving.brand.issued;
    const content = await contentOf(0, brandId);
    const target = interceptDatabase(adminIn(1), async (call, statements) => {
      if (!statements.some((one) => statement.test(inline(one)))) return call();
      if (answer instanceof Error) throw answer;
      return answer;
    });
    await expect(moveBrand([adminIn(0), target], brandId, { to: 1 })).rejects.toThrow(says);
    expect(await contentOf(0, brandId)).toBe(content);
    await expectHome(moving, 0);
  },
);

it.each([
  ['two databases', 'twice', 0, null],
  ['none', 'nowhere', 1, 0],
] as const)(
  'A brand that is live in two databases or none after a restore is named, and gets a home: %s',
  async (_, fault, number, movedTo) => {
    const moving = await makeBrand();
    const { brand, keys } = moving;
    const { brandId } = brand.issued;
    const lost = await issueKey(adminIn(0), brandId, {});
    keys.push(brand.with(lost));
    await relocate(brand, 1);
    await adminIn(0).run(sql`delete from api_keys where id = ${lost.keyId}`);
    await setKeys(number, brandId, 'moved_to', movedTo);
    const { all } = openAll();

    const found = (await findMisplaced(all)).filter((one) => one.brandId === brandId);
    const lastChange: unknown = expect.stringMatching(/Z$/);
    const databases = [0, 1].map((number) => ({ number, frozenAt: null, lastChange }));
    expect(found).toMatchObject([{ brandId, brandName: 'Test brand', fault, databases }]);
    await expect(moveBrand(all, brandId, { to: 2 })).rejects.toThrow('a restore');
    await expect(keepBrand(all, brandId, 2)).rejects.toThrow('does not have the brand');
    await keepBrand(all, brandId, 1);
    await expectHome(moving, 1);
    await expect(keepBrand(all, brandId, 0)).rejects.toThrow('at home in database 1');
  },
);
