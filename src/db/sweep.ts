import type { SQL } from 'drizzle-orm';
import { DrizzleQueryError, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { tombstoneExpiry } from './change-numbers.ts';
import { recordExpiry } from './idempotency-records.ts';
import { withRetries } from './d1-failure.ts';
import { idempotencyRecords, tombstones } from './tables.ts';

/** The maximum number of rows deleted per statement: D1 aborts a statement that takes too long. */
const ROWS_PER_STEP = 5000;

/** The maximum number of statements per task and run: D1 allows 50 on the free plan. The next run deletes the rest. */
export const MAX_STEPS = 20;

/**
 * Deletes the idempotency records that are older than 24 hours, in batches.
 * @param steps the maximum number of batches
 * @returns the number of deleted rows
 */
export async function removeExpiredRecords(db: D1Database, steps = MAX_STEPS): Promise<number> {
  return removeInSteps(
    db,
    steps,
    sql`delete from ${idempotencyRecords} where (brand_id, key) in (
      select brand_id, key from ${idempotencyRecords} where ${idempotencyRecords.createdAt} <= ${recordExpiry} limit ${ROWS_PER_STEP})`,
  );
}

/**
 * Deletes the tombstones that are older than 30 days, in batches, if the next one is too. So the last of each run of
 * expired ones stays, even if the clock was set back: it shows that a token is too old, and keeps change numbers from
 * decreasing.
 * @param steps the maximum number of batches
 * @returns the number of deleted rows
 */
export async function removeExpiredTombstones(db: D1Database, steps = MAX_STEPS): Promise<number> {
  return removeInSteps(
    db,
    steps,
    sql`delete from ${tombstones} where (brand_id, collection, change_number) in (
      select brand_id, collection, change_number from ${tombstones}
      where ${tombstones.deletedAt} <= ${tombstoneExpiry} and (
        select later.deleted_at from ${tombstones} as later
        where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
          and later.change_number > ${tombstones.changeNumber}
        order by later.change_number limit 1) <= ${tombstoneExpiry}
      limit ${ROWS_PER_STEP})`,
  );
}

async function removeInSteps(db: D1Database, steps: number, removeSome: SQL): Promise<number> {
  let removed = 0;
  for (let step = 0; step < steps; step++) {
    const { meta } = await withRetries(true, () => run(db, removeSome));
    removed += meta.changes;
    if (meta.changes < ROWS_PER_STEP) break;
  }
  return removed;
}

/** Runs a statement. drizzle's own error shows its text and parameters, so D1's error is thrown, which is its cause. */
async function run(db: D1Database, statement: SQL): Promise<D1Result> {
  try {
    return await drizzle(db).run(statement);
  } catch (error) {
    throw error instanceof DrizzleQueryError ? error.cause : error;
  }
}
