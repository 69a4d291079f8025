import type { Step } from './explore.ts';
import { isArrived } from './mover.ts';
import { isHome } from './operator.ts';
import type { Setup } from './setup.ts';
import type { Database, State } from './state.ts';
import { databaseAt, nothing, withDatabase, withWorld } from './state.ts';

/** A restore of B by Time Travel, and what `database check --repair` does then. The brand moves from A to B. */
export function* restoreSteps(setup: Setup, state: State): Iterable<Step<State>> {
  if (!setup.mayRestore) return;
  yield* restore(state);
  yield* repair(setup, state);
}

/**
 * Any earlier moment at which the brand was not at home in B. Where it is at home, a restore loses what was written since
 * then, which nobody can prevent.
 */
function* restore(state: State): Iterable<Step<State>> {
  const { moment, world } = state;
  const now = databaseAt(state, 1);
  if (world.isRestored || isHome(now)) return;
  if (moment === null) {
    yield {
      says: 'This is the moment to which B will be restored.',
      next: { ...state, moment: now },
      by: 'anybody',
    };
    return;
  }
  const restored = { ...withDatabase(state, 1, moment), moment: null };
  yield {
    says: 'The operator restores B.',
    next: withWorld(restored, { isRestored: true }),
    by: 'anybody',
  };
}

/** The steps of the repair. Each is a transaction in one database. The command is repeated, so hopes may count on it. */
function* repair(setup: Setup, state: State): Iterable<Step<State>> {
  const [source, target] = [databaseAt(state, 0), databaseAt(state, 1)];
  const { move } = source;
  const isGone = move?.role === 'out' && move.state === 'gone';
  const isOpened = move?.role === 'in';
  const isCopy = target.move?.role === 'in' && target.move.state !== 'home';
  if (isGone && (isCopy ? isArrived(setup, target, source) : isHome(target))) return;
  if (isCopy && (isGone || isOpened)) {
    yield {
      says: 'The repair deletes the copy in B, where the brand has left now.',
      next: withDatabase(state, 1, cleared(target)),
      by: 'mover',
    };
  }
  if (isGone && (!isCopy || setup.broken === 'openFirst')) {
    const generation = source.generation + 1;
    const opened: Database = {
      ...source,
      generation,
      keys: source.keys.map((key) => key && { ...key, movedTo: null }),
      move: { ...move, id: generation, role: 'in', state: 'home', attempt: 0 },
    };
    yield {
      says: 'The repair makes the brand at home in A again.',
      next: withDatabase(state, 0, opened),
      by: 'mover',
    };
  }
}

/** The row is no longer that of the move, so no call of the mover does anything here. */
function cleared({ move, keys, ...rest }: Database): Database {
  return {
    ...rest,
    content: nothing,
    keys: keys.map((key) => key && { ...key, movedTo: 0 }),
    move: move && { ...move, role: 'out', state: 'tidied', attempt: 0, cursor: 0 },
  };
}
