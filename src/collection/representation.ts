import type { Row } from '../db/statement.ts';

/** The JSON text of a resource; only an upper bound of the text's length if it is large. */
export type JsonOrLength = string | number;

/** A resource in a list. */
export interface ListedResource {
  readonly id: string;
  readonly json: JsonOrLength;
}

/** Converts a row with the columns `id` and `json`. */
export function listedResource(row: Row): ListedResource {
  return { id: String(row['id']), json: jsonIn(row) };
}

/** Returns the column `json` of a row. */
export function jsonIn({ json }: Row): JsonOrLength {
  return typeof json === 'number' ? json : String(json);
}
