import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { DatabaseFailure } from '../../tools/admin/admin-error.ts';
import type { Execute, Measured } from '../../tools/admin/execute.ts';
import { inline } from '../../tools/admin/execute.ts';
import { issueKey, revokeKey } from '../../tools/admin/keys.ts';
import { findMisplaced } from '../../tools/admin/move/check.ts';
import { keepBrand } from '../../tools/admin/move/keep.ts';
import { abortMove, moveBrand } from '../../tools/admin/move/move.ts';
import { homesOf, readPlaces } from '../../tools/admin/move/places.ts';
import { around } from '../support/around.ts';
import type { Resource, TestBrand } from '../support/brand.ts';
import { resourceOf, resourcesOf } from '../support/brand.ts';
import { products } from '../support/collections.ts';
import type { DatabaseNumber } from '../support/databases.ts';
import {
  brandIn,
  contentOf,
  countsIn,
  executeIn,
  migrateAll,
  relocate,
  setKeys,
} from '../support/databases.ts';
import { Follower } from '../support/follower.ts';

// Each step of a move is a call to one database. For each, the command ends before it or after it, or the call fails, with
// or without an effect. After the same command again, or `--abort`, the brand is whole in one database.

beforeAll(migrateAll);

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2];
const ONCE = { headers: { 'Idempotency-Key': 'once' } };
const PRODUCT = { title: 'Bar', priceCents: 1 };
const LONG = { ...PRODUCT, description: 'ä'.repeat(60_000) };

/** The command is killed: no code of it runs any more. */
class Killed extends Error {}

/** What happens at one call: whether it has an effect, and whether the command goes on. Ending after one is ending before the next. */
const ENDS = [
  { name: 'the command ends before it', isMade: false, error: new Killed('Killed.') },
  { name: 'it fails', isMade: false, error: new DatabaseFailure('It failed.', '') },
  { name: 'its answer is lost', isMade: true, error: new DatabaseFailure('It failed.', '') },
];

interface Interruption {
  /** The number of the call. */
  readonly at: number;
  readonly isMade: boolean;
  readonly error: Error;
}

const NONE: Interruption = {
  at: Infinity,
  isMade: true,
  error: new Error('It is not interrupted.'),
};

/**
 * Returns the databases for a command that is interrupted, and the number of calls that it has made.
 * @param meanwhile what clients do before each call
 */
function openAll(
  { at, isMade, error } = NONE,
  meanwhile = (): Promise<void> => Promise.resolve(),
): { readonly all: Execute[]; readonly calls: () => number } {
  let calls = 0;
  const all = NUMBERS.map((number) =>
    around(executeIn(number), async (call) => {
      const place = ++calls;
      if (place > at && error instanceof Killed) throw error;
      await meanwhile();
      if (place !== at) return call();
      if (isMade) await call();
      throw error;
    }),
  );
  return { all, calls: () => calls };
}

interface Moving {
  readonly brand: TestBrand;
  /** Its other keys, by the databases in which they were issued. */
  readonly keys: TestBrand[];
  readonly revoked: TestBrand;
}

/** Creates a brand in database 0 that has rows in every table, and long ones. */
async function makeBrand(): Promise<Moving> {
  const brand = await brandIn(0);
  const list = { products: [PRODUCT, PRODUCT, LONG, PRODUCT] };
  const [{ id } = { id: '' }] = resourcesOf(await brand.send('POST', '/products', list, ONCE));
  await brand.send('DELETE', `/products/${id}`);
  await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 12.5 });
  const revoked = brand.with(await issueKey(executeIn(0), brand.issued.brandId, {}));
  await revokeKey(executeIn(0), revoked.issued.keyId);
  return { brand, keys: [], revoked };
}

