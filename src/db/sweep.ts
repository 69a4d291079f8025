import { sql } from 'drizzle-orm';
import { expiry } from './idempotency-records.ts';
import { withRetries } from './retry.ts';
import { idempotencyRecords as table } from './tables.ts';
import type { Statement } from './statement.ts';
import { statement } from './statement.ts';

/** Records looked at in one step: D1 ends a statement that takes too long. */
const STEP = 5000;

/** Steps in one run, a statement each: D1 allows 50 on the free plan. What is left waits for the next run. */
const STEPS = 40;

const someExpired = (): Statement =>
  statement(sql`
  delete from ${table} where (brand_id, key) in (
    select brand_id, key from ${table} where ${table.createdAt} <= ${expiry} limit ${sql.raw(String(STEP))})`);

/**
 * Removes the idempotency records that are older than 24 hours, step by step.
 * @returns how many were removed
 */
export async function removeExpiredRecords(db: D1Database): Promise<number> {
  const { text } = someExpired();
  let removed = 0;
  for (let step = 0; step < STEPS; step++) {
    const { meta } = await withRetries(() => db.prepare(text).run());
    removed += meta.changes;
    if (meta.changes < STEP) break;
  }
  return removed;
}
