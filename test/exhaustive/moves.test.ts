import { beforeAll, describe, expect, it } from 'vitest';
import { abortMove } from '../../mover/index.ts';
import type { DatabaseNumber } from '../support/databases.ts';
import { databases, migrateAll } from '../support/databases.ts';
import type { Fault } from '../support/interrupted-move.ts';
import { driveThrough } from '../support/interrupted-move.ts';
import { expectHome, expectSame, smallBrand } from '../support/moved-brand.ts';
import { acts } from '../support/acts.ts';
import { begin, moveBrand } from '../support/moves.ts';

// Every call of the mover fails before it arrives, loses its answer, or arrives late, and others do something before each
// call. Afterwards the brand is in one database, with all that was acknowledged.

beforeAll(migrateAll);

/** The data in the source is deleted at once, so that it can be seen whether anything is missing. */
const AT_ONCE = { days: 0 };

/** The moves to interrupt: to a new database, and back to one where the brand was before. */
const WAYS = [
  { way: 'onward', to: 1, isReturn: false },
  { way: 'back', to: 0, isReturn: true },
] as const;

async function prepared(isReturn: boolean): ReturnType<typeof smallBrand> {
  const known = await smallBrand(0);
  // What it leaves behind is still there when it returns.
  if (isReturn) await moveBrand(known.brand.issued.brandId, 0, 1);
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

describe.each(WAYS)('A move $way', ({ to, isReturn }) => {
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
        await driveThrough(await begin(brandId, from, to), { at: 0 }, AT_ONCE);
        await expectHome(brandId, to, [from]);
        await expectSame(known);
      }
    }
  });

  it.each(acts)(
    'loses nothing of what others do before any call: $name',
    async ({ name, prepare }) => {
      const calls = await callsOf(isReturn, to);
      for (let at = 1; at <= calls; at++) {
        const known = await prepared(isReturn);
        const { brandId } = known.brand.issued;
        const { act, check, isDeletion = false } = await prepare(known.brand, [from, to]);
        const move = await begin(brandId, from, to);
        const outcome = { isDone: false };
        // Each act meets each failure, and each call does.
        const fault = ([undefined, 'before', 'lost', 'late'] as const)[(at + name.length) % 4];
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
