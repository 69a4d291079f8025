import type { Step } from './explore.ts';
import { perform } from './mover.ts';
import type { Setup } from './setup.ts';
import { placesOf } from './setup.ts';
import type { Call, Driver, State } from './state.ts';
import { databaseAt, nameOf, replaced } from './state.ts';

/** All that runs of the mover can do, and what can happen to their calls. */
export function* driverSteps(setup: Setup, state: State): Iterable<Step<State>> {
  yield* begin(setup, state);
  for (const [n, driver] of state.drivers.entries()) {
    if (driver !== null) yield* run(setup, state, n, driver);
  }
  for (const [n, driver] of state.late.entries()) {
    if (driver === null) continue;
    yield {
      says: `A late call arrives: ${saying(driver)}.`,
      next: {
        ...perform(setup, state, driver).state,
        late: replaced(state.late, n, null),
      },
      by: 'anybody',
    };
  }
}

/** A run begins, whatever the others are doing: only the database can say which one may act. */
function* begin(setup: Setup, state: State): Iterable<Step<State>> {
  const free = state.drivers.indexOf(null);
  if (free < 0) return;
  for (const source of placesOf(setup)) {
    const { move } = databaseAt(state, source);
    if (move?.role !== 'out' || move.state === 'tidied' || move.state === 'over') continue;
    const driver: Driver = {
      move: move.id,
      source,
      target: move.peer,
      attempt: 0,
      call: { to: 'claim the source' },
    };
    yield {
      says: `Driver ${free + 1} begins a run of move ${move.id}.`,
      next: { ...state, drivers: replaced(state.drivers, free, driver) },
      by: 'mover',
    };
  }
}

function* run(setup: Setup, state: State, n: number, driver: Driver): Iterable<Step<State>> {
  const gone = { ...state, drivers: replaced(state.drivers, n, null) };
  const who = `Driver ${n + 1}`;
  const what = saying(driver);
  yield { says: `${who} dies before it can ${what}.`, next: gone, by: 'anybody' };

  const { state: after, attempt, then } = perform(setup, state, driver);
  const become = (call: Call): State => ({
    ...after,
    drivers: replaced(after.drivers, n, { ...driver, attempt, call }),
  });
  const isEffective = after !== state;
  for (const call of then) {
    const choice = then.length > 1 ? ` It will ${call.to}.` : '';
    const refused = isEffective || !isWrite(driver.call) ? '' : ' It is refused.';
    const says = `${who} is to ${what}: it is done.${refused}${choice}`;
    yield { says, next: become(call), by: 'mover' };
  }
  if (then.length === 0) {
    const says = `${who} is to ${what}: ${isEffective ? 'it is done' : 'it is refused'}. The run ends.`;
    const drivers = replaced(after.drivers, n, null);
    yield { says, next: { ...after, drivers }, by: 'mover' };
  }
  if (!isWrite(driver.call)) return;

  // Its answer is lost, or it is late: the run does not know what it did, and ends. So an attempt has one call at most
  // whose outcome is unknown, and it is its last.
  const knowsNothing = afterUnknown(setup, driver);
  const rest = { ...after, drivers: replaced(after.drivers, n, knowsNothing) };
  if (isEffective) {
    yield {
      says: `${who} is to ${what}: it is done, the answer is lost.`,
      next: rest,
      by: 'anybody',
    };
  }
  const free = state.late.indexOf(null);
  if (free < 0) return;
  yield {
    says: `${who} is to ${what}: the call is late.`,
    next: {
      ...state,
      drivers: replaced(state.drivers, n, knowsNothing),
      late: replaced(state.late, free, driver),
    },
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

function isWrite({ to }: Call): boolean {
  return to !== 'read a page' && to !== 'read the rest';
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
