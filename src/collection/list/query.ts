import type { Column } from 'drizzle-orm';
import * as z from 'zod/mini';
import { encodeValue } from '../../db/columns.ts';
import type { SqlValue } from '../../db/statement.ts';
import { withoutNull } from '../../fields/schema.ts';
import { timestamp } from '../../fields/timestamp.ts';
import { parameter } from '../../http/parameters.ts';
import type { ChangeToken } from './change-token.ts';
import { decodeToken } from './change-token.ts';
import type { Collection } from '../collection.ts';
import { decodeCursor } from './cursor.ts';

/** The maximum number of resources per page. */
export const MAX_LIMIT = 250;

/** The start position in a list, and its filters. */
export interface ListPosition {
  /** The filter values as they are stored, by field name, and `updatedSince`. */
  readonly filters: Readonly<Record<string, SqlValue>>;
  /** The id after which to start; empty to start at the beginning. */
  readonly after: string;
}

/** The parsed parameters of a list. */
export interface ListQuery extends ListPosition {
  /** The number of resources per page; undefined for the whole list. */
  readonly limit: number | undefined;
  /** The token after which to report changes; undefined to list resources. */
  readonly since: ChangeToken | undefined;
}

type Parameter = z.ZodMiniOptional<z.ZodMiniType<unknown, string>>;

/** The schema of a list's parameters. It rejects unknown and repeated parameters by name. */
export function listQuerySchema(collection: Collection): z.ZodMiniType<ListQuery> {
  const filters: Record<string, Parameter> = { updatedSince: parameter(timestamp()) };
  for (const [name, { field, column }] of Object.entries(collection.filters)) {
    filters[name] = parameter(filterOf(field, column));
  }
  const only = z.strictObject({
    limit: parameter(limitOf()),
    cursor: parameter(cursorOf(collection)),
    since: parameter(sinceOf(collection)),
    ...filters,
  });
  return z.pipe(
    only.check(
      z.check(
        (context) => {
          const { limit, cursor, since, ...rest } = context.value;
          const problem = (path: string, message: string): void => {
            context.issues.push({ code: 'custom', input: context.value, path: [path], message });
          };
          if (cursor !== undefined && limit === undefined && since === undefined) {
            problem('cursor', 'expected together with its limit');
          }
          if (since === undefined) return;
          for (const [name, value] of Object.entries({ cursor, ...rest })) {
            if (value !== undefined) problem(name, 'does not combine with since');
          }
        },
        // Also if a value breaks its own rule: all problems are reported together.
        { when: () => true },
      ),
    ),
    z.transform(({ limit, cursor, since, ...filters }) => ({
      limit,
      since,
      after: cursor ?? '',
      filters: presentFilters(filters),
    })),
  );
}

function presentFilters(filters: Readonly<Record<string, unknown>>): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(filters)) {
    if (typeof value === 'string' || typeof value === 'number') values[name] = value;
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
  return decoded(
    (text) => decodeCursor(collection, text),
    'expected a cursor from the Link header of this list',
  );
}

function sinceOf(collection: Collection): z.ZodMiniType<ChangeToken, string> {
  return decoded(
    (text) => decodeToken(collection, text),
    'expected 0, or the token that an earlier answer of this list gave',
  );
}

/** A schema that decodes a text, and rejects it if `decode` returns undefined. */
function decoded<T>(
  decode: (text: string) => T | undefined,
  error: string,
): z.ZodMiniType<T, string> {
  return z.pipe(
    z.string(),
    z.transform((text, context) => {
      const value = decode(text);
      if (value !== undefined) return value;
      context.issues.push({ code: 'custom', input: text, message: error });
      return z.NEVER;
    }),
  );
}

/** A schema from the text of a filter to the value that its column stores. */
function filterOf(field: z.core.$ZodType, column: Column): z.ZodMiniType<SqlValue, string> {
  const rule = withoutNull(field);
  if (isString(rule)) return rule;
  if (rule instanceof z.ZodMiniBoolean) {
    return z.pipe(
      z.enum(['true', 'false'], { error: 'expected true or false' }),
      z.transform((text) => encodeValue(column, text === 'true')),
    );
  }
  throw new Error(`There is no filter ${column.name}.`);
}

/** The type of zod's class does not state that its input is a string. */
function isString(rule: z.core.$ZodType): rule is z.ZodMiniString<string> {
  return rule instanceof z.ZodMiniString;
}
