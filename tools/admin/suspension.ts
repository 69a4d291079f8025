import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { apiKeys, brands } from '../../src/db/tables.ts';
import { databaseTime } from '../../src/db/statement.ts';
import { AdminError } from './admin-error.ts';
import type { Action } from './audit.ts';
import { newAct, noteAct, notedAct } from './audit.ts';
import type { Execute } from './execute.ts';
import { mayChange, notChanged } from './home.ts';
import { checkedId, checkedText } from './validation.ts';

/**
 * Suspends a brand: from the next request on, its keys get 403. Nothing is deleted.
 * @param reason for the audit trail
 * @throws AdminError if there is no such brand, or if it is suspended already
 */
export async function suspendBrand(
  execute: Execute,
  brandId: string,
  reason?: string,
): Promise<void> {
  const because = reason === undefined ? sql`` : sql`, 'reason', ${checkedText('reason', reason)}`;
  const { isDone, suspendedAt } = await changeSuspension(execute, brandId, {
    action: 'brand.suspend',
    details: sql`json_object('brandName', ${brands.brandName}${because})`,
    condition: sql`${brands.suspendedAt} is null`,
    suspendedAt: databaseTime,
  });
  if (!isDone) {
    throw new AdminError(`The brand ${brandId} has been suspended since ${String(suspendedAt)}.`);
  }
}

/**
 * Ends the suspension of a brand: its keys work again from the next request on.
 * @throws AdminError if there is no such brand, or if it is not suspended
 */
export async function resumeBrand(execute: Execute, brandId: string): Promise<void> {
  const { isDone } = await changeSuspension(execute, brandId, {
    action: 'brand.resume',
    details: sql`json_object('brandName', ${brands.brandName})`,
    condition: sql`${brands.suspendedAt} is not null`,
    suspendedAt: sql`null`,
  });
  if (!isDone) throw new AdminError(`The brand ${brandId} is not suspended.`);
}

interface Change {
  readonly action: Action;
  readonly details: SQL;
  /** The brands that the change is for. */
  readonly condition: SQL;
  readonly suspendedAt: SQL;
}

/** @throws AdminError if there is no such brand */
async function changeSuspension(
  execute: Execute,
  brandId: string,
  { action, details, condition, suspendedAt }: Change,
): Promise<{ readonly isDone: boolean; readonly suspendedAt: string | null }> {
  const act = newAct(execute, action);
  const thisBrand = sql`${brands.id} = ${checkedId('brand', brandId)} and ${mayChange(sql`${brands.id}`)}`;
  const [, , , [noted], [brand]] = await execute(
    // Recorded before the brand changes, so that a retry finds the entry of the first try.
    noteAct(act, {
      brandId: sql`${brands.id}`,
      details,
      from: sql`${brands} where ${thisBrand} and ${condition}`,
    }),
    sql`update ${brands} set suspended_at = ${suspendedAt} where ${thisBrand} and ${condition}`,
    // Requests read the key alone. A key that is issued later takes the time from its brand.
    sql`update ${apiKeys} set suspended_at = (select ${brands.suspendedAt} from ${brands} where ${thisBrand})
      where ${apiKeys.brandId} = ${brandId} and ${mayChange(sql`${apiKeys.brandId}`)}`,
    notedAct(act),
    sql<{
      suspended_at: string | null;
    }>`select ${brands.suspendedAt} from ${brands} where ${thisBrand}`,
  );
  if (brand === undefined) throw await notChanged(execute, brandId);
  return { isDone: noted !== undefined, suspendedAt: brand.suspended_at };
}
