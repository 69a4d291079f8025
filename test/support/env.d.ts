declare namespace Cloudflare {
  interface Env {
    readonly DB: D1Database;
    readonly MIGRATIONS: import('cloudflare:test').D1Migration[];
  }
}
