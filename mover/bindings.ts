import { bindingOf, numbersIn } from '../src/db/databases.ts';
import type { Databases } from '../src/env.ts';
import type { Started } from './workflow.ts';

/** The bindings of the mover's Worker: the databases of the API's Worker, and its own Workflow. */
export interface Bindings extends Databases {
  readonly MOVES: Workflow<Started>;
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
