import type { Column } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PreconditionFailed } from '../errors.ts';
import { cached } from '../lazy.ts';
import type { Results } from './brand-session.ts';
import type { Precondition } from './precondition.ts';
import { meetsPrecondition, preconditionInSql, preconditionValues } from './precondition.ts';
import type { Sql } from './sql.ts';
import { identifier, join, literal, placeholder, sql } from './sql.ts';
import type { BoundStatement, SqlValue, Statement, ValuesFor } from './statement.ts';
import { now, statement, thisTry } from './statement.ts';

/** Bound to a time column, this value stands for the time of the write. */
export const WRITE_TIME = 'now';

/** SQL: a value, or the time if it stands for the time of the write. */
export function orWriteTime<N extends string, T extends string>(
  value: Sql<N>,
  time: Sql<T>,
): Sql<N | T> {
  return sql`iif(${value} = ${literal(WRITE_TIME)}, ${time}, ${value})`;
}

/** A table whose rows have a revision: a new UUID with each change. */
export type RevisedTable = SQLiteTable & {
  readonly revision: Column;
  readonly updatedAt: Column;
};

/** The target of an UPDATE and its conditions. */
interface UpdateTarget<N extends string> {
  readonly table: RevisedTable;
  /** Further columns that every change sets, by name. */
  readonly assign?: Readonly<Record<string, Sql<N>>>;
  /** The condition for the one row to change. */
  readonly row: Sql<N>;
  /** The condition under which a change of this column collides with another row. */
  readonly collision?: { readonly column: Column; readonly exists: Sql<N> };
  /** The columns whose default is the time of the write. */
  readonly stamped?: readonly Column[];
}

/** A change to one row. */
interface RowChange<N extends string> {
  /** The new values by column name. */
  readonly newValues: Readonly<Record<string, SqlValue>>;
  /** What the revision that the row will have begins with, from `newStem`. */
  readonly stem: string;
  readonly precondition: Precondition;
  /** The values of the target's own placeholders. */
  readonly values: ValuesFor<N>;
}

/** The placeholder for the new value of a column. */
type NewValue = `new.${string}`;

/** SQL: the new value of a column. */
export function newValue(column: string): Sql<NewValue> {
  return placeholder(`new.${column}`);
}

/**
 * Returns a function that builds the UPDATE for a change. The UPDATE changes its row only if a value differs, the
 * precondition is met, and no other row collides. The row read afterwards, in the same transaction, shows whether the
 * update was applied, rejected, or a no-op.
 *
 * The caller generates the stem of the new revision once, so a retry after a lost acknowledgement finds it in the
 * row.
 *
 * Example: with `row: sql`${brands.id} = ${writableBrand}`` and the new values `{ website: null }`, the UPDATE sets
 * `website`, `revision` and `updated_at` of the key's brand, `where website is not null`.
 * @returns a function from a change to its statement; no statement if the change sets no column
 */
export function guardedUpdates<N extends string>(
  target: UpdateTarget<N>,
): (change: RowChange<N>) => BoundStatement[] {
  const statements = cached((names: readonly string[]) => guardedUpdate(target, names));
  return ({ newValues, stem, precondition, values }) => {
    const names = Object.keys(newValues);
    if (names.length === 0) return [];
    const named: Record<NewValue, SqlValue> = {};
    for (const [name, value] of Object.entries(newValues)) named[`new.${name}`] = value;
    return [
      {
        statement: statements(names),
        values: { ...values, ...named, ...preconditionValues(precondition), stem },
      },
    ];
  };
}

function guardedUpdate<N extends string>(
  target: UpdateTarget<N>,
  names: readonly string[],
): Statement<N | NewValue | keyof Precondition | 'thisTry'> {
  const { table, row, assign = {}, collision, stamped = [] } = target;
  const stampedNames = new Set(stamped.map(({ name }) => name));
  const columns = names.map((name) => {
    const [column, value] = [identifier(name), newValue(name)];
    return stampedNames.has(name)
      ? {
          assignment: sql`${column} = ${orWriteTime(value, now)}`,
          // A default time does not count as a change, unless the stored value is null.
          difference: sql`iif(${value} = ${literal(WRITE_TIME)}, ${column} is null, ${column} is not ${value})`,
        }
      : // Binary collation: a code in another case counts as a change, whatever the column's collation.
        {
          assignment: sql`${column} = ${value}`,
          difference: sql`${column} is not ${value} collate binary`,
        };
  });
  const assignments = join([
    ...columns.map(({ assignment }) => assignment),
    ...Object.entries<Sql<N>>(assign).map(([name, value]) => sql`${identifier(name)} = ${value}`),
  ]);
  const differences = join(
    columns.map(({ difference }) => difference),
    ' or ',
  );
  const free =
    collision && names.includes(collision.column.name)
      ? sql`and not exists (${collision.exists})`
      : undefined;
  return statement(sql`
    update ${table}
    set ${assignments}, ${identifier(table.revision.name)} = ${thisTry}, ${identifier(table.updatedAt.name)} = ${now}
    where ${row} and ${preconditionInSql(table.revision)} and (${differences}) ${free}`);
}

/**
 * Checks by the row's revision after the UPDATE, read in the same transaction, whether the precondition rejected the
 * change.
 * @throws PreconditionFailed, as `unlessRetried` returns it
 */
export function assertPrecondition(
  found: string,
  { stem, precondition }: { readonly stem: string; readonly precondition: Precondition },
  unlessRetried: Results['unlessRetried'],
): void {
  if (found.startsWith(stem) || meetsPrecondition(precondition, found)) return;
  throw unlessRetried(new PreconditionFailed());
}
