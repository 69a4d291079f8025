import { sql } from 'drizzle-orm';
import { beforeAll, expect, it, vi } from 'vitest';
import { DatabaseFailure } from '../../../common/operator-error.ts';
import type { OpenDatabase, Measurement } from '../../src/open-database.ts';
import { inline } from '../../src/open-database.ts';
import { issueKey, revokeKey } from '../../src/keys.ts';
import { findMisplaced } from '../../src/move/check.ts';
import { keepBrand } from '../../src/move/keep.ts';
import { abortMove, moveBrand } from '../../src/move/move.ts';
import { onlyHome, readPlaces } from '../../src/move/places.ts';
import { interceptDatabase } from '../intercept-database.ts';
import type { Resource, TestBrand } from '../../../test/support/brand.ts';
import { resourceOf, resourcesOf } from '../../../test/support/brand.ts';
import { products } from '../../../test/support/collections.ts';
import type { DatabaseNumber } from '../../../test/support/databases.ts';
import {
  brandIn,
  contentOf,
  DATA,
  migrateAll,
  relocate,
  setKeys,
} from '../../../test/support/databases.ts';
import { Follower } from '../../../test/support/follower.ts';
import { adminIn } from './database.ts';

// Each step of a move is a call to one database. For each, the command ends before it or after it, or the call fails, with
// or without an effect. After the same command again, or `--abort`, the brand is whole in one database.

beforeAll(migrateAll);

// One test goes through 16 steps: 25 s beside the other files.
vi.setConfig({ testTimeout: 180_000 });

const NUMBERS: readonly DatabaseNumber[] = [0, 1, 2];
const ONCE = { headers: { 'Idempotency-Key': 'once' } };
const PRODUCT = { title: 'Bar', priceCents: 1 };
const LONG = { ...PRODUCT, description: 'ä'.repeat(60_000) };
const LIST = { products: [PRODUCT, PRODUCT, LONG, PRODUCT] };
const FULL = new DatabaseFailure('The disk or the database is full.', 'Nothing was changed.');

/** The command is killed: no code of it runs any more. */
class Killed extends Error {}

/** What happens at one call: whether it has an effect, and whether the command goes on. Ending after one is ending before the next. */
const ENDS = [
  { name: 'the command ends before it', isMade: false, error: new Killed('Killed.') },
  { name: 'it fails', isMade: false, error: new DatabaseFailure('It failed.', '') },
  { name: 'its answer is lost', isMade: true, error: new DatabaseFailure('It failed.', '') },
] as const;

/**
 * Returns the databases for a command, and the number of calls that it has made.
 * @param act what clients do before each call
 * @param at the number of the call that has an end
 */
