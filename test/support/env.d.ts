import type { D1Migration } from 'cloudflare:test';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly DB: D1Database;
      /** Further databases, for the tests of sharding. */
      readonly DB_01: D1Database;
      readonly DB_02: D1Database;
      /** The database for the tests of a third collection. */
      readonly DB_WIDGETS: D1Database;
      /** Without tables, for the test of migrations on rows that are there. */
      readonly ASSETS: Fetcher;
      readonly KEY_RATE_LIMIT: RateLimit;
      readonly FAILURE_RATE_LIMIT: RateLimit;
      readonly MIGRATIONS: D1Migration[];
    }
  }
}
