import type { Column, Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';

/** Revisions of a resource; `any` matches every revision. */
export type Revisions = 'any' | readonly string[];

/** The revisions that a resource must have, and those that it must not have, for a write. */
export interface Precondition {
  readonly ifMatch: Revisions;
  readonly ifNoneMatch: Revisions;
}

/** Whether a resource with this revision meets the precondition. */
export function meetsPrecondition(
  { ifMatch, ifNoneMatch }: Precondition,
  revision: string,
): boolean {
  return includes(ifMatch, revision) && !includes(ifNoneMatch, revision);
}

/** The same condition in SQL. `preconditionValues` provides its values. */
export function preconditionInSql(revision: Column): SQL {
  return sql`${holds(sql.placeholder('ifMatch'), revision)} and not ${holds(sql.placeholder('ifNoneMatch'), revision)}`;
}

/** The placeholder values of `preconditionInSql`. */
export function preconditionValues({
  ifMatch,
  ifNoneMatch,
}: Precondition): Record<string, SqlValue> {
  return { ifMatch: encodeRevisions(ifMatch), ifNoneMatch: encodeRevisions(ifNoneMatch) };
}

/** Whether the revisions include this one. */
export function includes(revisions: Revisions, revision: string): boolean {
  return revisions === 'any' || revisions.includes(revision);
}

// NULL stands for any.
function encodeRevisions(revisions: Revisions): SqlValue {
  return revisions === 'any' ? null : JSON.stringify(revisions);
}

function holds(revisions: Placeholder, revision: Column): SQL {
  return sql`(${revisions} is null or ${revision} in (select value from json_each(${revisions})))`;
}
