import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import type { Unfinished } from './unfinished.ts';
import { partlyThere } from './unfinished.ts';
import { checkedId } from '../validation.ts';

// A brand that moves leaves its row and its keys behind, so several databases may have them. Its home is the database whose
// keys do not point elsewhere. A command changes a brand only there, and decides that in its own transaction: a look before
// only says where to try.

/** A brand has left the database since it was found there: a look at all databases finds it again. */
export class HasMoved extends Failure {}

/** SQL condition: the brand is at home in this database, if it is here at all. */
export function isAtHome(brandId: SQL): SQL {
  return hasNoKey(brandId, sql`placed.moved_to is not null`);
}

/** SQL condition: it is at home, and not being moved, so it may be changed. */
export function mayChange(brandId: SQL): SQL {
  return hasNoKey(brandId, sql`(placed.moved_to is not null or placed.frozen_at is not null)`);
}

function hasNoKey(brandId: SQL, condition: SQL): SQL {
  return sql`not exists (select 1 from ${apiKeys} as placed where placed.brand_id = ${brandId} and ${condition})`;
}

/** The same as a further condition of a list. With one database there is none, and the list reads no more rows. */
export function andAtHome({ hasPeers }: Pick<OpenDatabase, 'hasPeers'>, brandId: SQL): SQL {
  return hasPeers ? sql` and ${isAtHome(brandId)}` : sql``;
}

/** Returns the error for a brand that a command could not change here. */
export async function notChanged(database: OpenDatabase, brandId: string): Promise<Failure> {
  return (await whyUnchanged(database, brandId)) ?? new Failure(`There is no brand ${brandId}.`);
}

/** Returns the error for a brand that is not at home here, is being moved, or is only partly here; otherwise undefined. */
export async function whyUnchanged(
  database: OpenDatabase,
  brandId: string,
): Promise<Failure | undefined> {
  const [[key]] = await database.run(
    sql<{
      moved_to: number | null;
      frozen_at: string | null;
      unfinished: Unfinished | null;
    }>`select max(moved_to) as moved_to, min(frozen_at) as frozen_at, (select ${brands.unfinished} from ${brands} where ${brands.id} = ${brandId}) as unfinished
      from ${apiKeys} where ${apiKeys.brandId} = ${brandId}`,
  );
  const { moved_to: to = null, frozen_at: since = null, unfinished = null } = key ?? {};
  if (since !== null) return beingMoved(brandId, since);
  if (to !== null) return hasMoved(brandId, to);
  return unfinished === null ? undefined : partlyThere(brandId, unfinished);
}

/** Returns the error for a brand that has left the database. */
export function hasMoved(brandId: string, to: number): HasMoved {
  return new HasMoved(`The brand ${brandId} has moved to database ${to}. Try again.`);
}

/** Returns the error for a brand that is frozen. */
export function beingMoved(brandId: string, since: string): Failure {
  return new Failure(
    `The brand ${brandId} has been frozen since ${since}, because it is being moved. If that broke off, run the same brand move again, or give it up: brand move ${brandId} --abort`,
  );
}

/** Where a brand has rows. */
type DatabasesOfBrand = readonly { readonly database: Pick<OpenDatabase, 'number'> }[];

/** Returns the error for a brand that is at home in several databases. */
export function homesIn(brandId: string, homes: DatabasesOfBrand): Failure {
  return new Failure(
    `The brand ${brandId} is at home in the databases ${numbersOf(homes)}, as after a restore of one of them. Choose one: brand move ${brandId} --keep. See docs/many-databases.md.`,
  );
}

/** Returns the error for a brand that is at home in no database. */
export function notAtHome(brandId: string, places: DatabasesOfBrand): Failure {
  return new Failure(
    places.length === 0
      ? `There is no brand ${brandId}.`
      : `The brand ${brandId} is at home in no database: it was deleted, or a restore has undone its move. Its old keys are still in database ${numbersOf(places)}. See docs/many-databases.md.`,
  );
}

/** Their order does not depend on which database answered first. */
function numbersOf(places: DatabasesOfBrand): string {
  const numbers = places.map(({ database }) => database.number);
  return numbers.sort((one, other) => one - other).join(' and ');
}

/**
 * Returns the name of a brand.
 * @throws Failure if there is no brand with this id
 */
export async function brandName(database: OpenDatabase, brandId: string): Promise<string> {
  const [[row]] = await database.run(
    sql<{
      brand_name: string;
    }>`select ${brands.brandName} from ${brands} where ${brands.id} = ${checkedId('brand', brandId)}`,
  );
  if (row === undefined) throw new Failure(`There is no brand ${brandId}.`);
  return row.brand_name;
}
