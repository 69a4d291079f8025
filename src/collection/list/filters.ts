import type { Column, Placeholder, SQL } from 'drizzle-orm';
import { eq, gte, inArray, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { encodeValue } from '../../db/columns.ts';
import type { SqlValue } from '../../db/statement.ts';
import { timestamp } from '../../fields/timestamp.ts';
import { flag, parameter, parameterList } from '../../http/parameters.ts';
import type { Collection, Field } from '../collection.ts';

/** The maximum number of values of all filters of one request. */
export const MAX_VALUES = 100;

export type Filter = EqualityFilter | ConditionFilter;

/** A filter by equality: its column has one of the values. */
interface EqualityFilter {
  readonly column: Column;
  /** The index to use. If undefined, the planner uses the primary key, or reads the brand's rows. */
  readonly index?: string | undefined;
  /** The schema of its parameter: a list of values. */
  readonly parameter: z.ZodMiniType<readonly unknown[] | undefined>;
  readonly condition?: undefined;
}

/** A filter with another condition, which takes one value. */
interface ConditionFilter {
  readonly column: Column;
  readonly index?: undefined;
  /** The schema of its parameter: a list of one value. */
  readonly parameter: z.ZodMiniType<readonly [unknown] | undefined>;
  readonly condition: (value: Placeholder) => SQL;
}

export function filtersOf({ filters, table }: Collection): Readonly<Record<string, Filter>> {
  const { updatedAt } = table;
  const since = z.pipe(
    timestamp(),
    z.transform((time: string): [string] => [time]),
  );
  const all: Record<string, Filter> = {};
  for (const field of Object.values(filters)) {
    const { name, column, index } = field;
    all[name] = { column, index, parameter: parameterList(valueOf(field)) };
  }
  all['updatedSince'] = {
    column: updatedAt,
    parameter: parameter(since),
    condition: (time) => gte(updatedAt, time),
  };
  return all;
}

function valueOf({ name, rule }: Field): z.ZodMiniType<unknown, string> {
  if (isString(rule)) return rule;
  if (rule instanceof z.ZodMiniBoolean) return flag();
  throw new Error(`${name} cannot filter a list: only texts and booleans can.`);
}

/** The type of zod's class does not state that its input is a string. */
function isString(rule: z.core.$ZodType): rule is z.ZodMiniString<string> {
  return rule instanceof z.ZodMiniString;
}

/** What a request asks of one filter. */
export interface Condition {
  readonly filter: string;
  /** Whether `value` is a list in JSON, of which a row has one. So the number of values does not change the statement. */
  readonly isList: boolean;
  readonly value: SqlValue;
}

/**
 * Returns the condition of a filter.
 * @param values as the schema has parsed them, at least one
 */
export function conditionOf(
  filter: string,
  { column }: Filter,
  values: readonly unknown[],
): Condition {
  const stored = [...new Set(values.map((value) => encodeValue(column, value)))];
  const [first = null, ...others] = stored;
  return others.length === 0
    ? { filter, isList: false, value: first }
    : { filter, isList: true, value: JSON.stringify(stored) };
}

/**
 * Returns a condition in SQL.
 * @param isSearched whether SQLite may look rows up by it; otherwise it only checks the rows that others find
 */
export function sqlCondition(
  { column, condition }: Filter,
  isList: boolean,
  value: Placeholder,
  isSearched: boolean,
): SQL {
  if (condition) return condition(value);
  const tested = isSearched ? sql`${column}` : unsearched(column);
  return isList ? inArray(tested, sql`(select value from json_each(${value}))`) : eq(tested, value);
}

/** SQL: a column by which SQLite looks no row up. */
export function unsearched(column: Column): SQL {
  return sql`+${column}`;
}
