import { eq, sql } from 'drizzle-orm';
import type { KeyRow } from '../db/key.ts';
import { joinedBrand, selectWithKey } from '../db/key.ts';
import type { Query } from '../db/statement.ts';
import { session } from '../db/statement.ts';
import { brands } from '../db/tables.ts';
import type { Profile } from './definition.ts';

/** The row of a profile, besides what it shows: its revision, and whether this call has written it. */
interface ProfileRow extends KeyRow {
  readonly revision: string;
  readonly isWritten: number;
}

/** Returns the query that reads the profile of the key's brand. */
export function selectProfile({ selection }: Profile): Query<ProfileRow> {
  return selectWithKey(
    {
      revision: sql<string>`${brands.revision}`.as('revision'),
      isWritten: sql<number>`${brands.revision} = ${session.tryId}`.as('isWritten'),
    },
    [{ table: sql`${brands}`, on: eq(brands.id, joinedBrand) }],
    { shown: selection },
  );
}
