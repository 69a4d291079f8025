import type { Column, Placeholder, SQLWrapper, SQL } from 'drizzle-orm';
import { fillPlaceholders, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';

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
  keyHash: sql.placeholder('keyHash'),
  /** The time at which the key is checked. All statements of a call have the same. */
  now: sql.placeholder('now'),
  /** A UUID for this try of the call: what it writes can be told from all other writes. */
  tryId: sql.placeholder('tryId'),
};

/** SQL: whether this call wrote the row, by the column that takes the `tryId` of the call that does. */
export function isOfThisCall(column: Column): SQL<number> {
  return sql`${column} = ${perCall.tryId}`;
}

/** A statement with the values of its own placeholders. Its rows have the type `R`. */
export interface BoundStatement<R = unknown> {
  readonly text: string;
  /** Returns the parameters of the text, in order. */
  readonly parameters: (added: Readonly<Record<keyof typeof perCall, string>>) => unknown[];
  /** The type of a row; there is no such value. */
  readonly row?: R;
}

/**
 * Declares a statement. drizzle takes 50 to 200 µs to build a query, so it is built once, on first use, and only its
 * values are bound for each request.
 *
 * Example: `const read = statement(['id'], (p) => select({ title }).from(products).where(eq(products.id, p.id)))` is
 * bound by `read({ id })`.
 * @param names the names of its placeholders
 * @param build builds the query, with a placeholder for each name
 */
export function statement<const N extends string, Q extends SQLWrapper>(
  names: readonly N[],
  build: (placeholders: Readonly<Record<N, Placeholder>>) => Q,
): (
  values: Readonly<Record<N, SqlValue>>,
) => BoundStatement<Q extends Query<infer R> ? R : unknown> {
  let compiled: ReturnType<typeof compile> | undefined;
  return (values) => {
    const { text, parameters } = (compiled ??= compile(build(placeholdersOf(names))));
    return { text, parameters: (added) => fillPlaceholders(parameters, { ...values, ...added }) };
  };
}

/** The entries are the names: `fromEntries` has no such type. */
function placeholdersOf<N extends string>(names: readonly N[]): Readonly<Record<N, Placeholder>> {
  const entries: unknown = Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]));
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return entries as Readonly<Record<N, Placeholder>>;
}

const dialect = new SQLiteAsyncDialect();

/** Returns a query as text, on one line, because D1 searches each line for a comment; and its parameters. */
export function compile(query: SQLWrapper): { text: string; parameters: unknown[] } {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  return { text: text.replace(/\s+/g, ' ').trim(), parameters: params };
}

/** The name of the placeholder for the value of a field. No other placeholder has such a name. */
export function placeholderOf(field: string): FieldPlaceholder {
  return `field.${field}`;
}
type FieldPlaceholder = `field.${string}`;

/** Returns values by field name under the names of their placeholders. */
export function fieldValues(
  values: Readonly<Record<string, SqlValue>>,
): Readonly<Record<FieldPlaceholder, SqlValue>> {
  const named: Record<FieldPlaceholder, SqlValue> = {};
  for (const [field, value] of Object.entries(values)) named[placeholderOf(field)] = value;
  return named;
}

/** The most variants of a statement that are kept: far more than clients use, and it bounds what an attacker can request. */
const MAX_MEMOIZED = 200;

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
