import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';
import { databaseTime } from './statement.ts';
import { WRITE_TIME } from './write-time.ts';

/**
 * Fields that follow another one, unless a request names them. A creation sets them by whether it has a value; so does a
 * change that gives it its first value, or takes the value away. That is no difference of its own, because the field that
 * they follow differs.
 */
export interface FollowerFields {
  /** The field that they follow. */
  readonly field: string;
  /** What they are if it has a value, as their columns store it. */
  readonly ifSet: Readonly<Record<string, SqlValue>>;
  /** What the same fields are if it is null. */
  readonly ifNull: Readonly<Record<string, SqlValue>>;
}

/**
 * SQL: the new value of a field that follows.
 * @param own its value before the change
 * @param before the value of the field that it follows, before the change and after it
 */
export function followedValue(
  { ifSet, ifNull }: FollowerFields,
  field: string,
  own: SQLWrapper,
  before: SQLWrapper,
  after: SQLWrapper | Placeholder,
): SQL {
  const atCreation = sql`iif(${after} is null, ${constant(ifNull[field])}, ${constant(ifSet[field])})`;
  return sql`iif((${before} is null) = (${after} is null), ${own}, ${atCreation})`;
}

function constant(value: SqlValue = null): SQL {
  return value === WRITE_TIME ? databaseTime : sql`${value}`;
}
