import type { SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Values } from '../db/columns.ts';
import { decode, encode } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import type { SingleResource } from './single-resource.ts';

/** Returns the resource in a row, or in what will be one, as clients see it: exactly the visible fields, in their order. */
export function toResource({ visible }: Pick<SingleResource, 'visible'>, row: object): Values {
  return decode(visible, row);
}

/** Returns the values of a valid body as their columns store them, in the resource with this id. */
export function storedValues(
  { writable, idIfEmpty }: SingleResource,
  values: Values,
  id: string,
): Record<string, SqlValue> {
  const row = encode(writable, values);
  if (idIfEmpty !== undefined && row[idIfEmpty] === '') row[idIfEmpty] = id;
  return row;
}

/**
 * A subquery of another row of a brand, as `other`, with this value in the unique field; of none if the resource has no
 * such field. The column's collation decides equality.
 * @param brand the brand of the key, or the column of an outer query that has it
 * @param condition a further condition on `other`
 */
export function otherRowWith(
  { table, unique }: SingleResource,
  brand: SQLWrapper,
  value: SQLWrapper,
  exceptId: SQLWrapper,
  condition = sql`true`,
): SQL {
  return unique === undefined
    ? sql`(select 1 where false)`
    : sql`(select 1 from ${table} as other
        where other.brand_id = ${brand} and other.${sql.identifier(unique.column.name)} = ${value} and other.id <> ${exceptId} and ${condition})`;
}