/** All that a database has of a brand, but where its keys point. */
async function homeContent(number: DatabaseNumber, { brand }: Moving): Promise<string> {
  const content = await contentOf(number, brand.issued.brandId);
  return content.replaceAll(/"(moved_to|frozen_at)":("[^"]*"|\d+|null)/g, '""');
}

/** Every key finds the same whole brand in one database, and may write; the others have nothing but keys. */
async function expectHome(moving: Moving, home: DatabaseNumber, content: string): Promise<void> {
  const { brand, keys, revoked } = moving;
  const { brandId } = brand.issued;
  expect(await homeContent(home, moving)).toBe(content);
  for (const number of NUMBERS.filter((other) => other !== home)) {
    const { brands: _, ...data } = await countsIn(number, brandId);
    expect([number, ...Object.values(data)]).toEqual([number, 0, 0, 0, 0]);
  }
  const misplaced = await findMisplaced(openAll().all);
  expect(misplaced.filter((other) => other.brandId === brandId)).toEqual([]);
  expect((await revoked.send('GET', '/products')).status).toBe(401);
  const { text } = await brand.send('GET', '/products');
  for (const key of [brand, ...keys]) {
    expect((await key.send('GET', '/products')).text).toBe(text);
    const description = crypto.randomUUID();
    expect((await key.send('PATCH', '/profile', { brand: { description } })).status).toBe(200);
  }
}

it('A move keeps all of the brand, and says what it did: to another database, back, and to a third', async () => {
  const moving = await makeBrand();
  const { brand, keys } = moving;
  const { brandId } = brand.issued;
  let from: DatabaseNumber = 0;
  for (const to of [1, 0, 2] as const) {
    const content = await homeContent(from, moving);
    const moved = await moveBrand(openAll().all, brandId, { to });
    // Profile, three products, a code, a tombstone and a record.
    expect(moved).toMatchObject({ from, to, rows: 2 + keys.length + 1 + 3 + 1 + 1 + 1 });
    expect(moved.bytes).toBeGreaterThan(60_000);
    await expectHome(moving, to, content);
    for (const key of [brand, ...keys]) {
      const list = { products: [PRODUCT, PRODUCT, LONG, PRODUCT] };
      const { headers } = await key.send('POST', '/products', list, ONCE);
      expect(headers.get('Idempotent-Replayed')).toBe('true');
    }
    keys.push(brand.with(await issueKey(executeIn(to), brandId, {})));
    from = to;
  }
});

/** Gives a move up, in a second run if the first is interrupted. Returns whether it could be given up. */
async function abort(brandId: string, ...runs: readonly { all: Execute[] }[]): Promise<boolean> {
  for (const { all } of runs) {
    const isDone = await abortMove(all, brandId).then(
      () => true,
      () => false,
    );
    if (isDone) return true;
  }
  return false;
}

it.each(ENDS)('A move leads to one home if at some step $name', async ({ isMade, error }) => {
  const seen = new Set<string>();
  for (let at = 1, isInterrupted = true; isInterrupted; at++) {
    const moving = await makeBrand();
    const { brandId } = moving.brand.issued;
    let home: 0 | 1 = 0;
    // To a database without the brand, and to one that has its keys. One of the two is given up, as far as it can be.
    for (const leg of [0, 1]) {
      const to: 0 | 1 = home === 0 ? 1 : 0;
      const content = await homeContent(home, moving);
      const { all, calls } = openAll({ at, isMade, error });
      const first = await moveBrand(all, brandId, { to }).then(() => 'done', String);
      isInterrupted = calls() >= at;
      expect(first).toContain(isInterrupted ? error.message : 'done');
      const mayGiveUp = (at + leg + ENDS.findIndex((end) => end.error === error)) % 2 === 0;
      // The command that gives it up is interrupted at another step each time.
      const isGivenUp =
        isInterrupted &&
        mayGiveUp &&
        (await abort(brandId, openAll({ at: 1 + (at % 7), isMade, error }), openAll()));
      if (isInterrupted && !isGivenUp) await moveBrand(openAll().all, brandId, { to });
      if (!isGivenUp) home = to;
      await expectHome(moving, home, content);
      seen.add(isGivenUp ? 'given up' : mayGiveUp ? 'too late' : 'moved');
    }
  }
  expect([...seen].sort()).toEqual(['given up', 'moved', 'too late']);
});

type Act = (all: Execute[], brandId: string) => Promise<unknown>;
const move: Act = (all, brandId) => moveBrand(all, brandId, { to: 1 });
const keep: Act = (all, brandId) => keepBrand(all, brandId, 0);

it.each<[what: string, command: Act, other: Act]>([
  ['the same move of another operator', move, move],
  ['--abort of another operator', move, abortMove],
  ['--keep of another operator', move, keep],
  ['a move while --keep runs', keep, move],
])('Two commands lead to one home, at whichever step: %s', async (_, command, other) => {
  for (let at = 1, isDone = false; !isDone; at++) {
    const moving = await makeBrand();
    const { brandId } = moving.brand.issued;
    const content = await homeContent(0, moving);
    let calls = 0;
    const { all } = openAll(NONE, async () => {
      if (++calls === at) await other(openAll().all, brandId).catch(() => undefined);
    });
    await command(all, brandId).catch(() => undefined);
    isDone = calls < at;
    const homes = homesOf(await readPlaces(openAll().all, brandId));
    expect([at, homes.length]).toEqual([at, 1]);
    await expectHome(moving, homes[0]?.execute.database === 0 ? 0 : 1, content);
  }
});

it('A brand that moves loses nothing that was acknowledged to clients that write and follow at each step', async () => {
  const { brand } = await makeBrand();
  const { brandId } = brand.issued;
  const list = async (): Promise<Resource[]> => resourcesOf(await brand.send('GET', '/products'));
  const acknowledged = new Map((await list()).map((product) => [product.id, product]));
  const follower = new Follower(brand, products, undefined);
  const statuses = new Set<number>();
  const act = async (): Promise<void> => {
    await follower.readPage();
    const [oldest = ''] = acknowledged.keys();
    const created = await brand.send('POST', '/products', PRODUCT);
    if (created.status === 201) acknowledged.set(resourceOf(created).id, resourceOf(created));
    const deleted = await brand.send('DELETE', `/products/${oldest}`);
    if (deleted.status === 200) acknowledged.delete(oldest);
    statuses.add(created.status).add(deleted.status);
  };
  // Databases may be asked at the same time.
  let last = Promise.resolve();
  const meanwhile = (): Promise<void> => (last = last.then(act));

  let home: DatabaseNumber = 0;
  for (let at = 1, isKilled = true; isKilled; at += 3) {
    const to: DatabaseNumber = NUMBERS[(home + 1) % 3] ?? 0;
    const error = new Killed();
    const { all, calls } = openAll({ at, isMade: false, error }, meanwhile);
    const first = moveBrand(all, brandId, { to });
    await first.catch((thrown: unknown) => {
      if (thrown !== error) throw thrown;
    });
    isKilled = calls() >= at;
    const again = (): { all: Execute[] } => openAll(NONE, meanwhile);
    const isGivenUp = isKilled && at % 2 === 0 && (await abort(brandId, again()));
    if (isKilled && !isGivenUp) await moveBrand(again().all, brandId, { to });
    if (!isGivenUp) home = to;
    expect(await list()).toEqual([...acknowledged.values()]);
    await follower.catchUp();
    expect(follower.resources).toEqual([...acknowledged.values()]);
  }
  expect([...statuses].sort()).toEqual([200, 201, 503]);
});

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
    const moving = await makeBrand();
    const content = await homeContent(0, moving);
    await expect(moveBrand(all, moving.brand.issued.brandId, { to })).rejects.toThrow(says);
    await expectHome(moving, 0, content);
  });
});

