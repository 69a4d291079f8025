import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

/** UTF-16 units in one parameter: in UTF-8 no more than D1's 2 MB for a value. */
const PARAMETER_LENGTH = 600_000;

/** JSON texts packed into parameters: D1 takes 100 parameters a statement, and many items go into one as a JSON array. */
export interface ItemParameters {
  readonly count: number;
  readonly values: Readonly<Record<string, string>>;
}

/** Packs JSON texts, each shorter than a parameter may be, into as few parameters as will hold them. */
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
 * The items of so many parameters, in order, as a table with the column `value`, to stand after `from`.
 * @param guard none are read unless it holds
 */
export function itemsIn(count: number, guard?: SQL): SQL {
  const sources = Array.from({ length: count }, (_, index) => {
    const items = sql.placeholder(nameOf(index));
    return guard ? sql`json_each(iif(${guard}, ${items}, '[]'))` : sql`json_each(${items})`;
  });
  const [only] = sources;
  if (sources.length === 1 && only) return only;
  return sql`(${sql.join(
    sources.map((source) => sql`select value from ${source}`),
    sql` union all `,
  )})`;
}

function nameOf(index: number): string {
  return `items${index}`;
}
