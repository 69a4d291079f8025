import type { Column } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';

/** Columns by field name. */
export type Columns = Readonly<Record<string, Column>>;

/** Values by field name, as the API shows them. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the columns of these fields, in their order.
 * @throws Error if a field has no column
 */
export function columnsOf(fields: object, columns: Columns): Columns {
  return Object.fromEntries(
    Object.keys(fields).map((field) => [field, requireEntry(columns, field)]),
  );
}

/**
 * Returns the entry with this name.
 * @throws Error if there is none
 */
export function requireEntry<T>(entries: Readonly<Record<string, T>>, name: string): T {
  const found = entries[name];
  if (found === undefined) throw new Error(`There is no entry ${name}.`);
  return found;
}

/** Returns the fields in `values` as a row, by column name. */
export function encode(columns: Columns, values: Values): Record<string, SqlValue> {
  const row: Record<string, SqlValue> = {};
  for (const [field, column] of Object.entries(columns)) {
    if (Object.hasOwn(values, field)) row[column.name] = encodeValue(column, values[field]);
  }
  return row;
}

/** Returns a value as its column stores it: a boolean as 0 or 1, a list as JSON. */
export function encodeValue(column: Column, value: unknown): SqlValue {
  return value === null ? null : toSqlValue(column.mapToDriverValue(value));
}

function toSqlValue(value: unknown): SqlValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`D1 binds no ${typeof value}.`);
}
