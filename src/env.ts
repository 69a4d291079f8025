/** What the Worker is bound to in `wrangler.toml`. */
export interface Env {
  readonly DB: D1Database;
  /** The files below `public`, the OpenAPI document among them. */
  readonly ASSETS: Fetcher;
  /** Counts the requests of each API key. */
  readonly KEY_RATE_LIMIT: RateLimit;
  /** Counts the requests of each client address whose key was missing or refused. */
  readonly FAILURE_RATE_LIMIT: RateLimit;
}
