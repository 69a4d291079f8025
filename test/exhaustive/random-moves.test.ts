import { beforeAll, describe, expect, inject, it } from 'vitest';
import { migrateAll } from '../support/databases.ts';
import { moveAtRandom } from '../support/random-move/random-move.ts';

// A brand moves to and fro while clients and operators use it, in an order that is left to chance.

beforeAll(migrateAll);

describe('A brand that moves at random', () => {
  const { runs: all, seed: first } = inject('fuzz');
  const runs = Math.ceil(all / 15);

  it(`loses nothing, in ${runs} runs`, { timeout: 10_000 + all * 2000 }, async () => {
    let moves = 0;
    for (let seed = first; seed < first + runs; seed++) moves += await moveAtRandom(seed);
    expect(moves).toBeGreaterThan(runs);
  });
});
