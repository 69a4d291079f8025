import type { SqlValue } from '../../db/statement.ts';

/** A push item that passed validation and goes to the database. */
export interface PushItem {
  /** Its place in the request, for errors. */
  readonly index: number;
  /** Its place among the items that go to the database, and in the plan. */
  readonly place: number;
  /** What it does, besides changing a resource that it matches. */
  readonly kind: 'changes' | 'creates' | 'deletes';
  /** The value of the match field, as it is stored. */
  readonly matchValue: string;
  /** The id of the resource that it creates, if it creates one. */
  readonly newId: string;
  readonly setFields: readonly string[];
  /** The values of these fields as their columns store them, and the defaults of the others in a new resource. */
  readonly newValues: Readonly<Record<string, SqlValue>>;
  /** The fields that it lacks to create a resource. */
  readonly missing: readonly string[];
  /** The value that it sets the unique field to. */
  readonly newUnique: string | undefined;
}
