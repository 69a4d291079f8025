import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { jsonOfColumns } from '../db/json.ts';
import type { KeyedSelect } from '../db/statement.ts';
import { keyBrand, selectWithKey } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** The id in the request's path. */
const id = sql.placeholder('id');

/** Holds for the row that the request's path names. */
export function rowById({ table }: Collection, brand: SQL): SQL {
  return sql`${table.brandId} = ${brand} and ${table.id} = ${id}`;
}

/**
 * Reads the resource `id`: its `revision` and its JSON text.
 * @param more further columns
 * @param hasWritten as for `selectWithKey`
 */
export function selectRow(collection: Collection, more?: SQL, hasWritten?: SQL): KeyedSelect {
  const { table, shown } = collection;
  return selectWithKey({
    columns: sql`${table.revision}, ${jsonOfColumns(shown)} as json${more && sql`, ${more}`}`,
    join: sql`${table} on ${rowById(collection, keyBrand)}`,
    ...(hasWritten && { hasWritten }),
  });
}

/** Another row of the brand that holds a value of the unique field; the column's collation decides what is the same. */
export function otherRowWith(
  { table, unique }: Collection,
  brand: SQL,
  value: SQL,
  exceptId: SQL,
): SQL {
  return unique === undefined
    ? sql`select 1 where false`
    : sql`select 1 from ${table} as other
        where other.brand_id = ${brand} and other.${sql.identifier(unique.column.name)} = ${value} and other.id <> ${exceptId}`;
}
