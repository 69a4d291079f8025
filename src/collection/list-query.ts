import type { Column } from 'drizzle-orm';
import * as z from 'zod';
import { encodeValue } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import { timestamp } from '../fields/timestamp.ts';
import type { Collection } from './collection.ts';
import { decodeCursor } from './cursor.ts';

/** The most that a page may hold. */
export const MAX_LIMIT = 250;

/** What a list was asked for. */
export interface ListQuery {
  /** The values that fields must have, and `updatedSince`, as they are stored. */
  readonly filters: Readonly<Record<string, SqlValue>>;
  /** How many resources to a page; undefined for all of them at once. */
  readonly limit: number | undefined;
  /** The id after which the page begins; empty for the first page. */
  readonly after: string;
}

/** Reads the parameters of a list. An unknown or repeated one is refused by name. */
export function listQuerySchema(collection: Collection): z.ZodType<ListQuery> {
  const parameters: Record<string, z.ZodOptional<z.ZodType<SqlValue, string>>> = {
    limit: parameter(limit).optional(),
    cursor: parameter(cursorOf(collection)).optional(),
    updatedSince: parameter(timestamp()).optional(),
  };
  for (const [name, { field, column }] of Object.entries(collection.filters)) {
    parameters[name] = parameter(filterOf(field, column)).optional();
  }
  return z
    .strictObject(parameters)
    .refine(({ limit, cursor }) => cursor === undefined || limit !== undefined, {
      path: ['cursor'],
      error: 'expected together with its limit',
    })
    .transform(({ limit, cursor, ...filters }) => ({
      limit: typeof limit === 'number' ? limit : undefined,
      after: typeof cursor === 'string' ? cursor : '',
      filters: given(filters),
    }));
}

function given(filters: Readonly<Record<string, SqlValue | undefined>>): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) values[name] = value;
  return values;
}

const limit = z
  .string()
  .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT, {
    error: `expected a whole number from 1 to ${MAX_LIMIT}`,
  })
  .transform(Number);

function cursorOf(collection: Collection): z.ZodType<string, string> {
  return z
    .string()
    .refine((cursor) => decodeCursor(collection, cursor) !== undefined, {
      error: 'expected a cursor from the Link header of this list',
    })
    .transform((cursor) => decodeCursor(collection, cursor) ?? '');
}

/** A parameter that is given once. */
function parameter<T extends z.ZodType<unknown, string>>(value: T): z.ZodPipe<z.ZodString, T> {
  return z.string({ error: 'given more than once' }).pipe(value);
}

/** The value of a field as a text, as its column stores it. */
function filterOf(field: z.core.$ZodType, column: Column): z.ZodType<SqlValue, string> {
  if (
    field instanceof z.ZodDefault ||
    field instanceof z.ZodNullable ||
    field instanceof z.ZodOptional
  ) {
    return filterOf(field.unwrap(), column);
  }
  if (field instanceof z.ZodBoolean) {
    return z
      .enum(['true', 'false'], { error: 'expected true or false' })
      .transform((text) => encodeValue(column, text === 'true'));
  }
  if (field instanceof z.ZodString) return field;
  throw new Error(`There is no filter for ${column.name}.`);
}
