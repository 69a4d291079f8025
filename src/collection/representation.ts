import type { Values } from '../db/columns.ts';
import type { Row } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** A resource as it is shown, and its revision. */
export interface Stored {
  readonly id: string;
  readonly values: Values;
  readonly revision: string;
}

/** What a row shows of itself. */
export function represent({ decode }: Collection, row: Row): Stored {
  return {
    id: String(row['id']),
    values: decode(row),
    revision: String(row['revision']),
  };
}
