import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { DatabaseFailure } from '../../tools/admin/admin-error.ts';
import type { Execute, Measured } from '../../tools/admin/execute.ts';
import { inline } from '../../tools/admin/execute.ts';
import { issueKey, revokeKey } from '../../tools/admin/keys.ts';
import { findMisplaced } from '../../tools/admin/move/check.ts';
import { keepBrand } from '../../tools/admin/move/keep.ts';
import { abortMove, moveBrand } from '../../tools/admin/move/move.ts';
import { around } from '../support/around.ts';
import type { TestBrand } from '../support/brand.ts';
import type { DatabaseNumber } from '../support/databases.ts';
import {
  brandIn,
  contentOf,
  countsIn,
  executeIn,
  migrateAll,
  setKeys,
} from '../support/databases.ts';
import { makeProducts } from '../support/make.ts';

// Each step of a move is a call to one database. For each, the command ends before it or after it, or the call fails, with
// or without an effect. After the same command again, or `--abort`, the brand is whole in one database.

beforeAll(migrateAll);

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2];

/** The command is killed: no code of it runs any more. */
class Killed extends Error {}

/** What happens at one call: whether it has an effect, and whether the command goes on. Ending after one is ending before the next. */
const ENDS = [
  { name: 'the command ends before it', isMade: false, error: new Killed() },
  { name: 'it fails', isMade: false, error: new DatabaseFailure('It failed.', '') },
  { name: 'its answer is lost', isMade: true, error: new DatabaseFailure('It failed.', '') },
];

interface Interruption {
  /** The number of the call. */
  readonly at: number;
  readonly isMade: boolean;
  readonly error: Error;
}

/** Returns the databases for a command that is interrupted, and the number of calls that it has made. */
function openAll(interruption?: Interruption): { all: Execute[]; calls: () => number } {
  let calls = 0;
  const all = NUMBERS.map((number) =>
    around(executeIn(number), async (call) => {
      const { at, isMade, error } = interruption ?? { at: Infinity };
      const isDead = ++calls > at && error instanceof Killed;
      if (calls !== at && !isDead) return call();
      if (isMade) await call();
      throw error ?? new Error('There is no interruption.');
    }),
  );
  return { all, calls: () => calls };
}

interface Moving {
  readonly brand: TestBrand;
  /** Keys of the brand, by the databases in which they were issued. */
  readonly keys: readonly TestBrand[];
  readonly revoked: TestBrand;
  readonly from: DatabaseNumber;
  readonly to: DatabaseNumber;
  /** What its home has of it. */
  readonly content: string;
}

const ONCE = { headers: { 'Idempotency-Key': 'once' } };
const PRODUCT = { title: 'Bar', priceCents: 1 };

/** Creates a brand that has moved along a way, and is about to make the last step of it. */
async function onItsWay(...way: readonly DatabaseNumber[]): Promise<Moving> {
  const [first = 0] = way;
  const [from = first, to = first] = way.slice(-2);
  const brand = await brandIn(first);
  const { brandId } = brand.issued;
  await makeProducts(brand, 3);
  await brand.send('POST', '/products', PRODUCT, ONCE);
  const { id } = await brand.create('/products', { ...PRODUCT, description: 'ä'.repeat(60_000) });
  await brand.send('DELETE', `/products/${(await brand.create('/products', PRODUCT)).id}`);
  await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 12.5 });
  await brand.send('PATCH', `/products/${id}`, { featured: true });
  const revoked = brand.with(await issueKey(executeIn(first), brandId, {}));
  const keys = [brand];
  for (const next of way.slice(1, -1)) {
    await moveBrand(openAll().all, brandId, { to: next });
    keys.push(brand.with(await issueKey(executeIn(next), brandId, {})));
  }
  await revokeKey(executeIn(from), revoked.issued.keyId);
  return { brand, keys, revoked, from, to, content: await homeContent(from, brandId) };
}

