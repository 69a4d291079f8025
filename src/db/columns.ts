import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';

/** Columns by field name. */
export type Columns = Readonly<Record<string, Column>>;

/** Columns to select, by their names in the rows. */
export type Selection = Readonly<Record<string, SQL.Aliased>>;

/** Values by field name, as the API shows them. */
export type Values = Readonly<Record<string, unknown>>;

/** Returns the columns of these fields, in their order. A field without a column is an error. */
export function columnsOf(fields: object, columns: Columns): Columns {
  return Object.fromEntries(
    Object.keys(fields).map((field) => [field, requireEntry(columns, field)]),
  );
}

/** Returns the entry with this name. It is an error if there is none. */
export function requireEntry<T>(entries: Readonly<Record<string, T>>, name: string): T {
  const found = entries[name];
  if (found === undefined) throw new Error(`There is no entry ${name}.`);
  return found;
}

/** Selects columns under the names of their fields, so that the rows of D1 have these names. */
export function selectionOf(columns: Columns): Selection {
  return Object.fromEntries(
    Object.entries(columns).map(([field, column]) => [field, sql`${column}`.as(field)]),
  );
}

/**
 * Adds columns to those of `selectionOf`.
 * @throws Error if a field has the name of one: a row has one value for each name
 */
export function besides<T extends Selection, S extends Selection>(shown: T, more: S): T & S {
  const taken = Object.keys(more).find((name) => Object.hasOwn(shown, name));
  if (taken !== undefined) throw new Error(`A field cannot be named ${taken}.`);
  return { ...shown, ...more };
}

/** Returns the values of these fields in a row of `selectionOf`, as the API shows them. */
export function decode(columns: Columns, row: object): Values {
  const values: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columns)) {
    const value: unknown = Reflect.get(row, field);
    // drizzle's columns decode no null.
    values[field] = value === null ? null : column.mapFromDriverValue(value);
  }
  return values;
}

/** Returns those fields that are in `values`, as their columns store them. */
export function encode(columns: Columns, values: Values): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {};
  for (const [field, column] of Object.entries(columns)) {
    if (Object.hasOwn(values, field)) row[field] = encodeValue(column, values[field]);
  }
  return row;
}

/** Returns a value as its column stores it: a boolean as 0 or 1, a list as JSON. */
export function encodeValue(column: Column, value: unknown): SqlValue {
  const stored: unknown = value === null ? null : column.mapToDriverValue(value);
  if (stored === null || typeof stored === 'string' || typeof stored === 'number') return stored;
  throw new TypeError(`D1 binds no ${typeof stored}.`);
}
