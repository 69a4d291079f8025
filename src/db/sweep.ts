import { tombstoneExpiry } from './change-order.ts';
import { expiry } from './idempotency-records.ts';
import { TRIES, withRetries } from './retry.ts';
import type { Sql } from './sql.ts';
import { raw, sql } from './sql.ts';
import { statement } from './statement.ts';
import { idempotencyRecords, tombstones } from './tables.ts';

/** The maximum number of rows deleted per statement: D1 aborts a statement that takes too long. */
const ROWS_PER_STEP = 5000;

/** The maximum number of statements per task and run: D1 allows 50 on the free plan. The next run deletes the rest. */
const MAX_STEPS = 20;

/** How many queries a task may still make. */
export interface Allowance {
  queries: number;
}

/** Enough for all steps of a task, each with its retries. */
const unlimited = (): Allowance => ({ queries: MAX_STEPS * TRIES });

/**
 * Deletes the idempotency records that are older than 24 hours, in batches.
 * @returns the number of deleted rows
 */
export async function removeExpiredRecords(
  db: D1Database,
  allowance = unlimited(),
): Promise<number> {
  return removeInSteps(
    db,
    allowance,
    sql`delete from ${idempotencyRecords} where (brand_id, key) in (
      select brand_id, key from ${idempotencyRecords} where ${idempotencyRecords.createdAt} <= ${expiry} ${limit})`,
  );
}

/**
 * Deletes the tombstones that are older than 30 days, in batches, if the next one is too. So the last of each run of
 * expired ones stays, even if the clock was set back: it shows that a token is too old, and keeps change numbers from
 * decreasing.
 * @returns the number of deleted rows
 */
export async function removeExpiredTombstones(
  db: D1Database,
  allowance = unlimited(),
): Promise<number> {
  return removeInSteps(
    db,
    allowance,
    sql`delete from ${tombstones} where (brand_id, collection, change_number) in (
      select brand_id, collection, change_number from ${tombstones}
      where ${tombstones.deletedAt} <= ${tombstoneExpiry} and (
        select later.deleted_at from ${tombstones} as later
        where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
          and later.change_number > ${tombstones.changeNumber}
        order by later.change_number limit 1) <= ${tombstoneExpiry}
      ${limit})`,
  );
}

const limit = raw(`limit ${ROWS_PER_STEP}`);

async function removeInSteps(
  db: D1Database,
  allowance: Allowance,
  removeSome: Sql,
): Promise<number> {
  const { text } = statement(removeSome);
  let removed = 0;
  for (let step = 0; step < MAX_STEPS && allowance.queries > 0; step++) {
    const { meta } = await withRetries(allowance.queries >= TRIES, () => {
      allowance.queries--;
      return db.prepare(text).run();
    });
    removed += meta.changes;
    if (meta.changes < ROWS_PER_STEP) break;
  }
  return removed;
}
