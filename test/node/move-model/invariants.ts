import { isLive } from './clients.ts';
import type { Hope } from './explore.ts';
import { isSameKeys } from './mover.ts';
import type { Database, Move, Place, State } from './state.ts';
import { databaseAt, isSameContent, nameOf } from './state.ts';

/** What is wrong in a state; undefined if all invariants hold. */
export function faultIn(state: State): string | undefined {
  const { world, truth, databases } = state;
  if (world.fault !== null) return world.fault;
  const live = databases.filter(({ keys }) => keys.some(isLive));
  if (live.length > 1) return 'Two databases answer for the brand.';
  for (const { content } of live) {
    if (!isSameContent(content, truth)) {
      return 'Clients do not see what was written.';
    }
  }
  for (const [place, database] of databases.entries()) {
    const fault = faultOf(state, database);
    if (fault !== undefined) return `${fault} (${nameOf(asPlace(place))})`;
  }
  return undefined;
}

function faultOf(state: State, database: Database): string | undefined {
  const { keys, move } = database;
  const { revoked, deletedAt } = state.world;
  for (const [key, row] of keys.entries()) {
    if (row?.movedTo !== null) continue;
    if (revoked[key] === true && !row.isRevoked) return `Key ${key} lives, and was revoked.`;
    if (deletedAt !== null) return `Key ${key} is in a database, and its brand was deleted.`;
  }
  if (move?.state === 'gone' && !state.world.isRestored && !hasCopy(state, database, move)) {
    return 'The brand has left, and its copy is not whole.';
  }
  if (move?.role !== 'out' || move.state !== 'copying') {
    if (isFrozen(database)) return 'The brand is frozen and does not move.';
  }
  if (move?.role !== 'out' || (move.state !== 'aborted' && move.state !== 'over')) return undefined;
  if (keys.some((key) => key != null && key.movedTo !== null)) {
    return 'A key has moved with a move that was given up.';
  }
  if (move.state !== 'over') return undefined;
  const target = databaseAt(state, move.peer);
  const isLeft = target.content.rows.length + target.content.tombstones.length > 0;
  const isOurs = target.move === null || target.move.id <= move.id;
  const isBusy = target.move?.state === 'clearing' || target.move?.state === 'copying';
  return isOurs && (isLeft || isBusy) ? 'A copy is left of a move that is over.' : undefined;
}

/** Whether the target has all that has left the source, or has had it. */
function hasCopy(state: State, source: Database, { id, peer }: Move): boolean {
  const target = databaseAt(state, peer);
  if (target.move?.id !== id) return target.move !== null && target.move.id > id;
  if (target.move.state === 'home') return true;
  if (target.move.state !== 'copying' || !isSameKeys(target.keys, source.keys)) return false;
  return isSameContent(target.content, source.content);
}

/** From every state, the mover alone comes to an end, and the schedule alone ends a freeze. */
export const hopes: readonly Hope<State>[] = [
  {
    name: 'No run of the mover can bring the brand to rest.',
    on: ['mover', 'schedule'],
    isReached: isAtRest,
  },
  {
    name: 'Nothing unfreezes the brand while no mover runs.',
    on: ['schedule'],
    isReached: ({ databases }) => !databases.some(isFrozen),
  },
];

function isFrozen({ keys }: Database): boolean {
  return keys.some((key) => key?.movedTo === null && key.isFrozen);
}

/** No move is under way, no data is in two places, nobody is frozen, and each key finds its brand. */
function isAtRest(state: State): boolean {
  const { databases, world } = state;
  const isOver = databases.every(
    ({ move }) =>
      move === null || ['home', 'tidied', 'over'].includes(move.state) || isDropped(move),
  );
  if (!isOver || databases.some(isFrozen)) return false;
  const filled = databases.filter(
    ({ content }) => content.rows.length + content.tombstones.length > 0,
  );
  if (world.deletedAt !== null) return filled.length === 0;
  if (filled.length !== 1) return false;
  return world.issued.every((place, key) => place === null || findsBrand(state, key, place));
}

function isDropped({ role, state }: { readonly role: string; readonly state: string }): boolean {
  return role === 'in' && state === 'aborted';
}

/** Whether a session with a key has its answer after three databases at most, and none of them twice. */
function findsBrand(state: State, key: number, issuedIn: Place): boolean {
  const asked: Place[] = [];
  for (let place: Place = issuedIn; asked.length < 3 && !asked.includes(place);) {
    asked.push(place);
    const row = databaseAt(state, place).keys[key];
    if (row == null) return false;
    if (row.movedTo === null) return row.isRevoked === state.world.revoked[key];
    place = row.movedTo;
  }
  return false;
}

function asPlace(index: number): Place {
  return index === 0 ? 0 : index === 1 ? 1 : 2;
}
