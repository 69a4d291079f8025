import { claimsOf, isAtHome, newestClaim } from './claims.ts';
import type { KeyPlace, Moved, Place } from './places.ts';

/** What is wrong with a brand. */
export interface Fault {
  readonly fault: 'twice' | 'nowhere' | 'lost' | 'deleted' | 'left' | 'keys' | 'frozen' | 'move';
  /** The numbers of the databases that it concerns. */
  readonly databases: readonly number[];
  /** What it is, and what its repair does, or what only the operator can do. */
  readonly text: string;
  /** The next step of its repair; absent if nobody but the operator can decide. */
  readonly step?: Step;
}

/**
 * A step of a repair. Each is safe if nothing follows it: a brand is at home nowhere for a moment rather than twice.
 * - `close`: the brand is not at home in this database: its keys there point to `home`. With `resets`, the tokens are reset
 *   there first.
 * - `clear`: the same, after the data that the database has of the brand is deleted.
 * - `open`: the brand is at home in this database again, with the data that it still has. Its tokens are reset.
 * - `accept`: its keys are live in this database, where it is at home.
 * - `raise`: its generation in this database is as high as in any other.
 * - `give up`: its move out of this database is given up.
 * - `unfreeze`: it is not frozen.
 * - `add keys`: the keys that name this database are there, and point to `home`.
 * - `drop keys`: keys that are not there where the brand is at home are deleted.
 * - `delete`: what is left of it in this database is deleted.
 */
export type Step =
  | { readonly act: 'close'; readonly at: Place; readonly home: number; readonly resets?: Place }
  | { readonly act: 'clear'; readonly at: Place; readonly home: number }
  | { readonly act: 'open' | 'raise'; readonly at: Place; readonly generation: number }
  | { readonly act: 'accept' | 'give up' | 'unfreeze' | 'delete'; readonly at: Place }
  | {
      readonly act: 'add keys';
      readonly at: Place;
      readonly home: Place;
      readonly keyIds: readonly string[];
    }
  | { readonly act: 'drop keys'; readonly at: Place; readonly keyIds: readonly string[] };

/** What is known of a brand, besides its places. */
export interface Circumstances {
  /** Of a move that is committed and not settled: whether the target has all that left the source. */
  readonly isComplete?: boolean | undefined;
  /** The same places, as they were read just before. */
  readonly before: readonly Place[];
}

/** The number of databases that a request asks. */
const MOST_ASKED = 3;

/**
 * Returns what is wrong with a brand: nothing if it is at home in one database, all its keys lead there, and whatever else
 * the others have of it belongs to a move that is under way or done.
 * @param places all databases that know the brand, as they were at one moment
 */
export function faultsOf(places: readonly Place[], circumstances: Circumstances): Fault[] {
  if (places.every(({ brandName }) => brandName === undefined)) return [];
  const newest = newestClaim(claimsOf(places, circumstances));
  if (newest === 'several') return [severalOf(places)];
  switch (newest?.kind) {
    case undefined:
      return [lostFrom(places)];
    case 'deleted':
      return deletedFrom(places, newest.place);
    case 'arriving':
      return arrivingAt(places, newest.place);
    case 'departed':
      return departedFrom(places, newest.place);
    case 'home':
      return homeAt(places, newest.place, circumstances);
  }
}

function severalOf(places: readonly Place[]): Fault {
  const homes = places.filter(isAtHome);
  return {
    fault: 'twice',
    databases: numbersOf(homes),
    text:
      homes.length > 1
        ? `It is at home in the databases ${listOf(homes)}, and nothing says which is newer. Compare them with brand export after you stopped its clients, and delete one by hand.`
        : `It is at home in database ${listOf(homes)}, and nothing says whether another database, which it has left in the last seven days, has a newer state, as after the restore of several databases. It stays where it is.`,
  };
}

function lostFrom(places: readonly Place[]): Fault {
  const there = places.filter(isThere);
  return {
    fault: 'lost',
    databases: numbersOf(there),
    text: `It is at home in no database, and none has its data: ${listOf(there)} ${there.length === 1 ? 'has' : 'have'} only what it left behind. Restore the database to which it moved to a moment after the move, or run brand delete.`,
  };
}

function deletedFrom(places: readonly Place[], { number: deletedIn }: Place): Fault[] {
  const there = places.filter(isThere);
  const homes = there.filter(isAtHome);
  if (homes.length > 0) {
    return [
      {
        fault: 'deleted',
        databases: numbersOf(homes),
        text: `It was deleted in database ${deletedIn}, and is at home in ${listOf(homes)} again with an older state. Run brand delete.`,
      },
    ];
  }
  return there.map((at) => ({
    fault: 'deleted',
    databases: [at.number],
    text: `It was deleted in database ${deletedIn}. What is left of it in database ${at.number} is deleted.`,
    step: { act: 'delete', at },
  }));
}

