import { app } from './app.ts';
import { removeExpiredRecords, removeExpiredTombstones } from './db/sweep.ts';
import type { Env } from './env.ts';
import { log } from './http/log.ts';

export default {
  fetch: app.fetch,

  /** Runs daily, on the schedule in `wrangler.toml`. */
  async scheduled(_controller, env) {
    try {
      log({
        task: 'remove expired idempotency records',
        removed: await removeExpiredRecords(env.DB),
      });
    } finally {
      // Even if the other task failed. The runtime logs the failure.
      log({ task: 'remove expired tombstones', removed: await removeExpiredTombstones(env.DB) });
    }
  },
} satisfies ExportedHandler<Env>;
