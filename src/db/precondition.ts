import type { Column, Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';

/** Revisions of a resource; `any` stands for whichever it has. */
export type Revisions = 'any' | readonly string[];

/** What the revision of a resource must be, and what it must not be, for a write to take place. */
export interface Precondition {
  readonly ifMatch: Revisions;
  readonly ifNoneMatch: Revisions;
}

/** Whether a resource of this revision meets the precondition. */
export function meetsPrecondition(
  { ifMatch, ifNoneMatch }: Precondition,
  revision: string,
): boolean {
  return includes(ifMatch, revision) && !includes(ifNoneMatch, revision);
}

/** The same in SQL, its values bound by `preconditionValues`. */
export function preconditionInSql(revision: Column): SQL {
  return sql`${holds(sql.placeholder('ifMatch'), revision)} and not ${holds(sql.placeholder('ifNoneMatch'), revision)}`;
}

/** The values for `preconditionInSql`. */
export function preconditionValues({
  ifMatch,
  ifNoneMatch,
}: Precondition): Record<string, SqlValue> {
  return { ifMatch: encodeRevisions(ifMatch), ifNoneMatch: encodeRevisions(ifNoneMatch) };
}

/** Whether the revision is one of these. */
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
