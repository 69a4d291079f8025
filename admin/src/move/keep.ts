import { sql } from 'drizzle-orm';
import { collections, apiKeys, brands } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { newAct, noteAct } from '../audit.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { KEYS, movedParts } from '../export/parts.ts';
import { readBrand, rowsOf } from '../export/read.ts';
import { insertCalls } from '../export/write.ts';
import { beingMoved } from '../home/home.ts';
import { homesOf, readPlaces } from '../home/places.ts';

/**
 * Makes a database the home of a brand that is at home in several databases, or in none, as after a restore. Its data
 * elsewhere stays.
 * @throws Failure if the database does not have the brand, or if it is at home in another one alone, or being moved
 */
export async function keepBrand(
  databases: readonly OpenDatabase[],
  brandId: string,
  number: number,
): Promise<void> {
  const places = await readPlaces(databases, brandId);
  const kept = places.find(({ database }) => database.number === number)?.database;
  if (kept === undefined) {
    throw new Failure(`Database ${number} does not have the brand ${brandId}.`);
  }
  const homes = homesOf(places);
  const [home, second] = homes;
  if (home !== undefined && home.database !== kept && second === undefined) {
    throw new Failure(
      `The brand ${brandId} is at home in database ${home.database.number} alone. To move it: brand move ${brandId} --to ${number}`,
    );
  }
  const moving = homes.find(({ leavesTo }) => leavesTo !== null);
  if (moving?.frozenAt != null && homes.every(({ frozenAt }) => frozenAt !== null)) {
    throw beingMoved(brandId, moving.frozenAt);
  }
  const parts = movedParts(collections).filter(({ name }) => name === KEYS);
  const reader = await readBrand(kept, brandId, parts);
  // The others first, so that it is at home nowhere for a moment rather than twice.
  for (const { database } of places) {
    if (database === kept) continue;
    await database.run(
      sql`update ${apiKeys} set moved_to = ${number}, frozen_at = null where ${apiKeys.brandId} = ${brandId}`,
    );
    // The restore may have undone that it knows a key.
    const keys = insertCalls(rowsOf(reader, parts), {
      brandId,
      moreOf: () => ({ moved_to: number }),
    });
    for await (const { statements } of keys) await database.run(...statements);
  }
  const thisBrand = sql`${brands} where ${brands.id} = ${brandId}`;
  await kept.run(
    sql`update ${apiKeys} set moved_to = null, frozen_at = null where ${apiKeys.brandId} = ${brandId}`,
    noteAct(newAct(kept, 'brand.keep'), { brandId: sql`${brands.id}`, from: thisBrand }),
  );
}
