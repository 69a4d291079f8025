import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PreconditionFailed } from '../errors.ts';
import type { Results } from './brand-session.ts';
import type { Precondition } from './precondition.ts';
import { meetsPrecondition, preconditionInSql, preconditionValues } from './precondition.ts';
import { revisionOfTry } from './revision.ts';
import type { BoundStatement, SqlValue, Statement } from './statement.ts';
import { now, statement } from './statement.ts';
import { statementCache } from './statement-cache.ts';

/** Bound to a time column, this value stands for the time of the write. */
export const WRITE_TIME = 'now';

const REVISION_STEM = 'stem';

/** SQL condition: this change, or an earlier try of it, has given the row its revision. */
export function hasNewRevision(revision: Column): SQL {
  return sql`instr(${revision}, ${sql.placeholder(REVISION_STEM)})`;
}

/** A table whose rows have a revision: a new UUID with each change. */
export type RevisedTable = SQLiteTable & {
  readonly revision: Column;
  readonly updatedAt: Column;
};

/** The target of an UPDATE and its conditions. */
export interface UpdateTarget {
  readonly table: RevisedTable;
  /** Further columns that every change sets, by name. */
  readonly assign?: Readonly<Record<string, SQL>>;
  /** The condition for the one row to change. */
  readonly row: SQL;
  /** The condition under which a change of this column collides with another row. */
  readonly collision?: { readonly column: Column; readonly exists: SQL };
  /** The columns whose default is the time of the write. */
  readonly stamped?: readonly Column[];
}

/** A change to one row. */
export interface Change {
  /** The new values by column name. */
  readonly newValues: Readonly<Record<string, SqlValue>>;
  /** What the revision that the row will have begins with. */
  readonly stem: string;
  readonly precondition: Precondition;
  /** The values of the target's own placeholders. */
  readonly values: Readonly<Record<string, SqlValue>>;
}

/**
 * Returns a function that builds the UPDATE for a change. The UPDATE changes its row only if a value differs, the
 * precondition is met, and no other row collides. The row read afterwards, in the same transaction, shows whether the
 * update was applied, rejected, or a no-op.
 *
 * The caller generates the stem of the new revision once, so a retry after a lost acknowledgement finds it in the
 * row.
 * @returns a function from a change to its statement; no statement if the change sets no column
 */
export function guardedUpdates(target: UpdateTarget): (change: Change) => BoundStatement[] {
  const statements = statementCache((names) => guardedUpdate(target, names));
  return ({ newValues, stem, precondition, values }) => {
    const names = Object.keys(newValues);
    if (names.length === 0) return [];
    return [
      {
        statement: statements(names),
        values: {
          ...values,
          ...newValues,
          ...preconditionValues(precondition),
          [REVISION_STEM]: stem,
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
          // A default time does not count as a change, unless the stored value is null.
          difference: sql`iif(${value} = ${sql.raw(`'${WRITE_TIME}'`)}, ${column} is null, ${column} is not ${value})`,
        }
      : // Binary collation: a code in another case counts as a change, whatever the column's collation.
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
    set ${assignments}, ${sql.identifier(table.revision.name)} = ${revisionOfTry(sql.placeholder(REVISION_STEM))}, ${sql.identifier(table.updatedAt.name)} = ${now}
    where ${row} and ${preconditionInSql(table.revision)} and (${differences}) ${free}`);
}

/**
 * Checks by the row's revision after the UPDATE, read in the same transaction, whether the precondition rejected the
 * change.
 * @throws PreconditionFailed, as `refusal` returns it
 */
export function assertPrecondition(
  found: string,
  { stem, precondition }: Change,
  refusal: Results['refusal'],
): void {
  if (found.startsWith(stem) || meetsPrecondition(precondition, found)) return;
  throw refusal(new PreconditionFailed());
}
