import type { Column } from 'drizzle-orm';
import * as z from 'zod/mini';
import { encodeValue } from '../db/columns.ts';
import type { SqlValue } from '../db/statement.ts';
import { withoutNull } from '../fields/schema.ts';
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
export function listQuerySchema(collection: Collection): z.ZodMiniType<ListQuery> {
  const parameters: Record<string, z.ZodMiniOptional<z.ZodMiniType<SqlValue, string>>> = {
    limit: parameter(limitOf()),
    cursor: parameter(cursorOf(collection)),
    updatedSince: parameter(timestamp()),
  };
  for (const [name, { field, column }] of Object.entries(collection.filters)) {
    parameters[name] = parameter(filterOf(field(), column));
  }
  return z.pipe(
    z.strictObject(parameters).check(
      z.refine(({ limit, cursor }) => cursor === undefined || limit !== undefined, {
        path: ['cursor'],
        error: 'expected together with its limit',
      }),
    ),
    z.transform(({ limit, cursor, ...filters }) => ({
      limit: typeof limit === 'number' ? limit : undefined,
      after: typeof cursor === 'string' ? cursor : '',
      filters: given(filters),
    })),
  );
}

function given(filters: Readonly<Record<string, SqlValue | undefined>>): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(filters)) {
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function limitOf(): z.ZodMiniType<number, string> {
  return z.pipe(
    z.string().check(
      z.refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT, {
        error: `expected a whole number from 1 to ${MAX_LIMIT}`,
      }),
    ),
    z.transform(Number),
  );
}

function cursorOf(collection: Collection): z.ZodMiniType<string, string> {
  return z.pipe(
    z.string().check(
      z.refine((cursor) => decodeCursor(collection, cursor) !== undefined, {
        error: 'expected a cursor from the Link header of this list',
      }),
    ),
    z.transform((cursor) => decodeCursor(collection, cursor) ?? ''),
  );
}

/** A parameter that may be there, once. */
function parameter<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T, string>> {
  return z.optional(z.pipe(z.string({ error: 'given more than once' }), value));
}

/** The value of a field as a text, as its column stores it. */
function filterOf(field: z.core.$ZodType, column: Column): z.ZodMiniType<SqlValue, string> {
  const rule = withoutNull(field);
  if (isString(rule)) return rule;
  if (rule instanceof z.ZodMiniBoolean) {
    return z.pipe(
      z.enum(['true', 'false'], { error: 'expected true or false' }),
      z.transform((text) => encodeValue(column, text === 'true')),
    );
  }
  throw new Error(`There is no filter for ${column.name}.`);
}

/** zod's class does not say that it takes a string. */
function isString(rule: z.core.$ZodType): rule is z.ZodMiniString<string> {
  return rule instanceof z.ZodMiniString;
}
