import type { D1Migration } from 'cloudflare:test';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly DB: D1Database;
      /** The service has one database, unless a test binds these as further ones. */
      readonly OTHER_1: D1Database;
      readonly OTHER_2: D1Database;
      readonly OTHER_3: D1Database;
      readonly [further: `DB_${number}`]: D1Database | undefined;
      /** The database for the tests of a third collection. */
      readonly DB_WIDGETS: D1Database;
      readonly ASSETS: Fetcher;
      readonly KEY_RATE_LIMIT: RateLimit;
      readonly FAILURE_RATE_LIMIT: RateLimit;
      readonly DAILY_JOB_QUERIES: number;
      /** The files of `migrations`, for the tests to apply. */
      readonly MIGRATIONS: D1Migration[];
    }
  }
}
