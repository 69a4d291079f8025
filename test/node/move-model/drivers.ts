import type { Step } from './explore.ts';
import { perform } from './mover.ts';
import type { Setup } from './setup.ts';
import { placesOf } from './setup.ts';
import type { Driver, State } from './state.ts';
import { databaseAt, nameOf, replaced } from './state.ts';

/** All that runs of the mover can do, and what can happen to their calls. */
export function* driverSteps(setup: Setup, state: State): Iterable<Step<State>> {
  yield* begin(setup, state);
  for (const [n, driver] of state.drivers.entries()) {
    if (driver === null) continue;
    // A call that fails before it arrives is the same.
    yield {
      says: `Driver ${n + 1} dies before it can ${saying(driver)}.`,
      next: { ...state, drivers: replaced(state.drivers, n, null) },
      by: 'anybody',
    };
    yield* call(setup, state, n, driver);
  }
  for (const [n, driver] of state.late.entries()) {
    if (driver === null) continue;
    const after = perform(setup, state, driver).state;
    yield {
      says: `A late call arrives, to ${saying(driver)}. ${after === state ? 'Refused' : 'Done'}.`,
      next: { ...after, late: replaced(state.late, n, null) },
      by: 'anybody',
    };
  }
}

/** A run begins, whatever the others are doing: only the databases can say which one may act. */
function* begin(setup: Setup, state: State): Iterable<Step<State>> {
  const free = state.drivers.indexOf(null);
  if (free < 0) return;
  for (const source of placesOf(setup)) {
    const { move } = databaseAt(state, source);
    if (move?.role !== 'out' || move.state === 'tidied' || move.state === 'over') continue;
    yield* call(setup, state, free, {
      move: move.id,
      source,
      target: move.peer,
      attempt: 0,
      call: { to: 'claim the source' },
    });
  }
}

/** A run makes its next call. */
function* call(setup: Setup, state: State, n: number, driver: Driver): Iterable<Step<State>> {
  const { state: after, attempt, then } = perform(setup, state, driver);
  const isEffective = after !== state;
  const mayWrite = driver.call.to !== 'read a page' && driver.call.to !== 'read the rest';
  const tries = `Driver ${n + 1} tries to ${saying(driver)}.`;
  const told = `${tries} ${isEffective || !mayWrite ? 'Done' : 'Refused'}.`;
  const withDriver = (now: State, next: Driver | null): State => ({
    ...now,
    drivers: replaced(now.drivers, n, next),
  });
  for (const next of then) {
    yield {
      says: then.length > 1 ? `${told} It is to ${next.to} now.` : told,
      next: withDriver(after, { ...driver, attempt, call: next }),
      by: 'mover',
    };
  }
  if (then.length === 0) {
    yield { says: `${told} The run ends.`, next: withDriver(after, null), by: 'mover' };
  }
  if (!mayWrite) return;

  // Its answer is lost, or it is late: the run does not know what it did, and ends. So an attempt has one call at most
  // whose outcome is unknown, and it is its last.
  const unknowing = afterUnknown(setup, driver);
  if (isEffective) {
    const next = withDriver(after, unknowing);
    yield { says: `${tries} Done, but the answer is lost.`, next, by: 'anybody' };
  }
  const free = state.late.indexOf(null);
  if (free < 0) return;
  yield {
    says: `${tries} The call is late.`,
    next: { ...withDriver(state, unknowing), late: replaced(state.late, free, driver) },
    by: 'anybody',
  };
}

/** What is left of a run that does not know what its last call did. */
function afterUnknown({ broken }: Setup, driver: Driver): Driver | null {
  const { call } = driver;
  if (broken === 'sameAttempt' && call.to !== 'claim the source') {
    return { ...driver, call: { to: 'claim the target' } };
  }
  if (broken === 'lostIsFailed' && call.to === 'commit') {
    return { ...driver, call: { to: 'drop the copy' } };
  }
  return null;
}

function saying({ call, source, target, move }: Driver): string {
  const [from, to] = [nameOf(source), nameOf(target)];
  const changes = (items: readonly { readonly id: number; readonly number: number }[]): string =>
    items.map(({ id, number }) => `row ${id} as change ${number}`).join(', ');
  switch (call.to) {
    case 'claim the source':
      return `raise the attempt of move ${move} in ${from}`;
    case 'claim the target':
      return `begin move ${move} in ${to}, or raise its attempt there`;
    case 'clear the target':
      return `delete what ${to} has of an earlier stay`;
    case 'read a page':
      return `read the changes after ${call.after} in ${from}`;
    case 'write a page':
      return `write ${changes(call.page)} in ${to}`;
    case 'read the rest':
      return `read heads, profile and keys in ${from}`;
    case 'prepare':
      return `write profile and keys in ${to}`;
    case 'commit':
      return `commit in ${from} if its head is ${call.rest.head}`;
    case 'freeze':
      return `freeze the brand in ${from}`;
    case 'settle':
      return `make the keys live in ${to}`;
    case 'redirect':
      return `point the keys of other databases at ${to}`;
    case 'tidy':
      return `delete the data in ${from}`;
    case 'give up':
      return `abort move ${move} in ${from}`;
    case 'drop the copy':
      return `delete the copy of move ${move} in ${to}`;
    case 'close':
      return `note in ${from} that move ${move} is over`;
  }
}
