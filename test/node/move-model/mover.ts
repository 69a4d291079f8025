// How a brand moves from its source to its target.
//
// Both databases have a row for the move. In the source it says `copying`, then `gone`; or `aborted`, then `over`. In the
// target it says `clearing`, `copying`, then `home`; or `aborted`. The row with the higher id is the newer move. The row
// decides where the brand is at home, and what the mover may do. It outlives the brand's own row.
//
// 1. A run of the mover begins: it raises the attempt in the source, and reads there what is to be done. Then it raises
//    the attempt in the target, where the first run inserts the row, and deletes what an earlier stay of the brand left.
//    Every run does this, even if the run before it only repeated a step: an attempt belongs to one run. If a run does
//    not know what a call did, it makes no further call. So a late call of a run is always its last, and is refused as
//    soon as the next run has raised the attempt.
// 2. It reads a page of changes in the source, in the order of their numbers, and writes it to the target, until there
//    is no further page.
// 3. It reads the heads, the profile and the keys in one transaction, and writes profile and keys to the target. All keys
//    there point back to the source.
// 4. The commit, in the source: if the attempt, the heads, the profile and the keys are those that the run has written,
//    the row becomes `gone`, and all keys point to the target. Otherwise the run goes back to 2, or freezes the brand and
//    goes back to 2, or gives up. The commit is final.
// 5. It makes the keys live in the target, and the row `home`: if the row is that of this move and says `copying`, and if
//    the heads, the profile and the keys there are those of the source. The attempt does not matter, because `gone` is
//    final. The comparison does: a restore of the target may have undone a part of the copy.
// 6. It points the keys of other databases at the target, and deletes the data in the source. Keys stay where they are.
//
// To give up: the row in the source becomes `aborted`, and the brand is unfrozen, if it says `copying`; then the copy is
// deleted, and the target keeps a row that says `aborted`, even if it had none: a late call may still want to begin. Then
// the row in the source becomes `over`. No other move begins before.
//
// A freeze is only a help: the commit compares the heads of a frozen brand too. So whoever unfreezes it does no harm.

import { pageAfter, withPage, restOf } from './copy.ts';
import type { Setup } from './setup.ts';
import { placesOf } from './setup.ts';
import type { Call, Database, Driver, Key, Move, Place, Rest, State } from './state.ts';
import { databaseAt, nothing, withDatabase } from './state.ts';

/** What a call did, and what the run may do next: nothing if the run ends. */
export interface Done {
  readonly state: State;
  readonly attempt: number;
  readonly then: readonly Call[];
}

/** What the state of a move in its source asks for. */
function afterClaim(setup: Setup, source: Database, { state }: Move): Call | undefined {
  switch (state) {
    case 'copying':
      return { to: 'claim the target' };
    case 'aborted':
      return { to: 'drop the copy' };
    case 'gone':
      return { to: 'settle', rest: restOf(setup, source) };
    default:
      return undefined;
  }
}

