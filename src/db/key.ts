import type { Column, Placeholder, SQLWrapper, SQL } from 'drizzle-orm';
import { and, asc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Columns } from './columns.ts';
import type { RowOf, Selection } from './selection.ts';
import { addSelection, select } from './selection.ts';
import type { Query } from './statement.ts';
import { db, opaqueLimit, perCall, statement } from './statement.ts';
import { apiKeys } from './tables.ts';

// Every statement takes its brand from the row of the request's key:
//
// - The last statement of a call is made by `selectWithKey`. It looks the key up, and joins what the call reads to the key's
//   row; the joins take the brand from `joinedBrand`.
// - All other statements take it from `keyBrand.read` or `keyBrand.write`, in a condition made by `ownRows`. A DELETE is made
//   by `deleteOwn`, which takes no other condition.
//
// The session binds one time for all statements of a call, which decides whether the key is live. SQLite's own `now` moves on
// between them: a key that expires half-way would leave half of the work.

export type Access = 'read' | 'write';

declare const access: unique symbol;

/** The brand of the request's key, as an SQL value. Only this file makes one. */
export type KeyBrand<A extends Access = Access> = SQL<string> & { readonly [access]: A };

const isThisKey = eq(apiKeys.hash, perCall.keyHash);

/** SQL condition on a key: it is neither revoked nor, at this time, expired. */
export function keyIsLiveAt(time: SQL | Placeholder): SQL | undefined {
  return and(isNull(apiKeys.revokedAt), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, time)));
}

const isLive = keyIsLiveAt(perCall.now);

const mayRead = and(isThisKey, isLive, isNull(apiKeys.suspendedAt), isNull(apiKeys.movedTo));

const mayWrite = and(mayRead, sql`${apiKeys.scope} = 'write'`, isNull(apiKeys.frozenAt));

/** Marks a brand with what its conditions check. The type has no value of its own. */
function brandIf<A extends Access>(condition: SQL | undefined): KeyBrand<A> {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return sql`(select ${apiKeys.brandId} from ${apiKeys} where ${condition})` as KeyBrand<A>;
}

/**
 * The brand of the request's key, for statements. It is NULL, which matches no row, if the key is not live, or if its
 * brand is suspended or in another database. For a write, it is also NULL if the key is read-only or its brand is frozen.
 *
 * After `from`, it is a table with the column `brand_id`, which has no row in place of NULL.
 */
export const keyBrand = { read: brandIf<'read'>(mayRead), write: brandIf<'write'>(mayWrite) };

/** The condition of a statement that is limited to the brand of the request's key. */
export type OwnRows<A extends Access> = SQL & { readonly [access]: A };

/** SQL condition: rows of the key's brand that meet further conditions. */
export function ownRows<A extends Access>(
  brandColumn: Column,
  brand: KeyBrand<A>,
  ...conditions: readonly (SQLWrapper | undefined)[]
): OwnRows<A> {
  const more = conditions.map((condition) => condition && sql`${condition}`);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the condition on the brand makes it so
  return sql`${and(eq(brandColumn, brand), ...more)}` as OwnRows<A>;
}

/** A DELETE of rows of the key's brand, for drizzle's builder. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- drizzle's type is a page long
export function deleteOwn<T extends SQLiteTable>(table: T, rows: OwnRows<'write'>) {
  return db.delete(table).where(rows);
}

const keySelection = {
  /** The brand; null if it is in another database. */
  keyBrandId: sql<string | null>`iif(${apiKeys.movedTo} is null, ${apiKeys.brandId}, null)`,
  keyScope: apiKeys.scope,
  keySuspendedAt: apiKeys.suspendedAt,
  keyFrozenAt: apiKeys.frozenAt,
  /** The number of the database that has the brand, if it is another one. */
  keyMovedTo: apiKeys.movedTo,
};

export type KeyRow = RowOf<typeof keySelection>;

const key = select(keySelection)
  .from(apiKeys)
  .where(and(isThisKey, or(isLive, isNotNull(apiKeys.movedTo))))
  .as('key');

/** The same columns in an outer SELECT. */
const keyColumns: Selection = Object.fromEntries(
  Object.keys(keySelection).map((name) => [
    name,
    sql`${sql.identifier('key')}.${sql.identifier(name)}`,
  ]),
);

/** The brand of the key, within a `selectWithKey`. */
export const joinedBrand = key.keyBrandId;

/** A table to join to the key. Its columns are null if no row matches. */
export interface JoinedTable {
  readonly table: SQL;
  readonly on: SQL | undefined;
}

/** The order of rows, and their greatest number. */
interface Range {
  readonly orderBy: Column;
  readonly limit: Placeholder;
}

/** The key's row, and columns of joined tables, which are null if no row matches. */
export type RowWithKey<S extends Selection> = KeyRow & {
  readonly [K in keyof S]: RowOf<S>[K] | null;
};

/**
 * Returns a query that looks the request's key up and selects joined columns in the same row: a read of one resource is
 * one statement. There is no row if the key is not live. If the brand is in another database, nothing is joined.
 * @param columns further columns, whose names the type of the row does not have
 * @param range if a join matches several rows
 */
export function selectWithKey<S extends Selection>(
  selection: S,
  joins: readonly JoinedTable[] = [],
  { columns = {}, range }: { readonly columns?: Columns; readonly range?: Range } = {},
): Query<RowWithKey<S>> {
  const query = select(addSelection(columns, addSelection(keyColumns, selection)))
    .from(key)
    .$dynamic();
  for (const { table, on } of joins) void query.leftJoin(table, on);
  if (range) void query.orderBy(asc(range.orderBy)).limit(opaqueLimit(range.limit));
  // drizzle cannot type the rows of a selection that is a type parameter.
  return sql<RowWithKey<S>>`${query.getSQL()}`;
}

/** Looks the request's key up, and nothing else. */
export const lookUpKey = statement([], () => selectWithKey({}));
