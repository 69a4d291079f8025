import type { Values } from '../db/columns.ts';
import type { Row } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** A resource as it is shown, and its revision. */
export interface RevisedResource {
  /** The resource as JSON text. */
  readonly json: string;
  readonly revision: string;
}

/** A resource in a list. */
export interface ListedResource {
  readonly id: string;
  /** The resource as JSON text. */
  readonly json: string;
}

/** A row that was read with `revision` and `json`. */
export function revisedResource(row: Row): RevisedResource {
  return { json: String(row['json']), revision: String(row['revision']) };
}

/** A row that was read with `id` and `json`. */
export function listedResource(row: Row): ListedResource {
  return { id: String(row['id']), json: String(row['json']) };
}

/** The JSON text of a resource of which all values are at hand, the same as SQLite makes of its row. */
export function represent({ shown }: Collection, values: Values): string {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(shown)) members[name] = values[name];
  return JSON.stringify(members);
}
