import { AdminError } from '../../../tools/admin/admin-error.ts';
import type { Execute } from '../../../tools/admin/execute.ts';
import { executeOn } from '../../../tools/admin/execute.ts';
import type { FurtherDatabases } from '../brand.ts';

/** The numbers of the databases between which the brand moves. */
export const HOMES = [0, 1, 2] as const;

/** One of these numbers. */
export type Home = (typeof HOMES)[number];

/** These databases, as they are or as an actor has them. */
export type Homes = Readonly<Record<Home, D1Database>>;

/**
 * Returns the database with a number.
 * @throws Error if it is none of these
 */
export function homeIn(homes: Homes, number: number): D1Database {
  const home = HOMES.find((one) => one === number);
  if (home === undefined) throw new Error(`There is no database ${number}.`);
  return homes[home];
}

/** Returns the databases as a request gets them. */
export function bindingsOf(homes: Homes): { db: D1Database; databases: FurtherDatabases } {
  return { db: homes[0], databases: { DB_1: homes[1], DB_2: homes[2] } };
}

/** Returns the databases as the admin tool has them. */
export function executesOn(homes: Homes): Execute[] {
  return HOMES.map((home) => executeOn(homes[home], 'tests', home));
}

/** What a command has done, and where. */
export interface Done<T> {
  readonly result: T;
  readonly home: number;
}

/** Runs a command in the database that has the brand. Returns undefined if none has it. */
export async function command<T>(
  homes: Homes,
  run: (execute: Execute) => Promise<T>,
): Promise<Done<T> | undefined> {
  for (const execute of executesOn(homes)) {
    try {
      return { result: await run(execute), home: execute.database };
    } catch (error) {
      if (!/There is no|has moved|is moving/.test(messageOf(error))) throw error;
    }
  }
  return undefined;
}

/** Runs a command in each database. Those that do not have the brand refuse it. */
export async function everywhere(
  homes: Homes,
  run: (execute: Execute) => Promise<void>,
): Promise<void> {
  for (const execute of executesOn(homes)) {
    await run(execute).catch((error: unknown) => {
      if (!(error instanceof AdminError)) throw error;
    });
  }
}

/** Returns what an error of the admin tool says; nothing for other errors. */
export function messageOf(error: unknown): string {
  return error instanceof AdminError ? error.message : '';
}
