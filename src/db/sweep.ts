import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { tombstoneExpiry } from './change-numbers.ts';
import { withRetries } from './d1-failure.ts';
import { RECORD_LIFE } from './idempotency-records.ts';
import { compile, databaseTime, timeBefore } from './statement.ts';
import { dailyJob, idempotencyRecords, tombstones } from './tables.ts';

/** The maximum number of rows deleted per statement: D1 aborts a statement that takes too long. */
const ROWS_PER_STEP = 5000;

/** SQL: deletes some of the idempotency records that have expired. */
export const deleteExpiredRecords = sql`
  delete from ${idempotencyRecords} where (brand_id, key) in (
    select brand_id, key from ${idempotencyRecords} where ${idempotencyRecords.createdAt} <= ${timeBefore(databaseTime, RECORD_LIFE)} limit ${ROWS_PER_STEP})`;

/**
 * SQL: deletes some of the tombstones that have expired, if the next one has too. So the last of each run of expired ones
 * stays, even if the clock was set back: it shows that a token is too old, and keeps change numbers from decreasing.
 */
export const deleteExpiredTombstones = sql`
  delete from ${tombstones} where (brand_id, collection, change_number) in (
    select brand_id, collection, change_number from ${tombstones}
    where ${tombstones.deletedAt} <= ${tombstoneExpiry} and (
      select later.deleted_at from ${tombstones} as later
      where later.brand_id = ${tombstones.brandId} and later.collection = ${tombstones.collection}
        and later.change_number > ${tombstones.changeNumber}
      order by later.change_number limit 1) <= ${tombstoneExpiry}
    limit ${ROWS_PER_STEP})`;

/**
 * Runs one of these statements until nothing is left, `steps` times at most. The next run deletes the rest.
 * @returns how many rows it deleted, and whether there may be more
 */
export async function deleteInSteps(
  db: D1Database,
  some: SQL,
  steps: number,
): Promise<{ readonly removed: number; readonly hasMore: boolean }> {
  let removed = 0;
  for (let step = 0; step < steps; step++) {
    const changes = await run(db, some);
    removed += changes;
    if (changes < ROWS_PER_STEP) return { removed, hasMore: false };
  }
  return { removed, hasMore: true };
}

/** Notes in a database that the daily job has done its work there, and whether it has left some over. */
export async function noteDailyJob(db: D1Database, isWorkLeft: boolean): Promise<void> {
  await run(
    db,
    sql`update ${dailyJob} set done_at = ${databaseTime}, work_left = ${isWorkLeft ? 1 : 0}`,
  );
}

/** Runs a statement that may be repeated. Returns how many rows it changed. */
async function run(db: D1Database, query: SQL): Promise<number> {
  const { text, parameters } = compile(query);
  const statement = db.prepare(text).bind(...parameters);
  const { meta } = await withRetries(true, () => statement.run());
  return meta.changes;
}
