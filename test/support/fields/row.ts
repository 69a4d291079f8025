import type { Kind } from './kinds.ts';
import { same } from './kinds.ts';

/** A value in a row of the database. */
export type ColumnValue = string | number | null;

/**
 * A field: all that the tests know of it. Its values are sent by POST, PUT, PATCH and a push, and a brand with a value in
 * every column has this one.
 */
export interface FieldRow extends Kind {
  /** The name of its column, if that is not its own in snake case. */
  readonly column?: string;
  readonly value: unknown;
  /** What it becomes if POST or PUT leave it out; absent if they need it. */
  readonly default?: unknown;
}

export type FieldRows = Readonly<Record<string, FieldRow>>;

/** A field that POST and PUT need. */
export function required(kind: Kind, value: unknown): FieldRow {
  return { ...kind, value };
}

/** A field that may be left out, and may not be null. */
export function optional(kind: Kind, value: unknown, initial: unknown): FieldRow {
  return { ...required(kind, value), default: initial };
}

/** A field that may be null, and is if it is left out. */
export function nullable(kind: Kind, value: unknown): FieldRow {
  return {
    ...kind,
    accepted: [...kind.accepted, ...same(null)],
    refused: kind.refused.filter((one) => one !== null),
    value,
    default: null,
  };
}

/** A value for every field, each another than its default. */
export function valuesOf(rows: FieldRows): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.value]));
}

/** What each field becomes that may be left out. */
export function defaultsOf(rows: FieldRows): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([, row]) => row.default !== undefined)
      .map(([name, row]) => [name, row.default]),
  );
}

/** Something of each field, by the name of its column. */
export function byColumn<T>(rows: FieldRows, of: (row: FieldRow) => T): Record<string, T> {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [row.column ?? snakeCase(name), of(row)]),
  );
}

/** A value as its column holds it. */
export function stored(value: unknown): ColumnValue {
  if (typeof value === 'boolean') return Number(value);
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
