import type { Column } from 'drizzle-orm';
import type { Sql } from './sql.ts';
import { placeholder, sql } from './sql.ts';
import type { ValuesFor } from './statement.ts';

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
export function preconditionInSql(revision: Column): Sql<keyof Precondition> {
  return sql`${holds('ifMatch', revision)} and not ${holds('ifNoneMatch', revision)}`;
}

/** The placeholder values of `preconditionInSql`. */
export function preconditionValues({
  ifMatch,
  ifNoneMatch,
}: Precondition): ValuesFor<keyof Precondition> {
  return { ifMatch: encodeRevisions(ifMatch), ifNoneMatch: encodeRevisions(ifNoneMatch) };
}

/** Whether the revisions include this one. */
export function includes(revisions: Revisions, revision: string): boolean {
  return revisions === 'any' || revisions.includes(revision);
}

// NULL stands for any.
function encodeRevisions(revisions: Revisions): string | null {
  return revisions === 'any' ? null : JSON.stringify(revisions);
}

function holds<N extends keyof Precondition>(name: N, revision: Column): Sql<N> {
  const revisions = placeholder(name);
  return sql`(${revisions} is null or ${revision} in (select value from json_each(${revisions})))`;
}
