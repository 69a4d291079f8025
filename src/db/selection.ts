import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { db } from './statement.ts';

/**
 * What a statement selects, by the names in its rows: columns and SQL expressions. An alias is never written by hand, so
 * the names in the rows are those of their type.
 */
export type Selection = Readonly<Record<string, Column | SQL>>;

/** The type of a value in a row of D1: a boolean is a number there, and a list is a text. */
type ValueOf<T> =
  T extends SQL<infer V>
    ? V
    : T extends Column<infer C>
      ? | (C['data'] extends string | number ? C['data'] : C['driverParam'])
        | (C['notNull'] extends true ? never : null)
      : never;

export type RowOf<S extends Selection> = { readonly [K in keyof S]: ValueOf<S[K]> };

/** A selection for drizzle, whose rows have the same names. */
type AliasedSelection<S extends Selection> = {
  readonly [K in keyof S]: SQL.Aliased<ValueOf<S[K]>>;
};

/** Begins a SELECT. D1's rows have the names of the selection, and their types follow from it. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- drizzle's type is a page long
export function select<S extends Selection>(selection: S) {
  return db.select(aliased(selection));
}

/** `Object.fromEntries` loses the names. */
function aliased<S extends Selection>(selection: S): AliasedSelection<S> {
  const entries: unknown = Object.fromEntries(
    Object.entries(selection).map(([name, value]) => [name, sql`${value}`.as(name)]),
  );
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each member has the same name
  return entries as AliasedSelection<S>;
}
