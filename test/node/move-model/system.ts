import { clientSteps } from './clients.ts';
import { driverSteps } from './drivers.ts';
import type { Step, System } from './explore.ts';
import { faultIn, hopes } from './invariants.ts';
import { operatorSteps } from './operator.ts';
import { restoreSteps } from './restores.ts';
import type { Setup } from './setup.ts';
import { initialState, placesOf } from './setup.ts';
import type { Database, State } from './state.ts';

/** The system of a configuration. */
export function systemOf(setup: Setup): System<State> {
  return {
    initial: withSmallAttempts(initialState(setup)),
    split({ databases, drivers, late, writers, truth, moment, world }) {
      const parts: unknown[] = [...drivers, ...late, ...writers, truth, moment, world];
      for (const { content, keys, move, hasBrand, generation } of databases) {
        parts.push(content, keys, move, hasBrand, generation);
      }
      return parts;
    },
    join(parts) {
      let at = 0;
      const next = (count: number): readonly unknown[] => parts.slice(at, (at += count));
      const [drivers, late, writers] = [setup.drivers, setup.late, setup.writers].map(next);
      const [truth, moment, world] = next(3);
      const databases = placesOf(setup).map(() => {
        const [content, keys, move, hasBrand, generation] = next(5);
        return { hasBrand, content, keys, move, generation };
      });
      return asState({ databases, drivers, late, writers, truth, moment, world });
    },
    *steps(state) {
      yield* numbered(clientSteps(setup, state));
      yield* numbered(operatorSteps(setup, state));
      yield* numbered(driverSteps(setup, state));
      yield* numbered(restoreSteps(setup, state));
    },
    fault: faultIn,
    hopes,
  };
}

/** The parts are those that `split` returned, in its order. */
function asState(parts: Readonly<Record<keyof State, unknown>>): State {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return parts as State;
}

function* numbered(steps: Iterable<Step<State>>): Iterable<Step<State>> {
  for (const step of steps) {
    const next = withSmallAttempts(step.next);
    yield next === step.next ? step : { ...step, next };
  }
}

/** Only the order of attempts matters. So they are numbered again after each step, and the states stay finite. */
function withSmallAttempts(state: State): State {
  let used = 0b1;
  const use = (row: { readonly attempt: number } | null): void => {
    if (row !== null) used |= 1 << row.attempt;
  };
  for (const { move } of state.databases) use(move);
  use(state.moment?.move ?? null);
  state.drivers.forEach(use);
  state.late.forEach(use);
  // Without a gap, the numbers in use are the lowest ones.
  if ((used & (used + 1)) === 0) return state;
  const rankOf = (attempt: number): number => bits(used & ((1 << attempt) - 1));
  const ranked = <T extends { readonly attempt: number } | null>(row: T): T => {
    if (row === null) return row;
    const attempt = rankOf(row.attempt);
    return attempt === row.attempt ? row : { ...row, attempt };
  };
  const inDatabase = (database: Database): Database => {
    const move = ranked(database.move);
    return move === database.move ? database : { ...database, move };
  };
  return {
    ...state,
    databases: state.databases.map(inDatabase),
    moment: state.moment && inDatabase(state.moment),
    drivers: state.drivers.map(ranked),
    late: state.late.map(ranked),
  };
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
