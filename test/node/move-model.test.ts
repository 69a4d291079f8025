import { expect, it } from 'vitest';
import { configurations } from './move-model/configurations.ts';
import { explore } from './move-model/explore.ts';
import { systemOf } from './move-model/system.ts';

// Every state that the protocol of a move can reach, in several small configurations. `move-model/mover.ts` describes the
// protocol, `move-model/invariants.ts` what holds in each state. `move-model-breaks.test.ts` shows that the invariants
// notice.

const all = Object.entries(configurations);

it.each(all)('holds in every state of "%s"', (_, setup) => {
  const { states, violation } = explore(systemOf(setup));
  expect(violation).toBeUndefined();
  // A model in which nothing happens would hold too.
  expect(states).toBeGreaterThan(20_000);
});
