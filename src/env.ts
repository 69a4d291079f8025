/** What the Worker is bound to in `wrangler.toml`. */
export interface Env {
  readonly DB: D1Database;
}