/** Makes a call of the mover: one transaction. A call whose conditions do not hold changes nothing. */
export function perform(setup: Setup, state: State, driver: Driver): Done {
  const { source, target, call } = driver;
  const at = (place: Place): Database => databaseAt(state, place);
  const wrote = (place: Place, change: Partial<Database>, ...then: readonly Call[]): Done => ({
    state: withDatabase(state, place, { ...at(place), ...change }),
    attempt: driver.attempt,
    then,
  });
  const read = (...then: readonly Call[]): Done => ({ state, attempt: driver.attempt, then });
  const out = outgoing(at(source), driver);
  const into = incoming(setup, at(target), driver);
  const isMine = out?.attempt === driver.attempt && out.state === 'copying';

  switch (call.to) {
    case 'claim the source': {
      if (out === undefined) return read();
      const attempt = out.attempt + 1;
      const next = afterClaim(setup, at(source), out);
      return { ...wrote(source, { move: { ...out, attempt } }, ...(next ? [next] : [])), attempt };
    }

    case 'claim the target':
      return claimTarget(setup, at(target), driver, wrote, read);

    case 'clear the target':
      if (into?.state !== 'clearing') return read();
      return wrote(
        target,
        { content: nothing, move: { ...into, state: 'copying' } },
        { to: 'read a page', after: 0 },
      );

    case 'read a page': {
      if (!isMine) return read();
      const page = pageAfter(setup, at(source).content, call.after);
      return page.length > 0
        ? read({ to: 'write a page', after: call.after, page })
        : read({ to: 'read the rest', after: call.after });
    }

    case 'write a page': {
      if (into?.state !== 'copying') return read();
      if (into.cursor !== call.after && setup.broken !== 'noCursor') return read();
      const content = withPage(setup, at(target).content, call.page);
      if (content === undefined) return read();
      const cursor = Math.max(...call.page.map(({ number }) => number));
      return wrote(
        target,
        { content, move: { ...into, cursor } },
        { to: 'read a page', after: cursor },
      );
    }

    case 'read the rest': {
      if (!isMine) return read();
      const rest = restOf(setup, at(source));
      const isBehind = rest.head !== call.after && comparesCursor(setup);
      return isBehind
        ? read({ to: 'read a page', after: call.after })
        : read({ to: 'prepare', rest });
    }

    case 'prepare': {
      if (into?.state !== 'copying') return read();
      const { rest } = call;
      const isBehind = into.cursor !== rest.head && setup.broken !== 'noCursor';
      if (isBehind && comparesCursor(setup)) return read();
      const movedTo = setup.broken === 'liveBefore' ? null : source;
      const keys = at(target).keys.map((old, key) => {
        const copy = rest.keys[key];
        return copy ? { ...copy, movedTo } : old;
      });
      const content = { ...at(target).content, profile: rest.profile };
      return wrote(target, { content, keys }, { to: 'commit', rest });
    }

    case 'commit': {
      if (!isMine) return read();
      const now = restOf(setup, at(source));
      const isSame =
        (!comparesHeads(setup, at(source)) || isSameHead(now, call.rest)) &&
        (setup.broken === 'noKeys' || isSameKeys(now.keys, call.rest.keys));
      if (!isSame) {
        const after = call.rest.head;
        const isFrozen = at(source).keys.some((key) => key?.isFrozen);
        const then: Call[] = [{ to: 'read a page', after }];
        if (setup.mayFreeze && !isFrozen) then.push({ to: 'freeze', after });
        if (setup.mayGiveUp) then.push({ to: 'give up' });
        return read(...then);
      }
      const keys = mapKeys(at(source), () => ({ movedTo: target, isFrozen: false }));
      return wrote(
        source,
        { keys, move: { ...out, state: 'gone' } },
        { to: 'settle', rest: call.rest },
      );
    }

    case 'freeze':
      if (!isMine) return read();
      return wrote(
        source,
        { keys: mapKeys(at(source), () => ({ isFrozen: true })) },
        { to: 'read a page', after: call.after },
      );

    case 'settle': {
      const { move } = at(target);
      const next: Call = { to: setup.databases > 2 ? 'redirect' : 'tidy' };
      if (move === null) return read();
      const isOurs = move.id === driver.move && move.role === 'in';
      if (setup.broken !== 'blindSettle') {
        if (!isOurs) return move.id > driver.move ? read(next) : read();
        if (move.state === 'home') return read(next);
        if (move.state !== 'copying' || !hasArrived(setup, at(target), call.rest)) return read();
      }
      const keys = mapKeys(at(target), () => ({ movedTo: null }));
      const settled: Move = isOurs ? { ...move, state: 'home', attempt: 0, cursor: 0 } : move;
      return wrote(target, { keys, move: settled }, next);
    }

    case 'redirect': {
      const other = placesOf(setup).find((place) => place !== source && place !== target) ?? source;
      const database = at(other);
      const isOlder = database.generation < driver.move || setup.broken === 'blindRedirect';
      if (!database.hasBrand || !isOlder) return read({ to: 'tidy' });
      const keys = mapKeys(database, ({ movedTo }) =>
        movedTo === null ? {} : { movedTo: target },
      );
      const generation = Math.max(database.generation, driver.move);
      return wrote(other, { keys, generation }, { to: 'tidy' });
    }

    case 'tidy':
      if (setup.broken === 'blindTidy') return wrote(source, { content: nothing });
      if (out?.state !== 'gone') return read();
      return wrote(source, { content: nothing, move: { ...out, state: 'tidied', attempt: 0 } });

    case 'give up':
      if (!isMine) return read();
      return wrote(source, aborted(setup, at(source), out), { to: 'drop the copy' });

    case 'drop the copy':
      return dropCopy(setup, at(target), driver, wrote, read);

    case 'close':
      if (out?.state !== 'aborted') return read();
      return wrote(source, { move: { ...out, state: 'over', attempt: 0 } });
  }
}

type Wrote = (place: Place, change: Partial<Database>, ...then: readonly Call[]) => Done;
type Read = (...then: readonly Call[]) => Done;

