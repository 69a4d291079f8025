/** The Worker's bindings in `wrangler.toml`. */
export interface Env {
  readonly DB: D1Database;
  /** The files below `public`, including the OpenAPI document. */
  readonly ASSETS: Fetcher;
  /** Counts the requests of each API key. */
  readonly KEY_RATE_LIMIT: RateLimit;
  /** Counts the requests of each client address whose key was missing or rejected. */
  readonly FAILURE_RATE_LIMIT: RateLimit;
}
