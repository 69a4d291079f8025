import type { Sql } from './sql.ts';
import { join, placeholder, sql } from './sql.ts';
import type { ValuesFor } from './statement.ts';

/** The maximum length of a parameter, in UTF-16 units. In UTF-8 it stays below D1's limit of 2 MB per value. */
const PARAMETER_LENGTH = 600_000;

/**
 * JSON texts packed into parameters. D1 allows 100 parameters per statement, so each holds many items as a JSON array.
 */
export interface ItemParameters {
  readonly count: number;
  readonly values: ValuesFor<ItemParameter>;
}

/** The name of a parameter that holds items. */
export type ItemParameter = `items.${number}`;

/** Packs JSON texts into as few parameters as possible. Each text must fit into one parameter. */
export function packItems(texts: readonly string[]): ItemParameters {
  const parameters: string[][] = [[]];
  let length = 0;
  for (const text of texts) {
    length += text.length;
    if (length > PARAMETER_LENGTH) {
      parameters.push([]);
      length = text.length;
    }
    parameters.at(-1)?.push(text);
  }
  const values: Record<ItemParameter, string> = {};
  for (const [index, items] of parameters.entries()) values[`items.${index}`] = `[${items.join()}]`;
  return { count: parameters.length, values };
}

/**
 * Returns the items of `count` parameters, in order, as a table expression with the column `value`, for use after
 * `from`.
 *
 * The parameters are rows of `values`: D1 allows only five terms in a `union all`.
 * @param guard a condition; if it is false, no items are read
 */
export function itemsIn<N extends string = never>(
  count: number,
  guard?: Sql<N>,
): Sql<N | ItemParameter> {
  const listIn = <P extends string>(items: Sql<P>): Sql<N | P> =>
    guard ? sql`json_each(iif(${guard}, ${items}, '[]'))` : sql`json_each(${items})`;
  const all = Array.from({ length: count }, (_, index) => placeholder(`items.${index}`));
  const [first] = all;
  if (first && count === 1) return listIn(first);
  return sql`(select value from (values (${join(all, '), (')})) as part cross join ${listIn(sql`part.column1`)})`;
}
