import { app } from './app.ts';
import { bindingOf, numbersIn } from './db/databases.ts';
import { removeExpiredRecords, removeExpiredTombstones } from './db/sweep.ts';
import type { Env } from './env.ts';
import { log } from './http/log.ts';

/** The most queries to D1 that an invocation may make on the paid plan. */
const MOST_QUERIES = 1000;

const TASKS = [
  { task: 'remove expired idempotency records', remove: removeExpiredRecords },
  { task: 'remove expired tombstones', remove: removeExpiredTombstones },
];

export default {
  fetch: app.fetch,

  /** Runs daily, on the schedule in `wrangler.toml`, in every database. */
  async scheduled(_controller, env) {
    const runs = numbersIn(Object.keys(env)).flatMap((number) =>
      TASKS.map(({ task, remove }) => ({ number, task, remove })),
    );
    const failures: unknown[] = [];
    let queries = MOST_QUERIES;
    for (const [index, { number, task, remove }] of runs.entries()) {
      const db = env[bindingOf(number)];
      if (db === undefined) continue;
      // What one task leaves is for the rest.
      const share = Math.floor(queries / (runs.length - index));
      const allowance = { queries: share };
      try {
        const removed = await remove(db, allowance);
        log({ task, database: number || undefined, removed });
      } catch (error) {
        // The others go on.
        failures.push(number === 0 ? error : new Error(`${bindingOf(number)}: ${String(error)}`));
      }
      queries -= share - allowance.queries;
    }
    // The runtime logs the message.
    if (failures.length > 1) throw new AggregateError(failures, failures.join('; '));
    if (failures.length > 0) throw failures[0];
  },
} satisfies ExportedHandler<Env>;
