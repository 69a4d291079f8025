import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { tombstoneExpiry } from './change-order.ts';
import { expiry } from './idempotency-records.ts';
import { withRetries } from './retry.ts';
import { statement } from './statement.ts';
import { idempotencyRecords, tombstones } from './tables.ts';

/** Rows looked at in one step: D1 ends a statement that takes too long. */
const ROWS_PER_STEP = 5000;

/** Steps of a task in one run, a statement each: D1 allows 50 on the free plan. What is left waits for the next run. */
const MAX_STEPS = 20;

/**
 * Removes the idempotency records that are older than 24 hours, step by step.
 * @returns how many were removed
 */
export async function removeExpiredRecords(db: D1Database): Promise<number> {
  return removeInSteps(
    db,
    sql`delete from ${idempotencyRecords} where (brand_id, key) in (
      select brand_id, key from ${idempotencyRecords} where ${idempotencyRecords.createdAt} <= ${expiry} ${limit})`,
  );
}

/**
 * Removes the tombstones that are older than 30 days, step by step. The newest of them stays in each collection of each
 * brand: by it a token is known to be too old, and the numbers of changes never decrease.
 * @returns how many were removed
 */
export async function removeExpiredTombstones(db: D1Database): Promise<number> {
  return removeInSteps(
    db,
    sql`delete from ${tombstones} where (brand_id, collection, change_number) in (
      select brand_id, collection, change_number from ${tombstones}
      where ${tombstones.deletedAt} <= ${tombstoneExpiry} and exists (
        select 1 from ${tombstones} as later
        where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
          and later.change_number > ${tombstones.changeNumber} and later.deleted_at <= ${tombstoneExpiry}
        order by later.change_number limit 1)
      ${limit})`,
  );
}

const limit = sql.raw(`limit ${ROWS_PER_STEP}`);

async function removeInSteps(db: D1Database, removeSome: SQL): Promise<number> {
  const { text } = statement(removeSome);
  let removed = 0;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { meta } = await withRetries(() => db.prepare(text).run());
    removed += meta.changes;
    if (meta.changes < ROWS_PER_STEP) break;
  }
  return removed;
}
