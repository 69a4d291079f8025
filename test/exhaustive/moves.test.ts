import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Move } from '../../mover/index.ts';
import { abortMove, advance, unfreeze } from '../../mover/index.ts';
import { acts } from '../support/acts.ts';
import { resourcesOf } from '../support/brand.ts';
import type { DatabaseNumber } from '../support/databases.ts';
import { databases, migrateAll, PAST } from '../support/databases.ts';
import type { Fault } from '../support/interrupted-move.ts';
import { driveThrough } from '../support/interrupted-move.ts';
import type { Known } from '../support/moved-brand.ts';
import { expectHome, expectSame, smallBrand } from '../support/moved-brand.ts';
import { begin, moveBrand, rowsIn, SMALL } from '../support/moves.ts';
import { rewinding } from '../support/restored.ts';

// Every call of the mover fails before it arrives, loses its answer, or arrives late, and others do something before each
// call. Afterwards the brand is in one database, with all that was acknowledged.

beforeAll(migrateAll);

/** The data in the source is deleted at once, so that it can be seen whether anything is missing. */
const AT_ONCE = { days: 0 };

/** A move to interrupt. */
interface Way {
  readonly way: string;
  readonly to: DatabaseNumber;
  readonly isReturn: boolean;
  readonly others: typeof acts;
}

/** The moves to interrupt: to a new database, and back to one where the brand was before. */
const WAYS: readonly Way[] = [
  { way: 'onward', to: 1, isReturn: false, others: acts },
  {
    ...{ way: 'back', to: 0, isReturn: true },
    others: acts.filter(({ name }) => ['a change', 'key revoke', 'brand delete'].includes(name)),
  },
];

/** A brand before its move, and what brings it back there. */
interface Beginning {
  readonly known: Known;
  readonly rewind: () => Promise<void>;
}

const beginnings = new Map<boolean, Promise<Beginning>>();

async function beginning(isReturn: boolean): Promise<Beginning> {
  const known = await smallBrand(0);
  const { brandId } = known.brand.issued;
  // What it leaves behind is still there when it returns.
  if (isReturn) await moveBrand(brandId, 0, 1);
  return { known, rewind: await rewinding(brandId, [0, 1]) };
}

/** Returns a brand that is to move: always the same one, brought back to its beginning. */
async function prepared(isReturn: boolean): Promise<Known> {
  const made = beginnings.get(isReturn) ?? beginning(isReturn);
  beginnings.set(isReturn, made);
  const { known, rewind } = await made;
  await rewind();
  for (const number of [0, 1] as const) {
    // New ones are copied last.
    await databases[number]
      .prepare(
        `update idempotency_records set created_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') where brand_id = ?`,
      )
      .bind(known.brand.issued.brandId)
      .run();
  }
  return known;
}

async function callsOf(isReturn: boolean, to: DatabaseNumber): Promise<number> {
  const { brand } = await prepared(isReturn);
  const move = await begin(brand.issued.brandId, to === 1 ? 0 : 1, to);
  const { calls } = await driveThrough(move, { at: 0 }, AT_ONCE);
  return calls;
}

const FAULTS: readonly { readonly fault: Fault; readonly delay?: number }[] = [
  { fault: 'before' },
  { fault: 'lost' },
  ...[1, 3, 6, Infinity].map((delay) => ({ fault: 'late' as const, delay })),
];

/** What can happen to a call while others act: nothing, or a failure. */
const EVERY = [undefined, 'before', 'lost', 'late'] as const;

describe.each(WAYS)('A move $way', ({ to, isReturn, others }) => {
  const from = to === 1 ? 0 : 1;

  it.each(FAULTS)(
    'loses nothing if any call is $fault, by $delay calls',
    async ({ fault, delay }) => {
      const calls = await callsOf(isReturn, to);
      expect(calls).toBeGreaterThan(15);
      for (let at = 1; at <= calls; at++) {
        const known = await prepared(isReturn);
        const { brandId } = known.brand.issued;
        const move = await begin(brandId, from, to);
        const driven = await driveThrough(
          move,
          { at, fault, ...(delay !== undefined && { delay }) },
          AT_ONCE,
        );
        await driven.arrive();
        await expectHome(brandId, to, [from]);
        await expectSame(known);
      }
    },
  );

  it('takes no call that arrives after the brand has come back', async () => {
    const calls = await callsOf(isReturn, to);
    for (let at = 1; at <= calls; at++) {
      const known = await prepared(isReturn);
      const { brandId } = known.brand.issued;
      const driven = await driveThrough(
        await begin(brandId, from, to),
        { at, fault: 'late' },
        AT_ONCE,
      );
      await driveThrough(await begin(brandId, to, from), { at: 0 }, AT_ONCE);
      await driven.arrive();
      await expectHome(brandId, from, [to]);
      await expectSame(known);
    }
  });

  it('is given up at any point before the commit, with every failure', async () => {
    const calls = await callsOf(isReturn, to);
    for (let at = 1; at <= calls; at++) {
      const known = await prepared(isReturn);
      const { brandId } = known.brand.issued;
      const move = await begin(brandId, from, to);
      const outcome = { isAborted: false };
      const act = async (): Promise<void> => {
        outcome.isAborted = await abortMove(databases[from], move, 'tests');
      };
      const driven = await driveThrough(move, { at, fault: 'late', delay: 5, act }, AT_ONCE);
      await driven.arrive();
      const { isAborted } = outcome;
      await expectHome(brandId, isAborted ? from : to, [isAborted ? to : from]);
      await expectSame(known);
      if (isAborted) {
        // Not even the brand's row, unless it was there before.
        expect((await rowsIn(to, brandId))['brands']).toHaveLength(isReturn ? 1 : 0);
        await driveThrough(await begin(brandId, from, to), { at: 0 }, AT_ONCE);
        await expectHome(brandId, to, [from]);
        await expectSame(known);
      }
    }
  });

  it.each(others)(
    'loses nothing of what others do before any call: $name',
    { timeout: 600_000 },
    async ({ name, prepare }) => {
      const calls = await callsOf(isReturn, to);
      const rounds = Array.from({ length: calls }, (_, index) => index + 1).flatMap((at) =>
        // Each act meets each failure, and each call does.
        inject('crossed')
          ? EVERY.map((fault) => ({ at, fault }))
          : [{ at, fault: EVERY[(at + name.length) % 4] }],
      );
      for (const { at, fault } of rounds) {
        const known = await prepared(isReturn);
        const { brandId } = known.brand.issued;
        const { act, check, isDeletion = false } = await prepare(known.brand, [from, to]);
        const move = await begin(brandId, from, to);
        const outcome = { isDone: false };
        const driven = await driveThrough(
          move,
          {
            ...{ at, delay: 4 },
            ...(fault !== undefined && { fault }),
            act: async () => {
              outcome.isDone = await act();
            },
          },
          AT_ONCE,
        );
        await driven.arrive();
        // Between the commit and the settling call, the brand is nowhere.
        if (!outcome.isDone) expect(await act()).toBe(true);
        await check();
        if (!isDeletion) await expectSame(known);
      }
    },
  );
});

