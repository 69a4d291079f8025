import type { Column, ColumnBaseConfig, ColumnDataType } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { SqlValue } from './statement.ts';

export type Columns = Readonly<Record<string, Column>>;

/** A column of any table whose values are never null. */
export type RequiredColumn<T extends string | number> = SQLiteColumn<
  ColumnBaseConfig<ColumnDataType, string> & {
    readonly data: T;
    readonly driverParam: T;
    readonly notNull: true;
  }
>;

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

/** Returns the values of these fields in a row of D1, as the API shows them. */
export function decode(columns: Columns, row: object): Values {
  const values: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columns)) {
    const value: unknown = Reflect.get(row, field);
    // A column's decoder expects a value: it would turn null into false or `null` in JSON.
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
