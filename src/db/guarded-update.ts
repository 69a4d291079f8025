import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { BoundStatement, SqlValue, Statement } from './statement.ts';
import { now, statement } from './statement.ts';

/** Bound to a time column, it stands for the time of the write. */
export const WRITE_TIME = 'now';

/** A table whose rows carry a revision: a fresh UUID with each change. */
export type RevisedTable = SQLiteTable & {
  readonly revision: Column;
  readonly updatedAt: Column;
};

/** What an UPDATE goes to and what it must not do. */
export interface UpdateTarget {
  readonly table: RevisedTable;
  /** Holds for the one row to change. */
  readonly row: SQL;
  /** Holds where the new values would collide with another row, for a change of these columns. */
  readonly collision?: { readonly column: Column; readonly exists: SQL };
  /** Columns whose default is the time of the write. */
  readonly stamped?: readonly Column[];
}

/** The revision that an UPDATE gives the row, and the one it must find there; null stands for any. */
export interface RevisionChange {
  readonly to: string;
  readonly from: string | null;
}

/** A revision that no row ever had. */
export function newRevision(): string {
  return crypto.randomUUID();
}

const STATEMENTS_KEPT = 200;

/**
 * Makes the UPDATEs of a table. Each touches its row only where something would really change, where the row still has
 * the revision that the client last saw, and where no other row is in the way, so that the row read in the same
 * transaction tells what happened: it has the new revision, or nothing was to be done, or it says what was amiss.
 *
 * The new revision is made by the caller, once: a repeat after a lost acknowledgement finds it in place and changes nothing.
 */
export function guardedUpdates(
  target: UpdateTarget,
): (
  changes: Readonly<Record<string, SqlValue>>,
  revision: RevisionChange,
  values: Readonly<Record<string, SqlValue>>,
) => BoundStatement[] {
  // The text depends on the columns alone: a client that patches prices sends one text again and again.
  const statements = new Map<string, Statement>();
  return (changes, { to, from }, values) => {
    const names = Object.keys(changes);
    if (names.length === 0) return [];
    const key = names.join();
    const made = statements.get(key) ?? guardedUpdate(target, names);
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    statements.set(key, made);
    return [
      { statement: made, values: { ...values, ...changes, newRevision: to, oldRevision: from } },
    ];
  };
}

function guardedUpdate(target: UpdateTarget, names: readonly string[]): Statement {
  const { table, row, collision, stamped = [] } = target;
  const stampedNames = new Set(stamped.map(({ name }) => name));
  const columns = names.map((name) => {
    const [column, value] = [sql.identifier(name), sql.placeholder(name)];
    return stampedNames.has(name)
      ? {
          assignment: sql`${column} = iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${now}, ${value})`,
          // A time that only the default would renew is no change.
          difference: sql`iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${column} is null, ${column} is not ${value})`,
        }
      : { assignment: sql`${column} = ${value}`, difference: sql`${column} is not ${value}` };
  });
  const assignments = sql.join(
    columns.map(({ assignment }) => assignment),
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
  const [newRevision, oldRevision] = [
    sql.placeholder('newRevision'),
    sql.placeholder('oldRevision'),
  ];
  return statement(sql`
    update ${table}
    set ${assignments}, ${sql.identifier(table.revision.name)} = ${newRevision}, ${sql.identifier(table.updatedAt.name)} = ${now}
    where ${row} and (${oldRevision} is null or ${table.revision} = ${oldRevision}) and (${differences}) ${free}`);
}
