import * as z from 'zod/mini';
import type { Values } from '../../db/columns.ts';
import { encodeValue } from '../../db/columns.ts';
import type { SqlValue } from '../../db/statement.ts';
import { withoutNull } from '../../fields/schema.ts';
import { timestamp } from '../../fields/timestamp.ts';
import { decoded, flag, parameter } from '../../http/parameters.ts';
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
  for (const [name, { rule }] of Object.entries(collection.filters)) {
    filters[name] = parameter(filterOf(name, rule));
  }
  const only = z.strictObject({
    limit: parameter(
      decoded(
        (text) =>
          /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT ? Number(text) : undefined,
        `expected a whole number from 1 to ${MAX_LIMIT}`,
      ),
    ),
    cursor: parameter(
      decoded(
        (text) => decodeCursor(collection, text),
        'expected a cursor from the Link header of this list',
      ),
    ),
    since: parameter(
      decoded(
        (text) => decodeToken(collection, text),
        'expected 0, or the token that an earlier answer of this list gave',
      ),
    ),
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
    z.transform(({ limit, cursor = '', since, ...given }) => ({
      limit,
      since,
      after: cursor,
      filters: storedValues(collection, given),
    })),
  );
}

/** The schema of a filter's values. */
function filterOf(name: string, field: z.core.$ZodType): z.ZodMiniType<unknown, string> {
  const rule = withoutNull(field);
  if (isString(rule)) return rule;
  if (rule instanceof z.ZodMiniBoolean) return flag();
  throw new Error(`There is no filter ${name}.`);
}

/** The type of zod's class does not state that its input is a string. */
function isString(rule: z.core.$ZodType): rule is z.ZodMiniString<string> {
  return rule instanceof z.ZodMiniString;
}

/** Returns the values of the filters as their columns store them. */
function storedValues({ table, filters }: Collection, given: Values): ListPosition['filters'] {
  const values: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const column = filters[name]?.column ?? table.updatedAt;
    if (value !== undefined) values[name] = encodeValue(column, value);
  }
  return values;
}
