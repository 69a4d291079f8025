import type { DatabaseBinding } from './db/databases.ts';

/** The Worker's bindings in `wrangler.toml`. */
export interface Env extends Databases {
  /** The files below `public`, including the OpenAPI document. */
  readonly ASSETS: Fetcher;
  /** Counts the requests of each API key. */
  readonly KEY_RATE_LIMIT: RateLimit;
  /** Counts the requests of each client address whose key was missing or rejected. */
  readonly FAILURE_RATE_LIMIT: RateLimit;
}

/** The bindings of the databases. */
export interface Databases {
  readonly DB: D1Database;
  /** Further databases, if brands are spread over several. */
  readonly [further: Exclude<DatabaseBinding, 'DB'>]: D1Database | undefined;
}
