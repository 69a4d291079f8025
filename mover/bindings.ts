import { bindingOf, numbersIn } from '../src/db/databases.ts';
import type { Databases } from '../src/env.ts';

/** The bindings of the mover's Worker: the databases of the API's Worker, and its own Workflow. */
export interface Bindings extends Databases {
  readonly MOVES: Workflow<Started>;
}

/** What an instance is started with. All else is in D1: no step has anything of the brand in its result. */
export interface Started {
  /** The number of the database that the brand leaves. */
  readonly source: number;
  readonly brandId: string;
  /** The id of the move. */
  readonly move: string;
  /** In all instances but the first: which of them it is, and the id of the first. */
  readonly part?: number;
  readonly driver?: string;
}

/** Returns the numbers of the databases. */
export function numbersOf(bindings: Databases): number[] {
  return numbersIn(Object.keys(bindings));
}

/**
 * Returns the database with this number.
 * @throws Error if there is none
 */
export function databaseOf(bindings: Databases, number: number): D1Database {
  const database = bindings[bindingOf(number)];
  if (database === undefined) throw new Error(`The mover has no database ${number}.`);
  return database;
}
