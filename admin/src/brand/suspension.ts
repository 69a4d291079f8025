import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands, databaseTime } from '../../../src/operator.ts';
import { Failure } from '../../../common/failure.ts';
import { newAct, noteAct, notedAct } from '../audit.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { mayChange, notChanged } from '../home/home.ts';
import { isWhole } from '../home/unfinished.ts';
import { checkedId, checkedText } from '../validation.ts';

/**
 * Suspends a brand: from the next request on, its keys get 403. Nothing is deleted.
 * @param reason for the audit trail
 * @throws Failure if there is no such brand, if only a part of it is there, or if it is suspended already
 */
export async function suspendBrand(
  database: OpenDatabase,
  brandId: string,
  reason?: string,
): Promise<void> {
  const because = reason === undefined ? sql`` : sql`, 'reason', ${checkedText('reason', reason)}`;
  const { isDone, suspendedAt } = await setSuspension(database, brandId, databaseTime, because);
  if (!isDone) {
    throw new Failure(`The brand ${brandId} has been suspended since ${String(suspendedAt)}.`);
  }
}

/**
 * Ends the suspension of a brand: its keys work again from the next request on.
 * @throws Failure if there is no such brand, or if it is not suspended
 */
export async function resumeBrand(database: OpenDatabase, brandId: string): Promise<void> {
  const { isDone } = await setSuspension(database, brandId, undefined);
  if (!isDone) throw new Failure(`The brand ${brandId} is not suspended.`);
}

/**
 * @param time since when it is suspended; undefined if it is resumed
 * @throws Failure if there is no such brand
 */
async function setSuspension(
  database: OpenDatabase,
  brandId: string,
  time: SQL | undefined,
  because = sql``,
): Promise<{ readonly isDone: boolean; readonly suspendedAt: string | null }> {
  const act = newAct(database, time === undefined ? 'brand.resume' : 'brand.suspend');
  const thisBrand = sql`${brands.id} = ${checkedId('brand', brandId)} and ${mayChange(sql`${brands.id}`)} and ${isWhole(sql`${brands.id}`)}`;
  const toChange = sql`${thisBrand} and (${brands.suspendedAt} is null) = ${time === undefined ? 0 : 1}`;
  const [, , , [noted], [brand]] = await database.run(
    // Recorded before the brand changes, so that a retry finds the entry of the first try.
    noteAct(act, {
      brandId: sql`${brands.id}`,
      details: sql`json_object('brandName', ${brands.brandName}${because})`,
      from: sql`${brands} where ${toChange}`,
    }),
    sql`update ${brands} set suspended_at = ${time ?? sql`null`} where ${toChange}`,
    // Requests read the key alone. A key that is issued later takes the time from its brand.
    sql`update ${apiKeys} set suspended_at = (select ${brands.suspendedAt} from ${brands} where ${thisBrand})
      where ${apiKeys.brandId} = ${brandId} and ${mayChange(sql`${apiKeys.brandId}`)}`,
    notedAct(act),
    sql<{
      suspended_at: string | null;
    }>`select ${brands.suspendedAt} from ${brands} where ${thisBrand}`,
  );
  if (brand === undefined) throw await notChanged(database, brandId);
  return { isDone: noted !== undefined, suspendedAt: brand.suspended_at };
}
