import type { Column, SQL, Table } from 'drizzle-orm';
import { sql as drizzle } from 'drizzle-orm';

declare const placeholders: unique symbol;

/**
 * SQL whose text contains the placeholders `N`. The type carries their names up to `bind`, where the compiler demands a
 * value for each. It is drizzle's `SQL`, which has no such type.
 */
export type Sql<N extends string = never> = SQL & { readonly [placeholders]: N };

/** What may stand in a template. `undefined` and `false` are left out. */
type Part = Sql<string> | Column | Table | undefined | false;

type NamesIn<P> = P extends { readonly [placeholders]: infer N extends string } ? N : never;

/** Combines parts into SQL, as drizzle's `sql`. Values are not allowed: use placeholders. */
export function sql<const P extends readonly Part[]>(
  text: TemplateStringsArray,
  ...parts: P
): Sql<NamesIn<P[number]>> {
  return typed(drizzle(text, ...parts.map((part) => (part === false ? undefined : part))));
}

/** A value that each call provides by this name. */
export function placeholder<N extends string>(name: N): Sql<N> {
  return typed(drizzle`${drizzle.placeholder(name)}`);
}

/** The name of a table or a column, in quotes. */
export function identifier(name: string): Sql {
  return typed(drizzle`${drizzle.identifier(name)}`);
}

/** SQL text as it is. Never pass it what a client sent. */
export function raw(text: string | number): Sql {
  return typed(drizzle.raw(String(text)));
}

/**
 * A string of SQL.
 * @throws Error if it may need escapes
 */
export function literal(text: string): Sql {
  if (!/^[\w-]*$/.test(text)) throw new Error(`${text} cannot be written into SQL.`);
  return raw(`'${text}'`);
}

/** Joins parts by a separator, a comma by default. */
export function join<P extends Sql<string>>(
  parts: readonly P[],
  separator = ', ',
): Sql<NamesIn<P>> {
  return typed(drizzle.join([...parts], drizzle.raw(separator)));
}

/** The names exist in types only; the functions above derive them from the parts. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function typed<N extends string>(query: SQL): Sql<N> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return query as Sql<N>;
}
