import { app } from './app.ts';
import { removeExpiredRecords } from './db/sweep.ts';
import type { Env } from './env.ts';
import { log } from './http/log.ts';

export default {
  fetch: app.fetch,

  /** Runs daily, as `wrangler.toml` says. */
  async scheduled(_controller, env) {
    log({
      task: 'remove expired idempotency records',
      removed: await removeExpiredRecords(env.DB),
    });
  },
} satisfies ExportedHandler<Env>;