function arrivingAt(places: readonly Place[], { number }: Place): Fault[] {
  const homes = places.filter(isAtHome);
  if (homes.length === 0) return [];
  return [
    {
      fault: 'twice',
      databases: numbersOf(homes),
      text: `It is at home in ${listOf(homes)}, and has moved to database ${number}. Run the check again when the move is settled.`,
    },
  ];
}

function departedFrom(places: readonly Place[], source: Place): Fault[] {
  const { number, move } = source;
  const homes = places.filter(isAtHome);
  const copies = places.filter((place) => isThere(place) && isCopy(place.move));
  const [home] = homes;
  const [copy] = copies;
  const step: Step =
    home !== undefined
      ? { act: 'close', at: home, home: number }
      : copy !== undefined
        ? { act: 'clear', at: copy, home: number }
        : { act: 'open', at: source, generation: 1 + newestGeneration(places) };
  const what = `Database ${number} gets back what it had when the brand left it at ${move?.changedAt ?? '?'}; what was written since then is lost.`;
  return [
    homes.length === 0
      ? {
          fault: 'nowhere',
          databases: numbersOf(places.filter(isThere)),
          text: `It is at home in no database. ${what}`,
          step,
        }
      : {
          fault: 'twice',
          databases: numbersOf([...homes, source]),
          text: `It is at home in ${listOf(homes)} with an older state than database ${number} has of it. ${what}`,
          step,
        },
  ];
}

function homeAt(places: readonly Place[], home: Place, circumstances: Circumstances): Fault[] {
  const others = places.filter((place) => place !== home);
  const faults = [
    ...others.filter(isAtHome).map((at): Fault => ({
      fault: 'twice',
      databases: [at.number, home.number],
      text: `It is at home in the databases ${at.number} and ${home.number}. Database ${home.number} keeps it: its state is newer. What was written to database ${at.number} since the restore is lost.`,
      step: { act: 'close', at, home: home.number, resets: home },
    })),
    ...others.flatMap((place) => remainsAt(place, home, circumstances)),
    ...others.flatMap((place) => waitsAt(place, home, others)),
    ...keysAtHome(home),
    ...behind(others, home),
    ...others.flatMap((place) => keysTooMany(place, home)),
  ];
  // Keys that are lost for another reason lead home when that is repaired.
  const known = new Set(faults.flatMap(({ databases }) => databases));
  const keys = lostKeys(places, home).filter(({ databases: [number = -1] }) => !known.has(number));
  return [...faults, ...keys];
}

/** What is wrong in a database where the brand is not at home. */
function remainsAt(at: Place, home: Place, { before }: Circumstances): Fault[] {
  const { move, number } = at;
  if (!isThere(at) || move === undefined || isAtHome(at)) return [];
  if (move.role === 'in') {
    const isUnderWay = isOpen(home.move) && home.move.id === move.id;
    if (isUnderWay) return contradictions(at, home, before);
    if (!isCopy(move)) return [];
    return [
      {
        fault: 'left',
        databases: [number],
        text: `Database ${number} has a copy of it from a move that database ${home.number} knows nothing of. The copy is deleted.`,
        step: { act: 'clear', at, home: home.number },
      },
    ];
  }
  if (at.keys.some(({ movedTo }) => movedTo === null)) {
    return [
      {
        fault: 'keys',
        databases: [number],
        text: `It has left database ${number}, and keys are accepted there. They are pointed to database ${home.number}.`,
        step: { act: 'close', at, home: home.number },
      },
    ];
  }
  if (move.state === 'gone' && move.isOverdue) {
    return [
      {
        fault: 'left',
        databases: [number],
        text: `Database ${number} still has its data, which it left at ${move.changedAt}. The data is deleted.`,
        step: { act: 'clear', at, home: home.number },
      },
    ];
  }
  return [];
}

/** The mover deletes what a brand has left behind only if the database to which it went knows that it has arrived. */
function waitsAt({ number, move, ...rest }: Place, home: Place, others: readonly Place[]): Fault[] {
  if (move?.state !== 'gone' || move.peer === home.number) return [];
  const next = others.find((place) => place.number === move.peer)?.move;
  const hasArrived =
    next !== undefined &&
    (next.generation > move.generation ||
      (next.generation === move.generation && (next.state === 'home' || next.id !== move.id)));
  if (hasArrived) return [];
  return [
    {
      fault: 'left',
      databases: [number],
      text: `Database ${number} still has its data, and would never delete it: database ${move.peer}, to which it moved from there, was restored, and does not know that it arrived. After the repair, the data is deleted in seven days.`,
      step: { act: 'close', at: { number, move, ...rest }, home: home.number },
    },
  ];
}

/** A run raises the attempt in the source before it does so in the target, so the source is never behind. */
function contradictions(at: Place, home: Place, before: readonly Place[]): Fault[] {
  const earlier = before.find(({ number }) => number === at.number)?.move;
  if (home.move?.state !== 'copying' || earlier?.id !== home.move.id) return [];
  if (earlier.attempt <= home.move.attempt) return [];
  return [
    {
      fault: 'move',
      databases: [home.number, at.number],
      text: `Its move from database ${home.number} to ${at.number} is further there than here: database ${home.number} was restored. The move is given up.`,
      step: { act: 'give up', at: home },
    },
  ];
}

