import type { Table } from 'drizzle-orm';
import { Column, getTableName, is } from 'drizzle-orm';

declare const placeholders: unique symbol;

/**
 * SQL whose text contains the placeholders `N`. The type carries their names up to `bind`, where the compiler demands a
 * value for each. drizzle's `sql` has no such type, and takes twice as long to build a text.
 */
export interface Sql<N extends string = never> {
  /** The text in pieces, between which the names of placeholders stand. */
  readonly chunks: readonly (string | { readonly name: string })[];
  readonly [placeholders]?: N;
}

/** What may stand in a template. `undefined` and `false` are left out. */
type Part = Sql<string> | Column | Table | undefined | false;

type NamesIn<P> = P extends Sql<infer N> ? N : never;

/** Combines parts into SQL. Values are not allowed: use placeholders. */
export function sql<const P extends readonly Part[]>(
  text: TemplateStringsArray,
  ...parts: P
): Sql<NamesIn<P[number]>> {
  return { chunks: text.flatMap((piece, index) => [piece, ...chunksOf(parts[index])]) };
}

function chunksOf(part: Part): Sql['chunks'] {
  if (!part) return [];
  if ('chunks' in part) return part.chunks;
  if (is(part, Column)) return [quoted(getTableName(part.table)), '.', quoted(part.name)];
  return [quoted(getTableName(part))];
}

/** A value that each call provides by this name. */
export function placeholder<N extends string>(name: N): Sql<N> {
  return { chunks: [{ name }] };
}

/** The name of a table or a column, quoted. */
export function identifier(name: string): Sql {
  return raw(quoted(name));
}

/** SQL text as it is. Never pass it what a client sent. */
export function raw(text: string | number): Sql {
  return { chunks: [String(text)] };
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
  return {
    chunks: parts.flatMap(({ chunks }, index) => (index === 0 ? chunks : [separator, ...chunks])),
  };
}

/** Quotes a name as MySQL does: D1 takes a statement as JSON, which has no escape for this character. */
function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
