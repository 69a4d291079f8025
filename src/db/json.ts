import type { Column } from 'drizzle-orm';
import type { Columns } from './columns.ts';
import type { Sql } from './sql.ts';
import { join, literal, sql } from './sql.ts';

// SQLite builds the JSON of a row, and the Worker passes the text through. Parsing it into objects and serializing them
// again cost a complete list a sixth of its CPU time.

/** SQL: the text of a JSON object with these columns, by field name and in their order. */
export function jsonOfColumns(columns: Columns): Sql {
  return jsonObject(
    Object.fromEntries(
      Object.entries(columns).map(([field, column]) => [field, jsonValue(column)]),
    ),
  );
}

/** D1 allows 32 arguments per function (its limits page); each member takes two. */
const MEMBERS = 16;

/** SQL: the text of a JSON object with these members. If there are more than 16, none may be an object itself. */
export function jsonObject(members: Readonly<Record<string, Sql>>): Sql {
  const named = Object.entries(members).map(([key, value]) => sql`${literal(key)}, ${value}`);
  const objects: Sql[] = [];
  for (let first = 0; first < named.length; first += MEMBERS) {
    objects.push(sql`json_object(${join(named.slice(first, first + MEMBERS))})`);
  }
  // Grouped so that the first part, usually the longest, is copied once less.
  return objects.reduce((one, other) => sql`rtrim(${one}, '}') || (',' || ltrim(${other}, '{'))`);
}

function jsonValue(column: Column): Sql {
  switch (column.columnType) {
    case 'SQLiteBoolean':
      return sql`json(case ${column} when 1 then 'true' when 0 then 'false' else 'null' end)`;
    case 'SQLiteTextJson':
      return sql`json(${column})`;
    case 'SQLiteReal':
      // Writes a whole number without a decimal point, as JavaScript does. SQLite writes REAL values with one.
      return sql`iif(${column} = cast(${column} as integer), cast(${column} as integer), ${column})`;
    default:
      return sql`${column}`;
  }
}