function openAll(
  act = (): Promise<void> => Promise.resolve(),
  at = Infinity,
  { isMade, error }: (typeof ENDS)[number] = ENDS[0],
): { readonly all: OpenDatabase[]; readonly calls: () => number } {
  let calls = 0;
  const all = NUMBERS.map((number) =>
    interceptDatabase(adminIn(number), async (call) => {
      const place = ++calls;
      if (place > at && error instanceof Killed) throw error;
      await act();
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
  const [{ id } = { id: '' }] = resourcesOf(await brand.send('POST', '/products', LIST, ONCE));
  await brand.send('DELETE', `/products/${id}`);
  await brand.create('/coupon-codes', { code: 'TAKEN', discountPercent: 12.5 });
  const revoked = brand.with(await issueKey(adminIn(0), brand.issued.brandId, {}));
  await revokeKey(adminIn(0), revoked.issued.keyId);
  return { brand, keys: [], revoked };
}

/** Every key finds the same brand in one database, and may write; the others have nothing but keys. */
async function expectHome({ brand, keys, revoked }: Moving, home: DatabaseNumber): Promise<void> {
  const { brandId } = brand.issued;
  for (const number of NUMBERS.filter((other) => other !== home)) {
    expect([number, await contentOf(number, brandId, DATA)]).toEqual([number, '[]']);
  }
  const misplaced = await findMisplaced(openAll().all);
  expect(misplaced.filter((other) => other.brandId === brandId)).toEqual([]);
  expect((await revoked.send('GET', '/products')).status).toBe(401);
  const { text } = await brand.send('GET', '/products');
  for (const key of [brand, ...keys]) {
    expect((await key.send('GET', '/products')).text).toBe(text);
    const { headers } = await key.send('POST', '/products', LIST, ONCE);
    expect(headers.get('Idempotent-Replayed')).toBe('true');
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

type Client = Readonly<Record<'act' | 'expectNothingLost', () => Promise<void>>>;

/** Returns a client that writes, and follows what is written. It adds the statuses of its writes to a set. */
async function clientOf(brand: TestBrand, statuses: Set<unknown>): Promise<Client> {
  const list = async (): Promise<Resource[]> => await brand.list('/products');
  const acknowledged = new Map((await list()).map((product) => [product.id, product]));
  const follower = new Follower(brand, products, undefined);
  let isCreating = false;
  const act = async (): Promise<void> => {
    await follower.readPage();
    // Not the first ones, of which one is long.
    const fourth = [...acknowledged.keys()][3];
    // In turn: so each of them meets each step, in other moves.
    isCreating = !isCreating;
    if (isCreating || fourth === undefined) {
      const created = await brand.send('POST', '/products', PRODUCT);
      if (created.status === 201) acknowledged.set(resourceOf(created).id, resourceOf(created));
      statuses.add(created.status);
    } else {
      const deleted = await brand.send('DELETE', `/products/${fourth}`);
      if (deleted.status === 200) acknowledged.delete(fourth);
      statuses.add(deleted.status);
    }
  };
  // Databases may be asked at the same time.
  let last = Promise.resolve();
  return {
    act: () => (last = last.then(act)),
    expectNothingLost: async () => {
      await follower.catchUp();
      const kept = [...acknowledged.values()];
      expect([await list(), follower.resources]).toEqual([kept, kept]);
    },
  };
}

it.each(ENDS)(
  'A move leads to one home, and loses nothing of a client, if at some step $name',
  async (end) => {
    const seen = new Set<unknown>();
    for (let at = 1, isInterrupted = true; isInterrupted; at++) {
      const moving = await makeBrand();
      const { brandId } = moving.brand.issued;
      const { act, expectNothingLost } = await clientOf(moving.brand, seen);
      // What the client does not write.
      const rest = ['coupon_codes', 'api_keys', 'idempotency_records'];
      const content = await contentOf(0, brandId, rest);
      const giveUp = (all: OpenDatabase[]): Promise<number | undefined> =>
        abortMove(all, brandId).catch(() => undefined);
      let home: 0 | 1 = 0;
      // To a database without the brand, and to one that has its keys. One of the two is given up, as far as it can be.
      for (const leg of [0, 1]) {
        const to: 0 | 1 = home === 0 ? 1 : 0;
        const { all, calls } = openAll(act, at, end);
        const first = await moveBrand(all, brandId, { to }).then(() => 'done', String);
        isInterrupted = calls() >= at;
        expect(first).toContain(isInterrupted ? end.error.message : 'done');
        const mayGiveUp = isInterrupted && (at + leg + ENDS.indexOf(end)) % 2 === 0;
        // The command that gives it up is interrupted at another step each time.
        const staysIn = mayGiveUp
          ? ((await giveUp(openAll(act, 1 + (at % 7), end).all)) ??
            (await giveUp(openAll(act).all)))
          : undefined;
        if (isInterrupted && staysIn === undefined) {
          await moveBrand(openAll(act).all, brandId, { to });
        }
        if (staysIn === undefined) home = to;
        await expectNothingLost();
        expect(await contentOf(home, brandId, rest)).toBe(content);
        await expectHome(moving, home);
        seen.add(!mayGiveUp ? 'moved' : staysIn === home ? 'given up' : 'too late');
      }
    }
    expect([...seen].sort()).toEqual([200, 201, 503, 'given up', 'moved', 'too late']);
  },
);

it.each<[command: string, other: (all: OpenDatabase[], brandId: string) => Promise<unknown>]>([
  ['the same', (all, brandId) => moveBrand(all, brandId, { to: 1 })],
  ['--abort', abortMove],
  ['--keep', (all, brandId) => keepBrand(all, brandId, 0)],
])('A move leads to one home, whenever another operator says %s', async (_, other) => {
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
});

it.each<[says: RegExp, statement: RegExp, answer: Measurement['results'] | Error]>([
  [/have the same migrations\. .* Nothing was changed\.$/, /d1_migrations/, [[]]],
  [/is full\. The brand was not moved\.$/, /insert into products/i, FULL],
  [/is not the same .* The brand was not moved\.$/, /has_more/, Array<[]>(6).fill([])],
])('A move that fails says %s, and leaves the brand as it was', async (says, statement, answer) => {
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
});

it.each([
  ['two databases', 'twice', 0, null],
  ['none', 'nowhere', 1, 0],
] as const)(
  'A brand that is live in %s after a restore is named, and gets a home',
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
