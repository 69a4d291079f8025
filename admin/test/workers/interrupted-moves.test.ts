import { beforeAll, expect, it, vi } from 'vitest';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { abortMove, moveBrand } from '../../src/move/move.ts';
import type { Resource, TestBrand } from '../../../test/support/brand.ts';
import { resourceOf } from '../../../test/support/brand.ts';
import { products } from '../../../test/support/collections.ts';
import { contentOf, migrateAll } from '../../../test/support/databases.ts';
import { Follower } from '../../../test/support/follower.ts';
import { ENDS, expectHome, makeBrand, openAll, PRODUCT } from './moving-brand.ts';

// Each step of a move is a call to one database. For each, the command ends before it or after it, or the call fails, with
// or without an effect. After the same command again, or `--abort`, the brand is whole in one database.

beforeAll(migrateAll);

// One test goes through 16 steps: 10 s beside the other files.
vi.setConfig({ testTimeout: 180_000 });

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
  'A move that ends at some step leads to one home, and loses nothing of a client: $name',
  async (end) => {
    const seen = new Set<unknown>();
    for (let at = 1, isInterrupted = true; isInterrupted; at++) {
      const moving = await makeBrand();
      const { brandId } = moving.brand.issued;
      const client = await clientOf(moving.brand, seen);
      // Before every third call, and in each of the three tests before other ones.
      let turn = at + ENDS.indexOf(end);
      const act = (): Promise<void> => (++turn % 3 === 0 ? client.act() : Promise.resolve());
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
        await client.expectNothingLost();
        expect(await contentOf(home, brandId, rest)).toBe(content);
        await expectHome(moving, home);
        seen.add(!mayGiveUp ? 'moved' : staysIn === home ? 'given up' : 'too late');
      }
    }
    expect([...seen].sort()).toEqual([200, 201, 503, 'given up', 'moved', 'too late']);
  },
);
