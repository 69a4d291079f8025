/**
 * Stands for drizzle's `sql` in the Worker's bundle (`alias` in wrangler.toml). drizzle's integer column uses it for a
 * default that no table here has. It would bring drizzle's query builder and its Postgres columns: 3 KB in gzip.
 */
export function sql(): never {
  throw new Error("The Worker has no drizzle sql: use the service's own.");
}
