import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import { and, eq, sql } from 'drizzle-orm';
import type { RequiredColumn, Values } from '../db/columns.ts';
import { decode, encode } from '../db/columns.ts';
import type { Access, JoinedTable, KeyBrand, OwnRows, RowWithKey } from '../db/key.ts';
import { joinedBrand, ownRows, selectWithKey } from '../db/key.ts';
import type { Selection } from '../db/selection.ts';
import type { Query, SqlValue } from '../db/statement.ts';
import { NotFound } from '../errors.ts';
import type { Collection } from './collection.ts';

/** Returns the resource in a row, or in what will be one, as clients see it: exactly the visible fields, in their order. */
export function toResource({ visible }: Collection, row: object): Values {
  return decode(visible, row);
}

/** Returns the values of a valid body as their columns store them, in the resource with this id. */
export function storedValues(
  { writable, idIfEmpty }: Collection,
  values: Values,
  id: string,
): Record<string, SqlValue> {
  const row = encode(writable, values);
  if (idIfEmpty !== undefined && row[idIfEmpty] === '') row[idIfEmpty] = id;
  return row;
}

/** The SQL condition for the key's resource with this id, if it meets another condition too. */
export function ownResource<A extends Access>(
  { table }: Collection,
  id: Placeholder,
  brand: KeyBrand<A>,
  condition?: SQL,
): OwnRows<A> {
  return ownRows(table.brandId, brand, eq(table.id, id), condition);
}

/** Joins the key's resource with this id to a `selectWithKey`. */
export function joinedResource({ table }: Collection, id: SQLWrapper): JoinedTable {
  return { table: sql`${table}`, on: and(eq(table.brandId, joinedBrand), eq(table.id, id)) };
}

/**
 * Returns the query that reads the resource with this id. All columns of the resource are null if there is none.
 * @param id a parameter, or a subquery such as one of the newest id
 * @param more what else to select
 */
export function selectResource<S extends Selection>(
  collection: Collection,
  id: SQLWrapper,
  more: S,
): Query<RowWithKey<S & { readonly revision: RequiredColumn<string> }>> {
  const { revision } = collection.table;
  return selectWithKey({ ...more, revision }, [joinedResource(collection, id)], {
    columns: collection.visible,
  });
}

/**
 * Returns the resource in a row of `selectResource` in its envelope, and its revision.
 * @throws NotFound if there is none
 */
export function resourceIn(
  collection: Collection,
  row: { readonly revision: string | null },
): { readonly body: Values; readonly revision: string } {
  if (row.revision === null) throw new NotFound(collection.noun);
  return { body: { [collection.keys.one]: toResource(collection, row) }, revision: row.revision };
}

/**
 * A subquery of another row of the brand, as `other`, with this value in the unique field; of none if the collection has
 * no such field. The column's collation decides equality.
 * @param condition a further condition on `other`
 */
export function otherRowWith(
  { table, unique }: Collection,
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
