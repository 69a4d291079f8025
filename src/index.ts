import { app } from './app.ts';
import { TRIES } from './db/d1-failure.ts';
import { bindingOf, numbersIn } from './db/databases.ts';
import {
  deleteExpiredRecords,
  deleteExpiredTombstones,
  deleteInSteps,
  noteDailyJob,
} from './db/sweep.ts';
import type { Env } from './http/api-env.ts';
import { log } from './http/log.ts';

const TASKS = [
  { task: 'remove expired idempotency records', deleteSome: deleteExpiredRecords },
  { task: 'remove expired tombstones', deleteSome: deleteExpiredTombstones },
];

/** What the free plan allows, for an environment that says nothing: `wrangler.toml` passes no variable on to another one. */
const FREE_PLAN_QUERIES = 50;

export default {
  fetch: app.fetch,

  /** Runs daily, on the schedule in `wrangler.toml`, in every database. A failure does not keep the others from running. */
  async scheduled(_controller, env) {
    const numbers = numbersIn(Object.keys(env));
    // Each query may be tried again. The last one of each database notes that the job was done.
    const { DAILY_JOB_QUERIES = FREE_PLAN_QUERIES } = env;
    const queries = DAILY_JOB_QUERIES / TRIES / numbers.length - 1;
    const steps = Math.max(1, Math.floor(queries / TASKS.length));
    const failures: string[] = [];
    for (const number of numbers) {
      const db = env[bindingOf(number)];
      if (db === undefined) continue;
      const errors = await runDailyJob(db, number, steps);
      failures.push(...errors.map((error) => `${bindingOf(number)}: ${String(error)}`));
    }
    // The runtime logs the message.
    if (failures.length > 0) throw new Error(failures.join('; '));
  },
} satisfies ExportedHandler<Env>;

/**
 * Runs the daily job in a database, and notes there that it was done, unless a task fails.
 * @returns the errors
 */
async function runDailyJob(db: Env['DB'], number: number, steps: number): Promise<unknown[]> {
  const errors: unknown[] = [];
  let isWorkLeft = false;
  for (const { task, deleteSome } of TASKS) {
    try {
      const { removed, hasMore } = await deleteInSteps(db, deleteSome, steps);
      isWorkLeft ||= hasMore;
      log({ task, database: number || undefined, removed, more: hasMore || undefined });
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) return errors;
  await noteDailyJob(db, isWorkLeft).catch((error: unknown) => errors.push(error));
  return errors;
}
