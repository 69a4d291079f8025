// The limits that clients are told. `wrangler.toml` sets those of the bindings.

/** Requests per key and period. */
export const KEY_LIMIT = 1000;

/** Requests without a valid key per client address, of IPv6 its /64, and period. */
export const FAILURE_LIMIT = 300;

/** The period of both limits, in seconds. */
export const PERIOD = 10;

/**
 * The `RateLimit-Policy` header: quota and window (draft-ietf-httpapi-ratelimit-headers). The binding does not report
 * how many requests remain.
 */
export const RATE_LIMIT_POLICY = `"key";q=${KEY_LIMIT};w=${PERIOD}`;
