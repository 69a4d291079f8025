import type { Placeholder, SQL } from 'drizzle-orm';
import { and, or, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { PreconditionFailed } from '../errors.ts';
import type { Columns, RequiredColumn } from './columns.ts';
import { requireEntry } from './columns.ts';
import type { FollowerFields } from './following.ts';
import { followedValue } from './following.ts';
import type { OwnRows } from './key.ts';
import type { Precondition } from './precondition.ts';
import {
  isAmong,
  preconditionHolds,
  preconditionNames,
  preconditionValues,
} from './precondition.ts';
import type { BoundStatement, SqlValue } from './statement.ts';
import {
  databaseTime,
  db,
  fieldValues,
  placeholderOf,
  perCall,
  statement,
  memoize,
} from './statement.ts';

/** A table whose rows have a revision: a new UUID with each change. */
export type RevisionedTable = SQLiteTable & {
  readonly revision: RequiredColumn<string>;
  readonly updatedAt: RequiredColumn<string>;
};

interface UpdateTarget {
  readonly table: RevisionedTable;
  /** The columns that a change may set, by the names of `table`, which are those of the fields. */
  readonly columns: Columns;
  readonly following?: FollowerFields | undefined;
  /** Values that every change computes from the row, such as one more than a column has, by the names of the fields. */
  readonly computed?: Readonly<Record<string, SQL>>;
  /** Further values that every change sets, by the names of `table`. They alone are no change. */
  readonly alwaysSet?: { readonly changeNumber: SQL };
  readonly rowCondition: (id: Placeholder) => OwnRows<'write'>;
  /** The condition under which the new value of a field collides with another row. */
  readonly collision?: {
    readonly field: string;
    readonly exists: (value: Placeholder, id: Placeholder) => SQL;
  };
}

/** A target whose changes are numbered: without a number, followers would never see a change. */
type NumberedTarget = UpdateTarget & Required<Pick<UpdateTarget, 'alwaysSet'>>;

/** A target whose changes have no numbers. */
type UnnumberedTarget = UpdateTarget & {
  readonly table: RevisionedTable & { readonly changeNumber?: never };
  readonly alwaysSet?: never;
};

export interface RowChange {
  /** The id of the row, if its condition needs one. */
  readonly id?: string;
  /** The new values by field name, as their columns store them. */
  readonly newValues?: Readonly<Record<string, SqlValue>>;
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
export function guardedUpdates({
  table,
  columns,
  following,
  computed = {},
  alwaysSet,
  rowCondition,
  collision,
}: NumberedTarget | UnnumberedTarget): (change: RowChange) => BoundStatement | undefined {
  const updateOf = memoize((fields: readonly string[]) =>
    statement(['id', ...preconditionNames, ...fields.map(placeholderOf)], (p) => {
      const set: Record<string, SQL> = {
        ...computed,
        ...alwaysSet,
        revision: sql`${perCall.tryId}`,
        updatedAt: databaseTime,
      };
      const differences = fields.map((field) => {
        const column = requireEntry(columns, field);
        const value = requireEntry(p, placeholderOf(field));
        set[field] = sql`${value}`;
        // Binary collation: a code in another case counts as a change, whatever the column's collation.
        return sql`${column} is not ${value} collate binary`;
      });
      if (following && fields.includes(following.field)) {
        const before = requireEntry(columns, following.field);
        const after = requireEntry(p, placeholderOf(following.field));
        for (const field of Object.keys(following.ifNull)) {
          const own = requireEntry(columns, field);
          set[field] ??= followedValue(following, field, own, before, after);
        }
      }
      for (const [field, value] of Object.entries(computed)) {
        differences.push(sql`${requireEntry(columns, field)} is not ${value}`);
      }
      const isFree =
        collision && fields.includes(collision.field)
          ? sql`not exists ${collision.exists(requireEntry(p, placeholderOf(collision.field)), p.id)}`
          : undefined;
      return db
        .update(table)
        .set(set)
        .where(
          and(rowCondition(p.id), preconditionHolds(table.revision, p), or(...differences), isFree),
        );
    }),
  );

  return ({ id = null, newValues = {}, precondition }) => {
    const fields = Object.keys(newValues);
    if (fields.length === 0 && Object.keys(computed).length === 0) return undefined;
    return updateOf(fields)({
      id,
      ...preconditionValues(precondition),
      ...fieldValues(newValues),
    });
  };
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
  const holds = isAmong(revision, ifMatch) && !isAmong(revision, ifNoneMatch);
  if (!isApplied && !holds) throw new PreconditionFailed();
}
