import { sql } from 'drizzle-orm';
import { auditTrail, apiKeys, brands } from '../../../src/operator.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { homesIn, notAtHome } from './home.ts';
import { onDatabases } from '../database/on-databases.ts';
import { checkedId } from '../validation.ts';

// All keys that a database has of a brand say the same in two columns, which is all that there is of a move:
//
//   moved_to   frozen_at
//   null       null        it is at home there
//   null       a time      it is frozen there: it is about to leave, or has arrived and is not released yet
//   a number   a time      a copy that is being made of it
//   a number   null        it has left: its row and keys are signposts
//
// The time is that of the freeze, which each run of the command renews. Every statement of a move names it in a condition.
// So whatever a killed run leaves under way has no effect once another one has begun.

/** A database that has the row of a brand, and what the keys there say. */
export interface Place {
  readonly database: OpenDatabase;
  readonly movedTo: number | null;
  readonly frozenAt: string | null;
  /** To which database the brand is being moved from here; null if it is not frozen, or was not frozen here. */
  readonly leavesTo: number | null;
}

export async function readPlaces(
  all: readonly OpenDatabase[],
  brandId: string,
): Promise<readonly Place[]> {
  const id = checkedId('brand', brandId);
  const ofBrand = sql`from ${apiKeys} where ${apiKeys.brandId} = ${id}`;
  const found = await onDatabases(all, async (database) => {
    const [rows] = await database.run(
      sql<
        Omit<Place, 'database'>
      >`select (select max(moved_to) ${ofBrand}) as movedTo, (select max(frozen_at) ${ofBrand}) as frozenAt,
          (select json_extract(details, '$.to') from ${auditTrail} where ${auditTrail.brandId} = ${id}
            and action = 'brand.freeze' and at = (select max(frozen_at) ${ofBrand})) as leavesTo
        from ${brands} where ${brands.id} = ${id}`,
    );
    return rows.map((says) => ({ database, ...says }));
  });
  return found.flat();
}

/** Returns the databases in which the brand is at home, going by their keys. */
export function homesOf<P extends Pick<Place, 'movedTo'>>(places: readonly P[]): readonly P[] {
  return places.filter(({ movedTo }) => movedTo === null);
}

/**
 * Returns the only database in which the brand is at home.
 * @throws Failure if there is none, or more than one
 */
export function onlyHome(places: readonly Place[], brandId: string): Place {
  const [home, second] = homesOf(places);
  if (home === undefined) throw notAtHome(brandId, places);
  if (second !== undefined) throw homesIn(brandId, homesOf(places));
  return home;
}
