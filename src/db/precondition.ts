import type { Column, Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Params, SqlValue } from './statement.ts';

/** Revisions of a resource, which are its entity tags; `any` stands for every revision. */
export type Revisions = 'any' | readonly string[];

export function isAmong(revision: string, revisions: Revisions): boolean {
  return revisions === 'any' || revisions.includes(revision);
}

/** The revisions that a resource must have, and those that it must not have, for a write. */
export interface Precondition {
  readonly ifMatch: Revisions;
  readonly ifNoneMatch: Revisions;
}

/** Whether a row with this revision meets the precondition. */
export function meets(revision: string, { ifMatch, ifNoneMatch }: Precondition): boolean {
  return isAmong(revision, ifMatch) && !isAmong(revision, ifNoneMatch);
}

/** The same as an SQL condition. `preconditionValues` returns the values of its placeholders. */
export function preconditionHolds(
  revision: Column,
  { ifMatch, ifNoneMatch }: Params<keyof Precondition>,
): SQL {
  const isAmong = (revisions: Placeholder): SQL =>
    sql`(${revisions} is null or ${revision} in (select value from json_each(${revisions})))`;
  return sql`${isAmong(ifMatch)} and not ${isAmong(ifNoneMatch)}`;
}

export function preconditionValues({
  ifMatch,
  ifNoneMatch,
}: Precondition): Readonly<Record<keyof Precondition, SqlValue>> {
  const encode = (revisions: Revisions): string | null =>
    revisions === 'any' ? null : JSON.stringify(revisions);
  return { ifMatch: encode(ifMatch), ifNoneMatch: encode(ifNoneMatch) };
}