describe('After a restore', () => {
  /** A brand that has moved from 0 to 1, and of which 0 lacks a key. */
  async function restored(): Promise<Moving> {
    const moving = await makeBrand();
    const { brand, keys } = moving;
    const lost = await issueKey(executeIn(0), brand.issued.brandId, {});
    keys.push(brand.with(lost));
    await relocate(brand, 1);
    await executeIn(0)(sql`delete from api_keys where id = ${lost.keyId}`);
    return moving;
  }

  it.each([
    ['two databases', 'twice', 0, null],
    ['none', 'nowhere', 1, 0],
  ] as const)(
    'a brand that is live in %s is named, and gets a home',
    async (_, fault, number, movedTo) => {
      const moving = await restored();
      const { brandId } = moving.brand.issued;
      await setKeys(number, brandId, 'moved_to', movedTo);
      const found = (await findMisplaced(openAll().all)).filter((one) => one.brandId === brandId);
      const lastChange: unknown = expect.stringMatching(/Z$/);
      const databases = [0, 1].map((number) => ({ number, frozenAt: null, lastChange }));
      expect(found).toMatchObject([{ brandId, brandName: 'Test brand', fault, databases }]);
      await expect(moveBrand(openAll().all, brandId, { to: 2 })).rejects.toThrow('a restore');
      await keepBrand(openAll().all, brandId, 1);
      await expectHome(moving, 1, await homeContent(1, moving));
    },
  );

  it('only a database that has the brand is kept, and none but its only home', async () => {
    const { brandId } = (await restored()).brand.issued;
    await expect(keepBrand(openAll().all, brandId, 0)).rejects.toThrow('at home in database 1');
    await expect(keepBrand(openAll().all, brandId, 2)).rejects.toThrow('does not have the brand');
  });
});
