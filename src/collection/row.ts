import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { jsonOfColumns } from '../db/json.ts';
import type { KeyedSelect } from '../db/statement.ts';
import { keyBrand, selectWithKey } from '../db/statement.ts';
import type { Collection } from './collection.ts';

/** The placeholder for the id in the request's path. */
const id = sql.placeholder('id');

/** The SQL condition for the row with the id in the request's path. */
export function rowById({ table }: Collection, brand: SQL): SQL {
  return sql`${table.brandId} = ${brand} and ${table.id} = ${id}`;
}

/**
 * Returns a statement that reads the resource `id`: its `revision` and its JSON text.
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

/**
 * A SELECT of another row of the brand with this value in the unique field. The column's collation decides equality.
 */
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
