import type { SQLWrapper, SQL } from 'drizzle-orm';
import { eq, fillPlaceholders, is, Placeholder, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { apiKeys } from './tables.ts';

export type SqlValue = string | number | null;

/** Builds queries. It never runs one: BrandSession does. */
export const db = drizzle(withoutBinding());

/** drizzle uses its client only when a query runs, and none runs through `db`. */
function withoutBinding(): D1Database {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return {} as D1Database;
}

/** A query whose rows have the type `R`: a SELECT of drizzle's builder, or `sql<R>`. */
export type Query<R> = SQL<R> | (SQLWrapper & { readonly _: { readonly result: readonly R[] } });

/** The placeholders of the values that the session adds to those of a statement. */
export const perCall = {
  /** The SHA-256 of the request's key. */
  keyHash: sql.placeholder('call.keyHash'),
  /** What the request may do at most: `read` or `write`, by its method. */
  access: sql.placeholder('call.access'),
  /** The time at which the key is checked. All statements of a call have the same. */
  now: sql.placeholder('call.now'),
  /** A UUID for this try of the call: what it writes can be told from all other writes. */
  tryId: sql.placeholder('call.tryId'),
};

/** The values of these, by the names of their placeholders. No other placeholder has such a name. */
export type CallValues = Readonly<Record<`call.${keyof typeof perCall}`, string>>;

/** The placeholders of a statement, by their names. */
export type Params<N extends string> = Readonly<Record<N, Placeholder>>;

/** A statement with the values of its own placeholders. Its rows have the type `R`. */
export interface BoundStatement<R = unknown> {
  readonly text: string;
  /** Returns the parameters of the text, in order. */
  readonly parameters: (added: CallValues) => unknown[];
  /** The type of a row; there is no such value. */
  readonly row?: R;
}

/**
 * Declares a statement on the rows of the key's brand. drizzle takes 50 to 200 µs to build a query, so it is built once, on
 * first use, and only its values are bound for each request.
 *
 * Example: `const read = statement((p: Params<'id'>) => select({ title }).from(products).where(mine(products, eq(products.id,
 * p.id))))` is bound by `read({ id })`.
 * @param build builds the query. The type of its parameter has the names of its placeholders
 * @throws Error, on first use, if the query does not ask for the key of the request
 */
export function statement<Q extends SQLWrapper, N extends string = never>(
  build: (placeholders: Params<N>) => Q,
): (
  values: Readonly<Record<N, SqlValue>>,
) => BoundStatement<Q extends Query<infer R> ? R : unknown> {
  let compiled: ReturnType<typeof compile> | undefined;
  return (values) => {
    const { text, parameters } = (compiled ??= ofKey(compile(build(placeholders<N>()))));
    return { text, parameters: (added) => fillPlaceholders(parameters, { ...values, ...added }) };
  };
}

/** Any name has its placeholder. */
function placeholders<N extends string>(): Params<N> {
  const all: unknown = new Proxy({}, { get: (_, name) => sql.placeholder(String(name)) });
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return all as Params<N>;
}

/** SQL condition: a row of `api_keys` is the key of the request. */
export const isThisKey = eq(apiKeys.hash, perCall.keyHash);

/** A statement without this condition would reach every brand. */
function ofKey(compiled: ReturnType<typeof compile>): ReturnType<typeof compile> {
  const condition = compile(isThisKey).text.replace('?1', '?');
  if (compiled.text.includes(condition)) return compiled;
  throw new Error(`A statement does not ask for the key of the request: ${compiled.text}`);
}

/** Gives each parameter its number. */
class NumberingDialect extends SQLiteAsyncDialect {
  override escapeParam(index: number): string {
    return `?${index + 1}`;
  }
}

const dialect = new NumberingDialect();

/**
 * Returns a query as text, on one line, because D1 searches each line for a comment; and its parameters. A value that occurs
 * several times is one parameter: D1 allows 100.
 */
export function compile(query: SQLWrapper): { text: string; parameters: unknown[] } {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  const names = params.map((param) => (is(param, Placeholder) ? param.name : undefined));
  const kept = [...params.keys()].filter((index) => firstOf(index) === index);
  return {
    text: text
      .replace(/\?(\d+)/g, (_, number) => `?${kept.indexOf(firstOf(Number(number) - 1)) + 1}`)
      .replace(/\s+/g, ' ')
      .trim(),
    parameters: kept.map((index) => params[index]),
  };

  /** Returns the first parameter with the same name. */
  function firstOf(index: number): number {
    const name = names[index];
    return name === undefined ? index : names.indexOf(name);
  }
}

/** The name of the placeholder for the value of a field. No other placeholder has such a name. */
export type FieldName = `field.${string}`;

/** The placeholder for the value of a field, in a statement whose type has `FieldName`. */
export function fieldParam(field: string): Placeholder {
  return sql.placeholder(`field.${field}`);
}

/** Returns values by field name under the names of their placeholders. */
export function fieldValues(
  values: Readonly<Record<string, SqlValue>>,
): Readonly<Record<FieldName, SqlValue>> {
  const named: Record<FieldName, SqlValue> = {};
  for (const [field, value] of Object.entries(values)) named[`field.${field}`] = value;
  return named;
}

/** The most variants that are kept: more than clients use, and it bounds what an attacker can request. */
const MAX_MEMOIZED = 100;

/**
 * Keeps the statements that depend on what a request names, such as the columns of a PATCH.
 * @param make returns the statement for a variant
 */
export function memoize<K, S>(
  make: (variant: K) => S,
  keyOf: (variant: K) => string = String,
): (variant: K) => S {
  const made = new Map<string, S>();
  return (variant) => {
    const key = keyOf(variant);
    const found = made.get(key) ?? make(variant);
    if (made.size >= MAX_MEMOIZED && !made.has(key)) made.clear();
    made.set(key, found);
    return found;
  };
}

/**
 * A limit whose value SQLite cannot see when it plans: with a bare parameter it would compile the statement again for each
 * value. drizzle writes any SQL after LIMIT; only its type asks for a number or a placeholder.
 */
export function opaqueLimit(limit: Placeholder): Placeholder {
  const expression: unknown = sql`${limit} + 0`;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return expression as Placeholder;
}

/** SQL: the current time by the database's clock, so that times of change follow the order of the changes. */
export const databaseTime = sql<string>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** SQL: a time minus a period. */
export function timeBefore(
  time: SQL | Placeholder,
  period: `${number} ${'seconds' | 'hours' | 'days'}`,
): SQL<string> {
  return sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, ${sql.raw(`'-${period}'`)})`;
}
