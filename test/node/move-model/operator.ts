import type { Step } from './explore.ts';
import { aborted } from './mover.ts';
import type { Setup } from './setup.ts';
import { placesOf } from './setup.ts';
import type { Database, Key, Place, State } from './state.ts';
import { databaseAt, nameOf, nothing, replaced, withDatabase, withWorld } from './state.ts';

/** All that operators can do, and the schedule. Each is one transaction, which decides by itself. */
export function* operatorSteps(setup: Setup, state: State): Iterable<Step<State>> {
  for (const place of placesOf(setup)) {
    yield* begin(setup, state, place);
    for (const command of setup.commands) yield* commands[command](setup, state, place);
    yield* finishDeletion(state, place);
    yield* unfreeze(setup, state, place);
  }
}

/**
 * Whether the brand is at home in a database, by the row of its last move there. Its keys cannot tell: a target has the
 * brand's row before it has keys.
 */
export function isHome({ hasBrand, move }: Database): boolean {
  if (!hasBrand) return false;
  if (move === null) return true;
  return move.role === 'in'
    ? move.state === 'home'
    : move.state === 'copying' || move.state === 'aborted' || move.state === 'over';
}

function takesForHome({ broken }: Setup, database: Database): boolean {
  if (broken !== 'homeByKeys') return isHome(database);
  return database.hasBrand && !database.keys.some((key) => key != null && key.movedTo !== null);
}

function* begin(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  const { movesLeft } = state.world;
  const { move, generation, keys } = database;
  const isFree = move === null || move.state === 'over' || move.state === 'home';
  const isWhole = keys.some((key) => key !== null) || setup.broken === 'beginDeleted';
  const isAbandoned = setup.broken === 'blindBegin' && move?.state === 'aborted';
  if (movesLeft === 0 || !isHome(database) || !(isFree || isAbandoned) || !isWhole) return;
  for (const peer of placesOf(setup)) {
    if (peer === place || peer !== (setup.route?.at(-movesLeft) ?? peer)) continue;
    const id = generation + 1;
    const begun = {
      ...database,
      generation: id,
      move: {
        id,
        role: 'out',
        peer,
        attempt: 0,
        state: 'copying',
        cursor: 0,
        isReturn: false,
      },
    } as const;
    yield {
      says: `The operator begins move ${id}, from ${nameOf(place)} to ${nameOf(peer)}.`,
      next: withWorld(withDatabase(state, place, begun), { movesLeft: movesLeft - 1 }),
      by: 'anybody',
    };
  }
}

type CommandSteps = (setup: Setup, state: State, place: Place) => Iterable<Step<State>>;

const commands = { issue, revoke, delete: beginDeletion, abort } satisfies Record<
  string,
  CommandSteps
>;

function* issue(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  const key = state.world.issued.indexOf(null);
  if (key < 0 || state.world.deletedAt !== null || !takesForHome(setup, database)) return;
  const issued: Key = { movedTo: null, isFrozen: false, isRevoked: false };
  const next = withDatabase(state, place, {
    ...database,
    keys: replaced(database.keys, key, issued),
  });
  yield {
    says: `The operator issues key ${key} in ${nameOf(place)}.`,
    next: withWorld(next, { issued: replaced(state.world.issued, key, place) }),
    by: 'anybody',
  };
}

function* revoke(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  if (!takesForHome(setup, database) && setup.broken !== 'staleLook') return;
  for (const [key, row] of database.keys.entries()) {
    if (row === null || row.isRevoked || state.world.revoked[key] === true) continue;
    const keys = replaced(database.keys, key, { ...row, isRevoked: true });
    yield {
      says: `The operator revokes key ${key} in ${nameOf(place)}.`,
      next: withWorld(withDatabase(state, place, { ...database, keys }), {
        revoked: replaced(state.world.revoked, key, true),
      }),
      by: 'anybody',
    };
  }
}

function* beginDeletion(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  if (state.world.deletedAt !== null || !takesForHome(setup, database)) return;
  const { move } = database;
  const isMoving = move?.role === 'out' && move.state === 'copying';
  const change = isMoving ? aborted(setup, database, move) : {};
  const keys = database.keys.map(() => null);
  yield {
    says: `The operator begins to delete the brand in ${nameOf(place)}: its keys, and its move.`,
    next: withWorld(withDatabase(state, place, { ...database, ...change, keys }), {
      deletedAt: place,
    }),
    by: 'anybody',
  };
}

/** The rest of a deletion. The command is repeated until it is done, so hopes may count on it. */
function* finishDeletion(state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  if (state.world.deletedAt !== place || !database.hasBrand) return;
  yield {
    says: `The deletion of the brand in ${nameOf(place)} goes on, to its end.`,
    next: withDatabase(state, place, { ...database, content: nothing, hasBrand: false }),
    by: 'mover',
  };
}

function* abort(setup: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  const { move } = database;
  if (move?.role !== 'out' || move.state !== 'copying') return;
  if (setup.broken === 'dropFirst') {
    yield {
      says: `The operator deletes the copy of move ${move.id} in ${nameOf(move.peer)}.`,
      next: withDatabase(state, move.peer, {
        ...databaseAt(state, move.peer),
        content: nothing,
      }),
      by: 'anybody',
    };
  }
  yield {
    says: `The operator aborts move ${move.id}.`,
    next: withDatabase(state, place, { ...database, ...aborted(setup, database, move) }),
    by: 'anybody',
  };
}

/** The schedule knows nothing of moves: it may unfreeze at any time. */
function* unfreeze({ broken }: Setup, state: State, place: Place): Iterable<Step<State>> {
  const database = databaseAt(state, place);
  if (broken === 'noSchedule' || !database.keys.some((key) => key?.isFrozen)) return;
  const keys = database.keys.map((key) => key && { ...key, isFrozen: false });
  yield {
    says: `The schedule unfreezes the brand in ${nameOf(place)}.`,
    next: withDatabase(state, place, { ...database, keys }),
    by: 'schedule',
  };
}