describe('A late call of a run that ended', () => {
  const replaced = acts.filter(({ name }) =>
    ['key revoke', 'a change of the profile'].includes(name),
  );

  it.each(replaced)('brings nothing back: $name', async ({ prepare }) => {
    const calls = await callsOf(false, 1);
    for (const delay of [6, 7]) {
      for (let at = 6; at <= calls; at++) {
        const { brand } = await prepared(false);
        const { act, check } = await prepare(brand, [0, 1]);
        const move = await begin(brand.issued.brandId, 0, 1);
        // Between the commit and the settling call, the brand is nowhere.
        const outcome = { isDone: false };
        const once = async (): Promise<void> => {
          outcome.isDone = await act();
        };
        await driveThrough(move, { at, fault: 'late', delay, act: once }, AT_ONCE);
        if (!outcome.isDone) expect(await act()).toBe(true);
        await check();
      }
    }
  });
});

describe('A move that is given up', () => {
  it.each(FAULTS)(
    'leaves nothing in the target if any call is $fault, by $delay calls',
    async ({ fault, delay }) => {
      const given = async (): Promise<{ known: Known; move: Move }> => {
        const known = await prepared(false);
        const move = await begin(known.brand.issued.brandId, 0, 1);
        for (let step = 0; step < 3; step++) {
          await advance(databases[0], databases[1], move, { limits: { ...SMALL, rows: 2 } });
        }
        await abortMove(databases[0], move, 'tests');
        return { known, move };
      };
      const { calls } = await driveThrough((await given()).move, { at: 0 });
      expect(calls).toBeGreaterThan(2);
      for (let at = 1; at <= calls; at++) {
        const { known, move } = await given();
        const { brandId } = known.brand.issued;
        const driven = await driveThrough(move, {
          ...{ at, fault },
          ...(delay !== undefined && { delay }),
        });
        await expectHome(brandId, 0, [1]);
        // A late call finds the next move.
        await driveThrough(await begin(brandId, 0, 1), { at: 0 }, AT_ONCE);
        await driven.arrive();
        await expectHome(brandId, 1, [0]);
        await expectSame(known);
      }
    },
  );
});

describe('A busy brand', () => {
  // Frozen soon, so that there are fewer calls to interrupt.
  const FROZEN = { ...AT_ONCE, commits: 1 };

  it.each([{ fault: 'lost' }, { fault: 'late', delay: 3 }] as const)(
    'loses no write if any call is $fault, and is unfrozen',
    async (failure) => {
      const busy = async (): Promise<{
        known: Known;
        move: Move;
        written: { title?: string };
        always: () => Promise<void>;
      }> => {
        const known = await prepared(false);
        const move = await begin(known.brand.issued.brandId, 0, 1);
        const path = `/products/${String(known.lists[0]?.resources[3]?.id)}`;
        const written: { title?: string } = {};
        let count = 0;
        const always = async (): Promise<void> => {
          const title = `T${++count}`;
          const { status } = await known.brand.send('PATCH', path, { title });
          expect([200, 503]).toContain(status);
          if (status === 200) written.title = title;
        };
        return { known, move, written, always };
      };
      const { move: first, always: write } = await busy();
      const { calls } = await driveThrough(first, { at: 0, always: write }, FROZEN);
      for (let at = 1; at <= calls; at++) {
        const { known, move, written, always } = await busy();
        const { brandId } = known.brand.issued;
        const driven = await driveThrough(move, { at, always, ...failure }, FROZEN);
        await driven.arrive();
        // A late freeze waits for the schedule.
        await databases[0]
          .prepare(`update api_keys set frozen_at = ? where frozen_at is not null`)
          .bind(PAST)
          .run();
        await unfreeze(databases[0]);
        await expectHome(brandId, 1, [0]);
        await expectSame(known);
        const titles = resourcesOf(await known.brand.send('GET', '/products')).map(
          ({ title }) => title,
        );
        expect(titles[3]).toBe(written.title);
      }
    },
  );
});