function keysAtHome(home: Place): Fault[] {
  const { number, keys, move } = home;
  const faults: Fault[] = [];
  if (keys.some(({ movedTo }) => movedTo !== null)) {
    faults.push({
      fault: 'keys',
      databases: [number],
      text: `It is at home in database ${number}, and keys there point elsewhere. They are accepted there.`,
      step: { act: 'accept', at: home },
    });
  }
  if (keys.some(({ isFrozen }) => isFrozen) && move?.state !== 'copying') {
    faults.push({
      fault: 'frozen',
      databases: [number],
      text: 'It is frozen, and does not move. The freeze is ended.',
      step: { act: 'unfreeze', at: home },
    });
  }
  return faults;
}

/** A later move would find that the copy has more keys than the original. */
function keysTooMany(at: Place, home: Place): Fault[] {
  if (!isThere(at) || isAtHome(at) || isCopy(at.move) || isOpen(home.move)) return [];
  const known = new Set(home.keys.map(({ keyId }) => keyId));
  const keyIds = at.keys.flatMap(({ keyId }) => (known.has(keyId) ? [] : [keyId]));
  if (keyIds.length === 0) return [];
  return [
    {
      fault: 'keys',
      databases: [at.number],
      text: `Database ${at.number} has keys (${keyIds.length}) that database ${home.number}, where it is at home, has lost. They are deleted: no client can use them.`,
      step: { act: 'drop keys', at, keyIds },
    },
  ];
}

/** A later move would be refused by a database that knows a newer one. */
function behind(others: readonly Place[], home: Place): Fault[] {
  const generation = newestGeneration(others);
  if (generation <= (home.move?.generation ?? 0)) return [];
  const newer = others.filter(({ move }) => move?.generation === generation);
  const text = `Database ${listOf(newer)} knows a newer move of it than database ${home.number}, where it is at home.`;
  const databases = numbersOf([home, ...newer]);
  return [
    isOpen(home.move)
      ? { fault: 'move', databases, text: `${text} Run the check again when its move is over.` }
      : {
          fault: 'move',
          databases,
          text: `${text} Database ${home.number} keeps it, with a higher generation.`,
          step: { act: 'raise', at: home, generation },
        },
  ];
}

/** The keys with which a client would not reach the brand. */
function lostKeys(places: readonly Place[], home: Place): Fault[] {
  const usable = home.keys.filter(({ names, isRevoked }) => names !== undefined && !isRevoked);
  const astray = usable.flatMap((key) => {
    const at = wayOf(key, places, home);
    return at === undefined ? [] : [{ ...at, key }];
  });
  return [...Map.groupBy(astray, ({ number }) => number)].map(([number, lost]): Fault => {
    const at = places.find((place) => place.number === number);
    const keyIds = lost.filter(({ isMissing }) => isMissing).map(({ key }) => key.keyId);
    const step: Step | undefined =
      keyIds.length > 0
        ? {
            ...{ act: 'add keys', home, keyIds },
            at: at ?? { number, brandName: undefined, move: undefined, keys: [] },
          }
        : at?.move && !isAtHome(at)
          ? { act: 'close', at, home: home.number }
          : undefined;
    return {
      fault: 'keys',
      databases: [number, home.number],
      text: `${lost.length} of its keys do not lead from database ${number} to ${home.number}, where it is at home. They are pointed there.`,
      ...(step && { step }),
    };
  });
}

/** Follows a key as the service does. Returns where it is lost; undefined if it leads home. */
function wayOf(
  { keyId, names }: KeyPlace,
  places: readonly Place[],
  home: Place,
): { readonly number: number; readonly isMissing: boolean } | undefined {
  let number = names;
  for (let asked = 1; asked <= MOST_ASKED && number !== undefined; asked++) {
    if (number === home.number) return undefined;
    const key = places
      .find((place) => place.number === number)
      ?.keys.find((one) => one.keyId === keyId);
    if (key === undefined && asked === 1) return { number, isMissing: true };
    number = key?.movedTo ?? undefined;
  }
  return names === undefined ? undefined : { number: names, isMissing: false };
}

function isThere({ brandName }: Place): boolean {
  return brandName !== undefined;
}

/** Whether a database has a brand only from a move that has not arrived. */
function isCopy(move: Moved | undefined): boolean {
  if (move?.role !== 'in' || move.state === 'home') return false;
  return move.state !== 'aborted' || !move.isReturn;
}

/** Whether a move leaves a database, and is not committed or over. */
function isOpen(move: Moved | undefined): move is Moved {
  return move?.role === 'out' && (move.state === 'copying' || move.state === 'aborted');
}

function newestGeneration(places: readonly Place[]): number {
  return Math.max(0, ...places.map(({ move }) => move?.generation ?? 0));
}

function numbersOf(places: readonly Place[]): number[] {
  return places.map(({ number }) => number).sort((one, other) => one - other);
}

function listOf(places: readonly Place[]): string {
  return numbersOf(places).join(' and ');
}
