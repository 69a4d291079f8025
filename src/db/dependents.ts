import type { SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';
import { databaseTime } from './statement.ts';

/**
 * Fields that depend on another one, unless a request names them. A creation sets them by whether it has a value; so does a
 * change that gives it its first value, or takes the value away. That is no difference of its own, because the field on which
 * they depend differs.
 */
export interface Dependents {
  /** The field on which they depend. */
  readonly on: string;
  /**
   * Returns what they are if it has a value, as their columns store it.
   * @param time the time of the write, which is SQL until the database has told it
   */
  readonly ifSet: <T>(time: T) => Readonly<Record<string, SqlValue | T>>;
  /** What the same fields are if it is null. */
  readonly ifNull: Readonly<Record<string, SqlValue>>;
}

/** Returns the dependent fields in a resource that is created with this value of the field on which they depend. */
export function createdDependents(
  { ifSet, ifNull }: Dependents,
  value: SqlValue | undefined,
  time: string,
): Readonly<Record<string, SqlValue>> {
  return value == null ? ifNull : ifSet(time);
}

/**
 * SQL: the value of a dependent field in a new resource.
 * @param value that of the field on which it depends
 */
export function dependentAtCreation(
  { ifSet, ifNull }: Dependents,
  field: string,
  value: SQLWrapper,
  time: SQL = databaseTime,
): SQL {
  return sql`iif(${value} is null, ${ifNull[field]}, ${ifSet(time)[field]})`;
}

/**
 * SQL: the value of a dependent field after a change.
 * @param own its value before the change
 * @param before the value of the field on which it depends, before the change and after it
 */
export function dependentAfterChange(
  dependents: Dependents,
  field: string,
  own: SQLWrapper,
  before: SQLWrapper,
  after: SQLWrapper,
): SQL {
  const atCreation = dependentAtCreation(dependents, field, after);
  return sql`iif((${before} is null) = (${after} is null), ${own}, ${atCreation})`;
}
