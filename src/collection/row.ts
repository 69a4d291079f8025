import { jsonOfColumns } from '../db/json.ts';
import type { Sql } from '../db/sql.ts';
import { identifier, placeholder, sql } from '../db/sql.ts';
import type { KeyedSelect, Row } from '../db/statement.ts';
import { keyBrand, selectWithKey } from '../db/statement.ts';
import { NotFound } from '../errors.ts';
import { envelope } from '../http/json-response.ts';
import type { Collection } from './collection.ts';

/** The SQL condition for the row with the id in the request's path. */
export function rowById<N extends string>({ table }: Collection, brand: Sql<N>): Sql<N | 'id'> {
  return sql`${table.brandId} = ${brand} and ${table.id} = ${placeholder('id')}`;
}

/**
 * Returns a statement that reads the resource `id`: its `revision` and its JSON text.
 * @param more further columns
 * @param hasWritten as for `selectWithKey`
 */
export function selectRow<N extends string = never>(
  collection: Collection,
  more?: Sql<N>,
  hasWritten?: Sql<N>,
): KeyedSelect<N | 'id' | 'keyHash'> {
  const { table, shown } = collection;
  return selectWithKey<N | 'id'>({
    columns: sql`${table.revision}, ${jsonOfColumns(shown)} as json${more && sql`, ${more}`}`,
    join: sql`${table} on ${rowById(collection, keyBrand)}`,
    ...(hasWritten && { hasWritten }),
  });
}

/**
 * Returns the resource in a row of `selectRow`: the JSON text of its envelope, and its revision.
 * @throws NotFound if there is none
 */
export function resourceIn(
  { noun, keys }: Collection,
  { json, revision }: Row,
): { readonly json: string; readonly revision: string } {
  if (revision === null) throw new NotFound(noun);
  return { json: envelope(keys.one, String(json)), revision: String(revision) };
}

/**
 * A SELECT of another row of the brand, as `other`, with this value in the unique field. The column's collation decides
 * equality. Further conditions can follow with `and`.
 */
export function otherRowWith<B extends string, V extends string, I extends string>(
  { table, unique }: Collection,
  brand: Sql<B>,
  value: Sql<V>,
  exceptId: Sql<I>,
): Sql<B | V | I> {
  return unique === undefined
    ? sql`select 1 where false`
    : sql`select 1 from ${table} as other
        where other.brand_id = ${brand} and other.${identifier(unique.column.name)} = ${value} and other.id <> ${exceptId}`;
}