function claimTarget(
  setup: Setup,
  database: Database,
  driver: Driver,
  wrote: Wrote,
  read: Read,
): Done {
  const { move, hasBrand } = database;
  const { attempt, source, target } = driver;
  if (move === null || move.id < driver.move) {
    const begun: Move = {
      id: driver.move,
      role: 'in',
      peer: source,
      attempt,
      state: 'clearing',
      cursor: 0,
      isReturn: hasBrand,
    };
    const change = { hasBrand: true, move: begun, generation: driver.move };
    return wrote(target, change, { to: 'clear the target' });
  }
  const isNewer =
    move.attempt < attempt || (setup.broken === 'sameAttempt' && move.attempt === attempt);
  if (move.id !== driver.move || move.role !== 'in' || !isNewer) return read();
  const then: Partial<Record<Move['state'], Call>> = {
    clearing: { to: 'clear the target' },
    copying: { to: 'read a page', after: move.cursor },
  };
  const next = then[move.state];
  return next ? wrote(target, { move: { ...move, attempt } }, next) : read();
}

function dropCopy(
  setup: Setup,
  database: Database,
  driver: Driver,
  wrote: Wrote,
  read: Read,
): Done {
  const { move, hasBrand, keys } = database;
  const { source, target } = driver;
  const next: Call = { to: 'close' };
  if (move === null || move.id < driver.move) {
    if (setup.broken === 'dropForgets') return read(next);
    const dropped: Move = {
      id: driver.move,
      role: 'in',
      peer: source,
      attempt: 0,
      state: 'aborted',
      cursor: 0,
      isReturn: hasBrand,
    };
    // What an earlier stay left goes too: the row that would have had it tidied is replaced.
    return wrote(target, { content: nothing, move: dropped, generation: driver.move }, next);
  }
  if (move.id > driver.move) {
    return setup.broken === 'blindDrop' ? wrote(target, { content: nothing }, next) : read(next);
  }
  if (move.role !== 'in' || move.state === 'home') return read();
  return wrote(
    target,
    {
      content: nothing,
      hasBrand: move.isReturn,
      keys: move.isReturn ? keys : keys.map(() => null),
      move:
        setup.broken === 'dropForgets'
          ? null
          : { ...move, state: 'aborted', attempt: 0, cursor: 0 },
    },
    next,
  );
}

/** The move's row in its source. */
function outgoing({ move }: Database, driver: Driver): Move | undefined {
  return move?.id === driver.move && move.role === 'out' ? move : undefined;
}

/** The move's row in its target, if this run may act there. */
function incoming(setup: Setup, { move }: Database, driver: Driver): Move | undefined {
  if (move?.id !== driver.move || move.role !== 'in') return undefined;
  return move.attempt === driver.attempt || setup.broken === 'noAttempt' ? move : undefined;
}

function comparesCursor({ broken }: Setup): boolean {
  return broken !== 'restBehind' && broken !== 'noTombstones';
}

function comparesHeads({ broken }: Setup, { keys }: Database): boolean {
  if (broken === 'noHeads') return false;
  if (broken !== 'trustFreeze' && broken !== 'writeFrozen') return true;
  return !keys.some((key) => key?.isFrozen);
}

/** Whether the target has what has left the source. */
export function isArrived(setup: Setup, target: Database, source: Database): boolean {
  return hasArrived(setup, target, restOf(setup, source));
}

function hasArrived(setup: Setup, target: Database, rest: Rest): boolean {
  if (setup.broken === 'halfSettle') return true;
  const copy = restOf(setup, target);
  return isSameHead(copy, rest) && isSameKeys(copy.keys, rest.keys);
}

function isSameHead(one: Rest, other: Rest): boolean {
  return one.head === other.head && one.profile === other.profile;
}

/** Whether the same keys are there, and the same ones are revoked. */
export function isSameKeys(
  some: readonly (Key | null)[],
  others: readonly (Key | null)[],
): boolean {
  return some.every((key, i) => key?.isRevoked === others[i]?.isRevoked);
}

function mapKeys({ keys }: Database, change: (key: Key) => Partial<Key>): readonly (Key | null)[] {
  return keys.map((key) => key && { ...key, ...change(key) });
}

/** What an abort changes in the source. */
export function aborted(setup: Setup, database: Database, move: Move): Partial<Database> {
  const unfrozen = mapKeys(database, () => ({ isFrozen: false }));
  return {
    move: { ...move, state: 'aborted' },
    keys: setup.broken === 'abortKeepsFreeze' ? database.keys : unfrozen,
  };
}
