import * as z from 'zod/mini';
import { checksum } from '../../hash.ts';
import { decoded, parameter, parameters } from '../../http/parameters.ts';
import type { Collection } from '../collection.ts';
import { isId } from '../identifier.ts';
import type { ChangeToken } from './change-token.ts';
import { decodeToken } from './change-token.ts';
import type { Condition, Filter } from './filters.ts';
import { conditionOf, filtersOf, MAX_VALUES } from './filters.ts';

/** Resources per page. */
export const MAX_LIMIT = 250;

export interface ListQuery {
  /** The number of resources per page; undefined for the whole list. */
  readonly limit: number | undefined;
  /** The id after which to start; empty to start at the beginning. */
  readonly after: string;
  /** The token after which to report changes; undefined to list resources. */
  readonly since: ChangeToken | undefined;
  /** One for each filter that is given. */
  readonly conditions: readonly Condition[];
}

/** The schema of a list's parameters. It rejects unknown and repeated parameters by name. */
export function listQuerySchema(collection: Collection): z.ZodMiniType<ListQuery> {
  const filters = filtersOf(collection);
  const ofFilters: Record<string, Filter['parameter']> = {};
  for (const [name, filter] of Object.entries(filters)) ofFilters[name] = filter.parameter;
  const schema = parameters({
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
    ...ofFilters,
  });
  return z.pipe(
    schema.check(
      z.check(
        (context) => {
          const { limit, cursor, since, ...rest } = context.value;
          const problem = (path: string, message: string): void => {
            context.issues.push({ code: 'custom', input: context.value, path: [path], message });
          };
          if (cursor !== undefined && limit === undefined && since === undefined) {
            problem('cursor', 'expected together with its limit');
          }
          const counts = Object.entries(rest).map(
            ([name, values]) => [name, new Set(Array.isArray(values) ? values : []).size] as const,
          );
          const total = counts.reduce((sum, [, count]) => sum + count, 0);
          for (const [name, count] of counts) {
            if (total > MAX_VALUES && count > 1) {
              problem(name, `expected at most ${MAX_VALUES} values in all filters`);
            }
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
    z.transform(({ limit, cursor = '', since, ...rest }) => {
      const given: Readonly<Record<string, readonly unknown[] | undefined>> = rest;
      const conditions = Object.entries(filters).flatMap(([name, filter]) => {
        const values = given[name];
        return values === undefined ? [] : conditionOf(name, filter, values);
      });
      return { limit, since, after: cursor, conditions };
    }),
  );
}

// A cursor is the id of the last resource of a page, and a checksum that detects guessed cursors. Ids sort by time of
// creation, so a cursor stays valid when its row is deleted.
const CURSOR = /^(.{8})(.{4})(.{4})(.{4})(.{12}).{8}$/;

export function encodeCursor({ keys }: Collection, id: string): string {
  return id.replaceAll('-', '') + checksum(`${keys.many}:${id}`);
}

/** Returns the id before the cursor's page; undefined if the cursor was not issued for this collection. */
function decodeCursor(collection: Collection, cursor: string): string | undefined {
  const id = CURSOR.exec(cursor)?.slice(1).join('-') ?? '';
  return isId(id) && encodeCursor(collection, id) === cursor ? id : undefined;
}

/** Returns a `Link` to the next page (RFC 8288): the same URL with this parameter. */
export function nextLink(url: string, name: 'cursor' | 'since', value: string): string {
  const next = new URL(url);
  next.searchParams.set(name, value);
  return `<${next.href}>; rel="next"`;
}
