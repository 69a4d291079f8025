import type { Moved, Place } from './places.ts';

// Which database has the newest state of a brand. In a healthy fleet, that is the one where it is at home. After a restore
// it may be another one, or several may be homes.

/** What a database has of a brand, if it is a state that the brand was in. */
export interface Claim {
  readonly place: Place;
  /**
   * The brand is at home there; or was, until it was deleted there; or has left it not long ago, so that its data is still
   * there; or is about to be at home there, because its move is committed.
   */
  readonly kind: 'home' | 'deleted' | 'departed' | 'arriving';
  /** The newer the state, the higher. */
  readonly rank: number;
}

/** Whether the brand is at home in a database, as its row of `moves` says. */
export function isAtHome({ brandName, move }: Place): boolean {
  return brandName !== undefined && !isAway(move);
}

/** The same as the SQL condition of the mover. */
function isAway(move: Moved | undefined): boolean {
  if (move === undefined) return false;
  return move.role === 'out'
    ? move.state === 'gone' || move.state === 'tidied'
    : move.state !== 'home';
}

/** Returns what each database has of a brand, if it is a state of the whole brand. */
export function claimsOf(
  places: readonly Place[],
  { isComplete = false }: { readonly isComplete?: boolean | undefined },
): Claim[] {
  const [, target] = isComplete ? (unsettled(places) ?? []) : [];
  return places.flatMap((place): Claim[] => {
    const { brandName, move } = place;
    const rank = rankOf(move);
    if (place === target) return [{ place, kind: 'arriving', rank }];
    if (isAtHome(place)) return [{ place, kind: 'home', rank }];
    if (!isAway(move)) return [{ place, kind: 'deleted', rank }];
    const isKept = brandName !== undefined && move?.state === 'gone' && move.isKept;
    return isKept ? [{ place, kind: 'departed', rank }] : [];
  });
}

/** A stay begins with the move that brings the brand, and ends with the next one. */
function rankOf(move: Moved | undefined): number {
  if (move === undefined) return 0;
  return move.role === 'in' ? move.generation : move.generation - 0.5;
}

/**
 * Returns the newest claim; `several` if two databases are homes and nothing says which is newer; undefined if there is
 * none.
 */
export function newestClaim(claims: readonly Claim[]): Claim | 'several' | undefined {
  const best = Math.max(...claims.map(({ rank }) => rank));
  const newest = claims.filter(({ rank }) => rank === best);
  const homes = newest.filter(({ kind }) => kind !== 'departed');
  if (homes.length > 1 && homes.some(({ kind }) => kind !== 'deleted')) return 'several';
  return homes[0] ?? newestDeparture(newest, claims);
}

/** The generation of a brand's earlier homes is raised when it moves on: the last one that it left has the newest data. */
function newestDeparture(
  departed: readonly Claim[],
  claims: readonly Claim[],
): Claim | 'several' | undefined {
  const [last] = departed.toSorted((one, other) => (isLeftBefore(one, other) ? 1 : -1));
  const [rival] = claims
    .filter(({ kind }) => kind !== 'departed')
    .toSorted((one, other) => other.rank - one.rank);
  if (rival === undefined || rival.place.number === last?.place.move?.peer) {
    // It went there, and arrived if it is the same move.
    return rival && rival.place.move?.id === last?.place.move?.id ? rival : last;
  }
  // As after two restores: whether it was there before or after is not known.
  return 'several';
}

/** What a repair has closed is older than what the brand has left, whenever it was closed. */
function isLeftBefore(one: Claim, other: Claim): boolean {
  const [a, b] = [one.place.move, other.place.move];
  if (a?.isReturn !== b?.isReturn) return a?.isReturn === true;
  return (a?.changedAt ?? '') < (b?.changedAt ?? '');
}

/** Returns the source and the target of a brand's move that is committed and not settled. */
export function unsettled(places: readonly Place[]): readonly [Place, Place] | undefined {
  for (const source of places) {
    const { move } = source;
    if (move?.role !== 'out' || move.state !== 'gone') continue;
    const target = places.find(
      (place) =>
        place.move?.id === move.id && place.move.role === 'in' && place.move.state === 'copying',
    );
    if (target !== undefined) return [source, target];
  }
  return undefined;
}
