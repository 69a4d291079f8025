import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Columns } from './columns.ts';

// What is shown of a row is made JSON by SQLite, and passes through the Worker as the text that it is: to take it apart
// into objects there, and to put it together again, cost a complete list a sixth of its CPU.

/** The columns of a row as the text of a JSON object, under the names of their fields and in their order. */
export function jsonOfColumns(columns: Columns): SQL {
  return jsonObject(
    Object.fromEntries(
      Object.entries(columns).map(([field, column]) => [field, jsonValue(column)]),
    ),
  );
}

/** D1 promises a function 32 arguments (its limits page); a member is two. */
const MEMBERS = 16;

/** The text of a JSON object with these members. Where they are more than 16, none may be an object itself. */
export function jsonObject(members: Readonly<Record<string, SQL>>): SQL {
  const named = Object.entries(members).map(([key, value]) => sql`${name(key)}, ${value}`);
  const objects: SQL[] = [];
  for (let first = 0; first < named.length; first += MEMBERS) {
    objects.push(sql`json_object(${sql.join(named.slice(first, first + MEMBERS), sql`, `)})`);
  }
  // Bracketed so that the first part, most often the longer, is copied once less.
  return objects.reduce((one, other) => sql`rtrim(${one}, '}') || (',' || ltrim(${other}, '{'))`);
}

function name(key: string): SQL {
  if (!/^\w+$/.test(key)) throw new Error(`${key} cannot be written into SQL.`);
  return sql.raw(`'${key}'`);
}

function jsonValue(column: Column): SQL {
  switch (column.columnType) {
    case 'SQLiteBoolean':
      return sql`json(case ${column} when 1 then 'true' when 0 then 'false' else 'null' end)`;
    case 'SQLiteTextJson':
      return sql`json(${column})`;
    case 'SQLiteReal':
      // A whole number without the decimal point that SQLite gives a REAL, as JavaScript writes it.
      return sql`iif(${column} = cast(${column} as integer), cast(${column} as integer), ${column})`;
    default:
      return sql`${column}`;
  }
}
