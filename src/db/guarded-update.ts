import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PreconditionFailed } from '../errors.ts';
import type { Precondition } from './precondition.ts';
import { meetsPrecondition, preconditionInSql, preconditionValues } from './precondition.ts';
import type { BoundStatement, SqlValue, Statement } from './statement.ts';
import { now, statement } from './statement.ts';
import { statementCache } from './statement-cache.ts';

/** Bound to a time column, it stands for the time of the write. */
export const WRITE_TIME = 'now';

const NEW_REVISION = 'newRevision';

/** The revision that the change of this call gives its row. */
export const newRevisionOfChange = sql.placeholder(NEW_REVISION);

/** A table whose rows carry a revision: a fresh UUID with each change. */
export type RevisedTable = SQLiteTable & {
  readonly revision: Column;
  readonly updatedAt: Column;
};

/** What an UPDATE goes to and what it must not do. */
export interface UpdateTarget {
  readonly table: RevisedTable;
  /** Further columns that every change sets, by name. */
  readonly assign?: Readonly<Record<string, SQL>>;
  /** Holds for the one row to change. */
  readonly row: SQL;
  /** Holds where the new values would collide with another row, for a change of these columns. */
  readonly collision?: { readonly column: Column; readonly exists: SQL };
  /** Columns whose default is the time of the write. */
  readonly stamped?: readonly Column[];
}

/** A revision that no row ever had. */
export function newRevision(): string {
  return crypto.randomUUID();
}

/** A change to one row. */
export interface Change {
  /** The new values by column name. */
  readonly changes: Readonly<Record<string, SqlValue>>;
  /** The revision that the row will have. */
  readonly revision: string;
  readonly precondition: Precondition;
  /** The values for the target's own placeholders. */
  readonly values: Readonly<Record<string, SqlValue>>;
}

/**
 * Makes the UPDATEs of a table. Each touches its row only where something would really change, where the row meets the
 * precondition, and where no other row is in the way. The row read afterwards, in the same transaction, shows whether the
 * update was applied, rejected, or a no-op.
 *
 * The new revision is made by the caller, once: a repeat after a lost acknowledgement finds it in place and changes nothing.
 * @returns the statement for a change; none for one that names nothing
 */
export function guardedUpdates(target: UpdateTarget): (change: Change) => BoundStatement[] {
  const statements = statementCache((names) => guardedUpdate(target, names));
  return ({ changes, revision, precondition, values }) => {
    const names = Object.keys(changes);
    if (names.length === 0) return [];
    return [
      {
        statement: statements(names),
        values: {
          ...values,
          ...changes,
          ...preconditionValues(precondition),
          [NEW_REVISION]: revision,
        },
      },
    ];
  };
}

function guardedUpdate(target: UpdateTarget, names: readonly string[]): Statement {
  const { table, row, assign = {}, collision, stamped = [] } = target;
  const stampedNames = new Set(stamped.map(({ name }) => name));
  const columns = names.map((name) => {
    const [column, value] = [sql.identifier(name), sql.placeholder(name)];
    return stampedNames.has(name)
      ? {
          assignment: sql`${column} = iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${now}, ${value})`,
          // A time that only the default would renew is no change.
          difference: sql`iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${column} is null, ${column} is not ${value})`,
        }
      : // Binary: a code written in another case is another text, whatever the column's own collation.
        {
          assignment: sql`${column} = ${value}`,
          difference: sql`${column} is not ${value} collate binary`,
        };
  });
  const assignments = sql.join(
    [
      ...columns.map(({ assignment }) => assignment),
      ...Object.entries(assign).map(([name, value]) => sql`${sql.identifier(name)} = ${value}`),
    ],
    sql`, `,
  );
  const differences = sql.join(
    columns.map(({ difference }) => difference),
    sql` or `,
  );
  const free =
    collision && names.includes(collision.column.name)
      ? sql`and not exists (${collision.exists})`
      : sql``;
  return statement(sql`
    update ${table}
    set ${assignments}, ${sql.identifier(table.revision.name)} = ${sql.placeholder(NEW_REVISION)}, ${sql.identifier(table.updatedAt.name)} = ${now}
    where ${row} and ${preconditionInSql(table.revision)} and (${differences}) ${free}`);
}

/**
 * Reads off the row's revision, as it is after the UPDATE and in the same transaction, whether the precondition kept it from happening.
 * @throws PreconditionFailed
 */
export function assertPrecondition(found: string, { revision, precondition }: Change): void {
  if (found !== revision && !meetsPrecondition(precondition, found)) throw new PreconditionFailed();
}
