import type { Column, Placeholder, SQL } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Columns, RequiredColumn, Values } from '../db/columns.ts';
import type { Dependents } from '../db/dependents.ts';
import type { Selection } from '../db/selection.ts';
import { select } from '../db/selection.ts';

/** A table whose rows have a revision: a new UUID with each change. */
export type RevisionedTable = SQLiteTable & {
  readonly revision: RequiredColumn<string>;
  readonly updatedAt: RequiredColumn<string>;
};

/**
 * What is read and changed by itself: one resource of a collection, or the profile.
 * @template V its fields, if they are known
 */
export interface SingleResource<V extends Values = Values> {
  /** The type of the fields; there is no such value. */
  readonly values?: V;
  /** Its name in error texts, such as `Product`. */
  readonly noun: string;
  readonly table: RevisionedTable;
  /** The columns of the fields that a body may set. */
  readonly writable: Columns;
  /** The columns of a representation, in order. */
  readonly visible: Columns;
  /** SQL condition: the row has this id and belongs to the key's brand. */
  readonly isMine: (id: Placeholder) => SQL;
  /** Returns a row as clients see it, in its envelope. */
  readonly toBody: (row: object) => Values;
  /** SQL: the number of the next change, if clients can follow changes. */
  readonly nextChange?: SQL<number>;
  readonly dependents?: Dependents | undefined;
  /** The field whose value is unique within the brand. */
  readonly unique?: { readonly name: string; readonly column: Column } | undefined;
  /** The field that is the resource's id if its default is an empty text. */
  readonly idIfEmpty?: string | undefined;
}

/** What statements select besides the fields. D1's rows have one value for each name, so no field can have one of these. */
export const SELECTED_BESIDES = [
  'revision',
  'isTaken',
  'isAllowed',
  'changeNumber',
  'bytes',
  'hasResource',
  'place',
  'outcome',
  'plannedId',
  'matchCount',
] as const;

type Besides = (typeof SELECTED_BESIDES)[number] | 'id';

/** A selection of these names alone: another one does not compile. */
export type SelectionBesides<S> = S & Readonly<Record<Exclude<keyof S, Besides>, never>>;

/** What to select of a resource: the columns that are shown, and more. The rows have the type of the latter alone. */
export function shown<S extends Selection>(visible: Selection, more: SelectionBesides<S>): S {
  return { ...visible, ...more };
}

/** The SELECT of one resource, which has no row if the key's brand has none with this id. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- drizzle's type is a page long
export function selectOne<S extends Selection>(
  { table, visible, isMine }: SingleResource,
  id: Placeholder,
  more: SelectionBesides<S>,
) {
  const { revision } = table;
  return select({ ...shown<S>(visible, more), revision })
    .from(table)
    .where(isMine(id));
}
