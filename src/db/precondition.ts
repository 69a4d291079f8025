import type { Column, Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { SqlValue } from './statement.ts';

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

/** The names of the placeholders of `preconditionHolds`. */
export const preconditionNames = ['ifMatch', 'ifNoneMatch'] as const;

/** SQL condition: a row with this revision meets the precondition. `preconditionValues` returns the values. */
export function preconditionHolds(
  revision: Column,
  { ifMatch, ifNoneMatch }: Readonly<Record<keyof Precondition, Placeholder>>,
): SQL {
  const isAmong = (revisions: Placeholder): SQL =>
    sql`(${revisions} is null or ${revision} in (select value from json_each(${revisions})))`;
  return sql`${isAmong(ifMatch)} and not ${isAmong(ifNoneMatch)}`;
}

/** Returns the values of the precondition's placeholders. */
export function preconditionValues({
  ifMatch,
  ifNoneMatch,
}: Precondition): Readonly<Record<keyof Precondition, SqlValue>> {
  const encode = (revisions: Revisions): string | null =>
    revisions === 'any' ? null : JSON.stringify(revisions);
  return { ifMatch: encode(ifMatch), ifNoneMatch: encode(ifNoneMatch) };
}
