import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

/** The maximum length of a parameter, in UTF-16 units. In UTF-8 it stays below D1's limit of 2 MB per value. */
const PARAMETER_LENGTH = 600_000;

/**
 * JSON texts packed into parameters. D1 allows 100 parameters per statement, so each holds many items as a JSON array.
 */
export interface ItemParameters {
  readonly count: number;
  readonly values: Readonly<Record<string, string>>;
}

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
  const values = Object.fromEntries(
    parameters.map((items, index) => [nameOf(index), `[${items.join()}]`]),
  );
  return { count: parameters.length, values };
}

/**
 * Returns the items of `count` parameters, in order, as a table expression with the column `value`, for use after
 * `from`.
 *
 * The parameters are rows of `values`: D1 allows only five terms in a `union all`.
 * @param guard a condition; if it is false, no items are read
 */
export function itemsIn(count: number, guard?: SQL): SQL {
  const listIn = (items: SQL): SQL =>
    guard ? sql`json_each(iif(${guard}, ${items}, '[]'))` : sql`json_each(${items})`;
  const [first = sql``, ...others] = Array.from(
    { length: count },
    (_, index) => sql`${sql.placeholder(nameOf(index))}`,
  );
  if (others.length === 0) return listIn(first);
  const rows = sql.join([first, ...others], sql`), (`);
  return sql`(select value from (values (${rows})) as part cross join ${listIn(sql`part.column1`)})`;
}

function nameOf(index: number): string {
  return `items${index}`;
}
