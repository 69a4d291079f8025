import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';

// The time of a write is known in the database alone, so a default that is this time travels as a text that is no time.

/** In a column of times, the value that stands for the time of the write. */
export const WRITE_TIME = 'now';

/** SQL: a value, or the time of the write if it stands for that. */
export function orWriteTime(value: SQL, time: SQL): SQL {
  return sql`iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${time}, ${value})`;
}

/** Returns a row as a write at this time stores it: the answer to a creation is made without reading the rows. */
export function atWriteTime(row: object, fields: readonly string[], time: string): object {
  const stamped = fields.filter((field) => Reflect.get(row, field) === WRITE_TIME);
  return { ...row, ...Object.fromEntries(stamped.map((field) => [field, time])) };
}
