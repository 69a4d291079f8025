import type { Values } from '../db/columns.ts';
import type { Row } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** A resource as JSON, with its revision. */
export interface RevisedResource {
  /** The resource as JSON text. */
  readonly json: string;
  readonly revision: string;
}

/** A resource in a list. */
export interface ListedResource {
  readonly id: string;
  /** The resource as JSON text; only an upper bound of its length if it is large. */
  readonly json: string | number;
}

/** Converts a row with the columns `revision` and `json`. */
export function revisedResource(row: Row): RevisedResource {
  return { json: String(row['json']), revision: String(row['revision']) };
}

/** Converts a row with the columns `id` and `json`. */
export function listedResource(row: Row): ListedResource {
  return { id: String(row['id']), json: listedJson(row) };
}

/** Returns the column `json` of a row. */
export function listedJson({ json }: Row): ListedResource['json'] {
  return typeof json === 'number' ? json : String(json);
}

/** Returns the JSON text of a resource from its values, identical to the text that SQLite builds from its row. */
export function represent({ shown }: Collection, values: Values): string {
  const members: Record<string, unknown> = {};
  for (const name of Object.keys(shown)) members[name] = values[name];
  return JSON.stringify(members);
}
