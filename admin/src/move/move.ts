import type { Collection } from '../../../src/operator.ts';
import { collections } from '../../../src/operator.ts';
import { DatabaseFailure } from '../../../common/wrangler/database-failure.ts';
import { Failure } from '../../../common/failure.ts';
import { noDatabase } from '../home/databases.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { beingMoved, homesIn } from '../home/home.ts';
import type { Jurisdictions } from '../database/configuration.ts';
import { copyBrand, requireSameTables } from './copy.ts';
import type { Place } from '../home/places.ts';
import { homesOf, onlyHome, readPlaces } from '../home/places.ts';
import type { Move } from './steps.ts';
import { arrive, freeze, leave, release, tidy, unfreeze, withdraw } from './steps.ts';

export interface MoveReport {
  readonly brandId: string;
  /** Null if an earlier run has moved the brand: this one has only tidied. The same holds for what follows. */
  readonly from: number | null;
  readonly to: number;
  readonly rows: number | null;
  readonly bytes: number | null;
  /** How long writes were refused. */
  readonly seconds: number | null;
}

interface MoveOrder {
  /** The number of the database to move the brand to. */
  readonly to: number;
  /** Those of all databases. */
  readonly jurisdictions?: Jurisdictions;
  /** Called with the number of rows that are copied, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly all?: readonly Collection[];
}

/**
 * Moves a brand to another database, or goes on where an earlier run was killed.
 * @throws Failure if it cannot be moved. It is where it was then, unless the error says that it is frozen
 */
export async function moveBrand(
  databases: readonly OpenDatabase[],
  brandId: string,
  { to, jurisdictions = new Map(), onProgress = () => undefined, all = collections }: MoveOrder,
): Promise<MoveReport> {
  const target = databases.find(({ number }) => number === to);
  if (target === undefined) throw noDatabase(to, databases);
  const places = await readPlaces(databases, brandId);
  const home = leaving(places, brandId) ?? onlyHome(places, brandId);
  const { database: source, frozenAt: since } = home;
  if (source === target && home.leavesTo === null) {
    // The move was decided.
    if (since !== null) await release({ target, brandId, frozenAt: since });
    await tidy(target, places, brandId);
    return { brandId, from: null, to, rows: null, bytes: null, seconds: null };
  }
  if (since !== null && home.leavesTo !== to) throw beingMoved(brandId, since);
  if (jurisdictions.get(source.number) !== jurisdictions.get(to)) {
    throw new Failure(
      `Database ${to} is not in the jurisdiction of the brand's database ${source.number}, so nothing was changed.`,
    );
  }
  await requireSameTables(source, target);
  const move: Move = {
    brandId,
    source,
    target,
    frozenAt: await freeze(source, brandId, { to, since }),
  };
  const copied = await copyBrand(move, onProgress, all).catch((error: unknown) =>
    giveUp(error, move, databases),
  );
  try {
    await arrive(move);
    if (!(await leave(move))) {
      // If it was given up before the copy began, nothing in the target has kept the copy from arriving.
      await withdraw(move);
      await deleteCopy(move, databases);
      throw new Failure(
        `Another command has taken over the move of the brand ${brandId}, or given it up.`,
      );
    }
    const now = await release(move);
    await tidy(
      target,
      places.map((place) => (place === home ? { ...place, frozenAt: null } : place)),
      brandId,
    );
    const seconds = (Date.parse(now) - Date.parse(since ?? move.frozenAt)) / 1000;
    return { brandId, from: source.number, to, ...copied, seconds };
  } catch (error) {
    throw halfway(error, move);
  }
}

/**
 * Returns the place that a brand is about to leave. It may have arrived in another one already, where nobody has written.
 * @throws Failure if it is live in another one
 */
function leaving(places: readonly Place[], brandId: string): Place | undefined {
  const homes = homesOf(places);
  const found = homes.find(({ leavesTo }) => leavesTo !== null);
  if (found !== undefined && homes.some(({ frozenAt }) => frozenAt === null)) {
    throw homesIn(brandId, homes);
  }
  return found;
}

/**
 * Leaves the brand where it is after a failure. Nothing has arrived, so that the source alone decides.
 * @throws Failure that says so, and why
 */
async function giveUp(
  error: unknown,
  move: Move,
  databases: readonly OpenDatabase[],
): Promise<never> {
  if (!(error instanceof Failure)) throw error;
  const reason = shortReason(error);
  const { brandId, target } = move;
  await unfreeze(move).catch((failure: unknown) => {
    throw halfway(failure, move);
  });
  const isTidy = await deleteCopy(move, databases).then(
    () => true,
    () => false,
  );
  throw new Failure(
    isTidy
      ? `${reason} The brand was not moved.`
      : `${reason} The brand was not moved, but a part of the copy is left in database ${target.number}. To delete it: brand move ${brandId} --abort`,
  );
}

/** Deletes the copy of a move. That of another run is its own. */
async function deleteCopy(
  { source, brandId, frozenAt }: Move,
  databases: readonly OpenDatabase[],
): Promise<void> {
  const places = await readPlaces(databases, brandId);
  const copies = places.filter((place) => place.frozenAt === frozenAt);
  await tidy(source, copies, brandId);
}

/** Returns the error of a move that another run must end. */
function halfway(error: unknown, { brandId }: Move): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(
    `${shortReason(error)} The brand may be frozen. Run the same brand move again, or give it up: brand move ${brandId} --abort`,
  );
}

function shortReason(error: Failure): string {
  return error instanceof DatabaseFailure ? error.reason : error.message;
}

/**
 * Gives up a move: the brand stays where it is, and its copy is deleted.
 * @returns where it stays
 * @throws Failure if it has moved, or is not being moved
 */
export async function abortMove(
  databases: readonly OpenDatabase[],
  brandId: string,
): Promise<number> {
  const places = await readPlaces(databases, brandId);
  const found = leaving(places, brandId);
  const { database: source, frozenAt: since, leavesTo } = found ?? onlyHome(places, brandId);
  if (found === undefined) {
    // The end of an earlier one, after which a copy is left.
    const isLeft = places.some(({ movedTo, frozenAt }) => movedTo !== null && frozenAt !== null);
    if (!isLeft || since !== null) throw isMovedTo(brandId, source.number);
  }
  const target = databases.find(({ number }) => number === leavesTo);
  if (found !== undefined && target !== undefined && leavesTo !== null) {
    const frozenAt = await freeze(source, brandId, { to: leavesTo, since });
    const move = { brandId, source, target, frozenAt };
    await withdraw(move);
    await unfreeze(move);
  }
  await tidy(source, await readPlaces(databases, brandId), brandId);
  return source.number;
}

function isMovedTo(brandId: string, home: number): Failure {
  return new Failure(
    `No move of the brand ${brandId} can be given up: it is at home in database ${home}. To end a move that broke off there: brand move ${brandId} --to ${home}`,
  );
}
