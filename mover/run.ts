import type { Row } from '../src/db/statement.ts';
import type { List } from './lists.ts';
import type { Limits, Move } from './move.ts';
import type { Database, Values } from './transaction.ts';

/**
 * A run of the mover, from one call of `advance` to its end. Its attempt belongs to it alone: a run that does not know what
 * a call did makes no further one, and the next run raises the attempt. So a late call of a run is always its last, and
 * does nothing once the next run has begun.
 */
export interface Run {
  readonly source: Database;
  readonly target: Database;
  readonly move: Move;
  readonly attempt: number;
  readonly lists: readonly List[];
  readonly limits: Limits;
}

/** The values that all statements of a run may take. */
export function valuesOf({ move, attempt, limits }: Run): Values {
  return {
    brand: move.brandId,
    move: move.id,
    generation: move.generation,
    source: move.source,
    target: move.target,
    actor: move.actor,
    attempt,
    deletions: limits.deletions,
    rows: limits.rows,
    bytes: limits.bytes,
  };
}

/** Ends a run: another one has begun, or the move is given up. */
export class Superseded extends Error {
  constructor() {
    super('Another run has this move now.');
    this.name = 'Superseded';
  }
}

/**
 * Returns the move's row, as a call of a run has left it.
 * @throws Superseded if the run may not act any more
 */
export function ownRow({ move, attempt }: Run, [row]: readonly Row[] = []): Row {
  if (row?.['id'] !== move.id || row['attempt'] !== attempt) throw new Superseded();
  return row;
}
