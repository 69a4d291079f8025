import type { Placeholder, SQL } from 'drizzle-orm';
import { and, or, sql } from 'drizzle-orm';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PreconditionFailed } from '../errors.ts';
import type { Columns } from './columns.ts';
import { keyOf, requireEntry } from './columns.ts';
import type { OwnRows } from './key.ts';
import type { Precondition } from './precondition.ts';
import {
  includes,
  preconditionHolds,
  preconditionNames,
  preconditionValues,
} from './precondition.ts';
import type { BoundStatement, SqlValue, Statement } from './statement.ts';
import { databaseTime, db, session, statement, variants } from './statement.ts';

/** Bound to a time column, this value stands for the time of the write. */
export const WRITE_TIME = 'now';

/**
 * SQL: a value, or the time if it stands for the time of the write.
 * @param time the time of the write, as an SQL value
 */
export function orWriteTime(value: Placeholder | SQL, time: SQL): SQL {
  return sql`iif(${value} = 'now', ${time}, ${value})`;
}

/** A table whose rows have a revision: a new UUID with each change. */
export type RevisedTable = SQLiteTable & {
  readonly revision: SQLiteColumn;
  readonly updatedAt: SQLiteColumn;
};

/** The target of an UPDATE and its conditions. */
interface UpdateTarget {
  readonly table: RevisedTable;
  /** The columns that a change may set, by field name. */
  readonly columns: Columns;
  /** The fields whose default is the time of the write. */
  readonly stamped?: ReadonlySet<string>;
  /** Further values that every change sets, by the names of `table`. */
  readonly assign?: Readonly<Record<string, SQL>>;
  /** The condition for the one row to change. */
  readonly row: (id: Placeholder) => OwnRows<'write'>;
  /** The condition under which the new value of a field collides with another row. */
  readonly collision?: {
    readonly field: string;
    readonly exists: (value: Placeholder, id: Placeholder) => SQL;
  };
}

/** A change to one row. */
interface RowChange {
  /** The id of the row, if its condition needs one. */
  readonly id?: string;
  /** The new values by field name, as their columns store them. */
  readonly newValues: Readonly<Record<string, SqlValue>>;
  readonly precondition: Precondition;
}

/**
 * Returns a function that builds the UPDATE for a change. The UPDATE changes its row only if a value differs, the
 * precondition is met, and no other row collides. The row read afterwards, in the same transaction, shows whether the
 * update was applied, rejected, or a no-op: if it was applied, the row's revision is the `tryId` of the call.
 *
 * Example: for `brands` and the new values `{ website: null }`, the UPDATE sets `website`, `revision` and `updated_at` of
 * the key's brand, `where website is not null`.
 * @returns a function from a change to its statement; undefined if the change sets no field
 */
export function guardedUpdates(
  target: UpdateTarget,
): (change: RowChange) => BoundStatement | undefined {
  const updateOf = variants((fields: readonly string[]) => guardedUpdate(target, fields));
  return ({ id = null, newValues, precondition }) => {
    const entries = Object.entries(newValues);
    if (entries.length === 0) return undefined;
    return updateOf(Object.keys(newValues))({
      id,
      ...preconditionValues(precondition),
      ...Object.fromEntries(entries.map(([field, value]) => [newName(field), value])),
    });
  };
}

/** The name of the placeholder for the new value of a field. */
function newName(field: string): string {
  return `new.${field}`;
}

function guardedUpdate(
  { table, columns, stamped, assign, row, collision }: UpdateTarget,
  fields: readonly string[],
): Statement<string, unknown> {
  const names: string[] = ['id', ...preconditionNames, ...fields.map(newName)];
  return statement(names, (placeholders) => {
    const p = (name: string): Placeholder => requireEntry(placeholders, name);
    const set: Record<string, SQL> = {
      ...assign,
      revision: sql`${session.tryId}`,
      updatedAt: databaseTime,
    };
    const differences: SQL[] = [];
    for (const field of fields) {
      const column = requireEntry(columns, field);
      const value = p(newName(field));
      if (stamped?.has(field)) {
        set[keyOf(table, column)] = orWriteTime(value, databaseTime);
        // A default time does not count as a change, unless the stored value is null.
        differences.push(sql`iif(${value} = 'now', ${column} is null, ${column} is not ${value})`);
      } else {
        set[keyOf(table, column)] = sql`${value}`;
        // Binary collation: a code in another case counts as a change, whatever the column's collation.
        differences.push(sql`${column} is not ${value} collate binary`);
      }
    }
    const precondition = { ifMatch: p('ifMatch'), ifNoneMatch: p('ifNoneMatch') };
    const isFree =
      collision && fields.includes(collision.field)
        ? sql`not exists ${collision.exists(p(newName(collision.field)), p('id'))}`
        : undefined;
    return db
      .update(table)
      .set(set)
      .where(
        and(
          row(p('id')),
          preconditionHolds(table.revision, precondition),
          or(...differences),
          isFree,
        ),
      );
  });
}

/**
 * Checks by the row that is read after the UPDATE, in the same transaction, whether the precondition rejected the change.
 * @throws PreconditionFailed
 */
export function assertPrecondition(
  isApplied: boolean,
  revision: string,
  { ifMatch, ifNoneMatch }: Precondition,
): void {
  const holds = includes(ifMatch, revision) && !includes(ifNoneMatch, revision);
  if (!isApplied && !holds) throw new PreconditionFailed();
}
