import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { EARLIER_TRIES } from './statement.ts';

// A revision is a UUID whose last character is the number of the try that wrote it. So the two tries of a write have
// different revisions: others may have read the first, and then changed the row, before the service sent the second.

const STEM_LENGTH = 35;

/** Generates what the revisions of a change begin with. No row has had such a revision. */
export function newRevisionStem(): string {
  return crypto.randomUUID().slice(0, STEM_LENGTH);
}

/** SQL text: what the revisions of a change begin with. The column has one of them, or another UUID of the change. */
export function stemOf(column: string): string {
  return `substr(${column}, 1, ${STEM_LENGTH})`;
}

/** SQL: the revision that this try gives a row. */
export function revisionOfTry(stem: Placeholder | SQL): SQL {
  return sql`${stem} || char(48 + ${sql.placeholder(EARLIER_TRIES)})`;
}
