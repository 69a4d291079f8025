import type { RequestIdVariables } from 'hono/request-id';
import type { BrandSession } from '../db/brand-session.ts';
import type { DatabaseBindings } from '../db/databases.ts';

/** The Worker's bindings in `wrangler.toml`. */
export interface Env extends DatabaseBindings {
  /** The files below `public`, including the OpenAPI document. */
  readonly ASSETS: Fetcher;
  readonly KEY_RATE_LIMIT: RateLimit;
  /** Counts the requests of each client address whose key was missing or rejected. */
  readonly FAILURE_RATE_LIMIT: RateLimit;
  /** How many queries to D1 a run of the daily job may make: a Worker does not know its plan. */
  readonly DAILY_JOB_QUERIES: number | undefined;
}

/**
 * How a request ended: the runtime took the whole response; the client disconnected before that; the client stayed
 * connected but stopped reading; or an error aborted the body.
 */
export type Ending = 'complete' | 'aborted' | 'stalled' | 'failed';

/** Hono's types for this service: the Worker's bindings, and the variables that middleware sets for handlers. */
export interface ApiEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    session: BrandSession;
    /** The SHA-256 of the request's key, which is well-formed but may be unknown. */
    keyHash: string;
    /** What the client sent, of operations that take a body. The stream can be read once. */
    body: ArrayBuffer;
    /** How a streamed body ended. Resolves when no more data is produced; rejects if producing failed. */
    finished?: Promise<Ending>;
  };
}

/** The same types for requests that may not have a session yet. */
export interface OuterEnv {
  Bindings: Env;
  Variables: Partial<ApiEnv['Variables']> & RequestIdVariables;
}
