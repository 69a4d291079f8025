import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { tombstoneExpiry } from './change-numbers.ts';
import { withRetries } from './d1-failure.ts';
import { recordExpiry } from './idempotency-records.ts';
import { compile } from './statement.ts';
import { idempotencyRecords, tombstones } from './tables.ts';

/** The maximum number of rows deleted per statement: D1 aborts a statement that takes too long. */
const ROWS_PER_STEP = 5000;

/** The maximum number of statements per task and run: D1 allows 50 on the free plan. The next run deletes the rest. */
export const MAX_STEPS = 20;

/** Deletes the idempotency records that are older than 24 hours. Returns their number. */
export async function removeExpiredRecords(db: D1Database, steps = MAX_STEPS): Promise<number> {
  return removeInSteps(
    db,
    steps,
    sql`delete from ${idempotencyRecords} where (brand_id, key) in (
      select brand_id, key from ${idempotencyRecords} where ${idempotencyRecords.createdAt} <= ${recordExpiry} limit ${ROWS_PER_STEP})`,
  );
}

/**
 * Deletes the tombstones that are older than 30 days, if the next one is too, and returns their number. So the last of
 * each run of expired ones stays, even if the clock was set back: it shows that a token is too old, and keeps change
 * numbers from decreasing.
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
  const { text, parameters } = compile(removeSome);
  let removed = 0;
  for (let step = 0; step < steps; step++) {
    const statement = db.prepare(text).bind(...parameters);
    const { meta } = await withRetries(true, () => statement.run());
    removed += meta.changes;
    if (meta.changes < ROWS_PER_STEP) break;
  }
  return removed;
}
