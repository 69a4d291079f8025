import { app } from './app.ts';
import { TRIES } from './db/d1-failure.ts';
import { bindingOf, numbersIn } from './db/databases.ts';
import {
  deleteExpiredRecords,
  deleteExpiredTombstones,
  MAX_STEPS,
  deleteInSteps,
} from './db/sweep.ts';
import type { Env } from './http/api-env.ts';
import { log } from './http/log.ts';

/** The most queries to D1 that an invocation may make on the paid plan, retries included. */
const MAX_QUERIES = 1000;

const TASKS = [
  { task: 'remove expired idempotency records', rows: deleteExpiredRecords },
  { task: 'remove expired tombstones', rows: deleteExpiredTombstones },
];

export default {
  fetch: app.fetch,

  /** Runs daily, on the schedule in `wrangler.toml`, in every database. A failure does not keep the others from running. */
  async scheduled(_controller, env) {
    const runs = numbersIn(Object.keys(env)).flatMap((number) =>
      TASKS.map((task) => ({ number, ...task })),
    );
    const failures: string[] = [];
    const steps = Math.min(MAX_STEPS, Math.max(1, Math.floor(MAX_QUERIES / TRIES / runs.length)));
    for (const { number, task, rows } of runs) {
      const db = env[bindingOf(number)];
      if (db === undefined) continue;
      try {
        const { removed, hasMore } = await deleteInSteps(db, rows, steps);
        // The next run deletes the rest.
        log({ task, database: number || undefined, removed, more: hasMore || undefined });
      } catch (error) {
        failures.push(`${bindingOf(number)}: ${String(error)}`);
      }
    }
    // The runtime logs the message.
    if (failures.length > 0) throw new Error(failures.join('; '));
  },
} satisfies ExportedHandler<Env>;
