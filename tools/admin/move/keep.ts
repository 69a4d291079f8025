import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { collections } from '../../../src/resources/registry.ts';
import { apiKeys, brands } from '../../../src/db/tables.ts';
import { AdminError } from '../admin-error.ts';
import { newAct, noteAct } from '../audit.ts';
import type { Execute } from '../execute.ts';
import { KEYS, movedParts } from '../export/parts.ts';
import { readBrand, rowsOf } from '../export/read.ts';
import { insertCalls } from '../export/write.ts';
import { beingMoved } from '../home.ts';
import type { Place } from './places.ts';
import { homesOf, readPlaces } from './places.ts';

/**
 * Makes a database the home of a brand that is at home in several databases, or in none, as after a restore. Its data
 * elsewhere stays.
 * @throws AdminError if the database does not have the brand, or if it is at home in another one alone, or being moved
 */
export async function keepBrand(
  databases: readonly Execute[],
  brandId: string,
  number: number,
): Promise<void> {
  const places = await readPlaces(databases, brandId);
  // If another command moves the brand meanwhile, each database may have been read at another step.
  if (textOf(places) !== textOf(await readPlaces(databases, brandId))) throw wasMoved(brandId);
  const kept = places.find(({ execute }) => execute.database === number);
  if (kept === undefined) {
    throw new AdminError(`Database ${number} does not have the brand ${brandId}.`);
  }
  const homes = homesOf(places);
  const [home, second] = homes;
  if (home !== undefined && home !== kept && second === undefined) {
    throw new AdminError(
      `The brand ${brandId} is at home in database ${home.execute.database} alone. To move it: brand move ${brandId} --to ${number}`,
    );
  }
  const moving = homes.find(({ leavesTo }) => leavesTo !== null);
  if (moving?.frozenAt != null && homes.every(({ frozenAt }) => frozenAt !== null)) {
    throw beingMoved(brandId, moving.frozenAt);
  }
  const parts = movedParts(collections).filter(({ name }) => name === KEYS);
  const reader = await readBrand(kept.execute, brandId, parts);
  // The others first, so that it is at home nowhere for a moment rather than twice.
  for (const place of places) {
    if (place === kept) continue;
    await point(place, brandId, number);
    // The restore may have undone that it knows a key.
    const keys = insertCalls(rowsOf(reader, parts), {
      brandId,
      moreOf: () => ({ moved_to: number }),
    });
    for await (const { statements } of keys) await place.execute(...statements);
  }
  await point(kept, brandId, null);
}

/**
 * Lets the keys in a database point to a database, or with null makes it the home, which is noted.
 * @throws AdminError if they do not say any more what was read of them
 */
async function point(
  { execute, movedTo, frozenAt }: Place,
  brandId: string,
  to: number | null,
): Promise<void> {
  const keys = sql`from ${apiKeys} where ${apiKeys.brandId} = ${brandId}`;
  const say = (number: number | null, since: string | null): SQL =>
    sql`((select max(moved_to) ${keys}) is ${number} and (select max(frozen_at) ${keys}) is ${since})`;
  const thisBrand = sql`${brands} where ${brands.id} = ${brandId} and ${say(to, null)}`;
  const note = noteAct(newAct(execute, 'brand.keep'), {
    brandId: sql`${brands.id}`,
    from: thisBrand,
  });
  const [[row]] = await execute(
    // A retry finds what the first try has done.
    sql`select ${say(movedTo, frozenAt)} or ${say(to, null)} as is_same`,
    sql`update ${apiKeys} set moved_to = ${to}, frozen_at = null where ${apiKeys.brandId} = ${brandId} and ${say(movedTo, frozenAt)}`,
    ...(to === null ? [note] : []),
  );
  if (Number(row?.['is_same']) !== 1) throw wasMoved(brandId);
}

function textOf(places: readonly Place[]): string {
  return JSON.stringify(places.map(({ execute, ...says }) => [execute.database, says]));
}

function wasMoved(brandId: string): AdminError {
  return new AdminError(
    `The brand ${brandId} was moved meanwhile. See with database check where it is.`,
  );
}
