import { Chance } from './chance.ts';
import { Followers } from './followers.ts';
import type { Actor, Failures, Traits } from './interleaving.ts';
import { Interleaving } from './interleaving.ts';
import { Movers } from './movers.ts';
import { MovingBrand } from './moving-brand.ts';
import { Operator } from './operator.ts';
import { Writers } from './writers.ts';

/**
 * Moves a brand between three databases while clients and operators use it, and expects that nothing is lost. The order
 * of all calls to D1 is left to chance, and so is which of them fail.
 * @returns the number of moves that were settled
 * @throws Error with the seed and the last calls
 */
export async function moveAtRandom(seed: number): Promise<number> {
  const chance = new Chance(seed);
  const interleaving = new Interleaving(chance);
  const brand = await MovingBrand.create();
  const writers = new Writers(brand, chance);
  const operator = new Operator(brand, chance);
  const followers = new Followers(brand, chance);
  const movers = new Movers(brand, chance);

  // The movers go on until all others are done.
  let working = 0;
  const add = (traits: Traits, times: number, act: (actor: Actor) => Promise<void>): void => {
    working++;
    interleaving.add(traits, async (actor) => {
      for (let n = 0; n < times; n++) await act(actor);
      working--;
    });
  };
  const anyWeight = (): number => chance.of([0.3, 1, 3]);
  const afterEach = (): Promise<void> => brand.expectOneHome();

  for (const n of [0, 1]) {
    const failures = chance.of<Failures>([{}, { before: 0.01, lost: 0.03 }]);
    const traits = { name: `writer ${n}`, failures, weight: anyWeight() };
    add(traits, 12, (actor) => writers.write(actor, n === 0));
  }
  add({ name: 'reader' }, 12, (actor) => operator.keys.tryOne(actor));
  add({ name: 'follower', weight: anyWeight() }, 12, (actor) => followers.follow(actor));
  const failures = chance.of<Failures>([{}, { lost: 0.05 }]);
  const operatorTraits = { name: 'operator', failures, weight: 0.5, afterEach };
  add(operatorTraits, 8, (actor) => operator.operate(actor));
  add({ name: 'check' }, 2, (actor) => operator.check(actor));

  const moverTraits = {
    failures: chance.of<Failures>([
      {},
      { before: 0.02, lost: 0.05, late: 0.05 },
      { lost: 0.1 },
      { late: 0.15 },
    ]),
    weight: chance.of([1, 3, 10]),
    afterEach,
  };
  for (const n of chance.of([[0], [0, 1], [0, 1]])) {
    interleaving.add({ name: `mover ${n}`, ...moverTraits }, async (actor) => {
      while (working > 0) await movers.moveOn(actor);
    });
  }

  try {
    await interleaving.run();
    await movers.expectEnd();
    const isDeleted = await operator.expectDeletion();
    // The operator first: it ends a suspension.
    const parts = isDeleted ? [] : [operator, writers, followers];
    for (const part of parts) await part.expectEnd();
    return movers.settled.size;
  } catch (error) {
    const calls = interleaving.journal.slice(-60).join('\n');
    throw new Error(`FUZZ_SEED=${seed}: ${String(error)}\n${calls}`, { cause: error });
  }
}
