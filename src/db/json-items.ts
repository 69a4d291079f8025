import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Params, SqlValue } from './statement.ts';

/** The maximum length of a parameter, in UTF-16 units. In UTF-8 it stays below D1's limit of 2 MB per value. */
const PARAMETER_LENGTH = 600_000;

/** The name of a parameter that holds items. */
export type ItemParameter = `items.${number}`;

/**
 * Packs JSON texts into as few parameters as possible, each a JSON array: D1 allows 100 parameters per statement. Each
 * text must fit into one.
 */
export function packItems(texts: readonly string[]): {
  readonly count: number;
  readonly values: Readonly<Record<ItemParameter, SqlValue>>;
} {
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
 * Returns the items of all parameters, in order, as a table expression with the column `value`, for use after `from`.
 *
 * The parameters are rows of `values`: D1 allows only five terms in a `union all`.
 * @param count the number of parameters
 * @param guard a condition; if it is false, no items are read
 */
export function itemsIn(parameters: Params<ItemParameter>, count: number, guard = sql`true`): SQL {
  const rows = Array.from({ length: count }, (_, index) => sql`(${parameters[`items.${index}`]})`);
  return sql`(select each.value from (values ${sql.join(rows, sql`, `)}) as part cross join json_each(iif(${guard}, part.column1, '[]')) as each)`;
}