/** All that a database has of a brand, but where its keys point. */
async function homeContent(number: DatabaseNumber, brandId: string): Promise<string> {
  const content = await contentOf(number, brandId);
  return content.replaceAll(/"(moved_to|frozen_at)":("[^"]*"|\d+|null)/g, '""');
}

/** Every key finds the same whole brand in one database, and the others have nothing but keys. */
async function expectHome(
  { brand, keys, revoked, content }: Moving,
  home: DatabaseNumber,
): Promise<void> {
  const { brandId } = brand.issued;
  expect(await homeContent(home, brandId)).toBe(content);
  for (const number of NUMBERS.filter((other) => other !== home)) {
    const { brands: _, ...data } = await countsIn(number, brandId);
    expect(
      Object.values(data).every((count) => count === 0),
      `data in ${number}`,
    ).toBe(true);
  }
  const isThis = ({ brandId: other }: { brandId: string }): boolean => other === brandId;
  expect((await findMisplaced(openAll().all)).filter(isThis)).toEqual([]);
  expect((await revoked.send('GET', '/products')).status).toBe(401);
  for (const [index, key] of keys.entries()) {
    expect((await key.send('POST', '/products', PRODUCT, ONCE)).status).toBe(201);
    expect(
      (await key.send('POST', '/products', { ...PRODUCT, title: `New ${index}` })).status,
    ).toBe(201);
  }
  const list = await brand.send('GET', '/products?limit=100');
  for (const key of keys)
    expect((await key.send('GET', '/products?limit=100')).text).toBe(list.text);
  expect((await countsIn(home, brandId))['products']).toBe(5 + keys.length);
}

describe.each([
  { name: 'A first move', way: [0, 1] as const },
  { name: 'A move back', way: [0, 1, 0] as const },
  { name: 'A move to a third database', way: [2, 0, 1] as const },
])('$name', ({ way }) => {
  it('keeps all of the brand, and says what it did', async () => {
    const moving = await onItsWay(...way);
    const { brand, from, to } = moving;
    const moved = await moveBrand(openAll().all, brand.issued.brandId, { to });
    // Profile, keys, five products, a code, a tombstone and a record.
    expect(moved).toMatchObject({ from, to, rows: 1 + moving.keys.length + 1 + 5 + 1 + 1 + 1 });
    expect(moved.bytes).toBeGreaterThan(60_000);
    await expectHome(moving, to);
  });
});

describe.each([
  { name: 'A first move', way: [0, 1] as const, ends: ENDS },
  { name: 'A move back', way: [0, 1, 0] as const, ends: ENDS.slice(0, 1) },
])('$name', ({ way, ends }) => {
  it.each(ends)('leads to one home, if at some step $name', async ({ isMade, error }) => {
    const { calls, all } = openAll();
    const whole = await onItsWay(...way);
    await moveBrand(all, whole.brand.issued.brandId, { to: whole.to });
    const seen = new Set<string>();
    for (let at = 1; at <= calls(); at++) {
      for (const isGivenUp of [false, true]) {
        const moving = await onItsWay(...way);
        const { from, to } = moving;
        const { brandId } = moving.brand.issued;
        const first = moveBrand(openAll({ at, isMade, error }).all, brandId, { to });
        await expect(first, `step ${at}`).rejects.toThrow(
          error instanceof Killed ? Killed : 'It failed.',
        );
        // The command that gives it up is interrupted at another step each time.
        const stays = isGivenUp && (await abort(brandId, { at: 1 + (at % 7), isMade, error }));
        if (!stays) await moveBrand(openAll().all, brandId, { to });
        await expectHome(moving, stays ? from : to);
        seen.add(stays ? 'given up' : isGivenUp ? 'too late' : 'moved');
      }
    }
    expect([...seen].sort()).toEqual(['given up', 'moved', 'too late']);
  });
});

/** Gives a move up, in a second run if the first is interrupted. Returns whether it could be given up. */
async function abort(brandId: string, interruption: Interruption): Promise<boolean> {
  for (const { all } of [openAll(interruption), openAll()]) {
    const isDone = await abortMove(all, brandId).then(
      () => true,
      () => false,
    );
    if (isDone) return true;
  }
  return false;
}

describe('A move that cannot be made', () => {
  /** The databases, of which number 1 does not run statements that match a pattern. */
  function without(pattern: RegExp, act: () => Promise<Measured['results']>): Execute[] {
    const other = around(executeIn(1), (call, statements) =>
      pattern.test(statements.map(inline).join('\n')) ? act() : call(),
    );
    return [executeIn(0), other];
  }

  const full = new DatabaseFailure('The disk or the database is full.', 'Nothing was changed.');

  it.each<[what: string, Execute[], to: number, says: RegExp]>([
    [
      'an older target',
      without(/d1_migrations/, () => Promise.resolve([[]])),
      1,
      /^The databases 0 and 1 do not have the same migrations\. .* Nothing was changed\.$/,
    ],
    [
      'a full disk',
      without(/insert into products/i, () => Promise.reject(full)),
      1,
      /^The disk or the database is full\. The brand was not moved\.$/,
    ],
    [
      'a copy that differs',
      without(/has_more/, () => Promise.resolve(Array.from({ length: 6 }, () => []))),
      1,
      /^The copy in database 1 is not the same .* The brand was not moved\.$/,
    ],
    ['a number without a binding', openAll().all, 7, /^There is no database 7\. .*\.$/],
  ])('for %s is a sentence, and leaves the brand as it was', async (_, all, to, says) => {
    const { brand, content } = await onItsWay(0);
    const { brandId } = brand.issued;
    await expect(moveBrand(all, brandId, { to })).rejects.toThrow(says);
    expect(await homeContent(0, brandId)).toBe(content);
    expect((await countsIn(1, brandId))['products']).toBe(0);
    expect((await brand.send('POST', '/products', PRODUCT)).status).toBe(201);
  });
});

describe('After a restore', () => {
  /** Moves a brand from 0 to 1, and undoes what keys say: those of a database point elsewhere, and 0 lacks one. */
  async function restored(
    number?: DatabaseNumber,
    movedTo: number | null = null,
  ): Promise<{ moving: Moving; lost: TestBrand; found: () => Promise<unknown[]> }> {
    const moving = await onItsWay(0);
    const { brandId } = moving.brand.issued;
    const lost = moving.brand.with(await issueKey(executeIn(0), brandId, {}));
    await moveBrand(openAll().all, brandId, { to: 1 });
    if (number !== undefined) await setKeys(number, brandId, 'moved_to', movedTo);
    await executeIn(0)(sql`delete from api_keys where id = ${lost.issued.keyId}`);
    const found = async (): Promise<unknown[]> =>
      (await findMisplaced(openAll().all)).filter((one) => one.brandId === brandId);
    return { moving, lost, found };
  }

  it.each([
    ['two databases', 'twice', 0, null],
    ['none', 'nowhere', 1, 0],
  ] as const)(
    'a brand that is live in %s is named, and gets a home',
    async (_, fault, number, to) => {
      const { moving, lost, found } = await restored(number, to);
      const { brandId } = moving.brand.issued;
      const lastChange: unknown = expect.stringMatching(/Z$/);
      const databases = [0, 1].map((number) => ({ number, frozenAt: null, lastChange }));
      expect(await found()).toMatchObject([{ brandId, brandName: 'Test brand', fault, databases }]);
      await expect(moveBrand(openAll().all, brandId, { to: 2 })).rejects.toThrow('a restore');
      await keepBrand(openAll().all, brandId, 1);
      expect(await found()).toEqual([]);
      for (const key of [moving.brand, lost]) {
        expect((await key.send('POST', '/products', PRODUCT)).status).toBe(201);
      }
      expect((await moving.revoked.send('GET', '/products')).status).toBe(401);
      expect((await countsIn(1, brandId))['products']).toBe(7);
    },
  );

  it('only a database that has the brand is kept, and none but its only home', async () => {
    const { moving } = await restored();
    const { brandId } = moving.brand.issued;
    await expect(keepBrand(openAll().all, brandId, 0)).rejects.toThrow('at home in database 1');
    await expect(keepBrand(openAll().all, brandId, 2)).rejects.toThrow('does not have the brand');
  });
});
