import type { RequestIdVariables } from 'hono/request-id';
import type { BrandSession } from '../db/brand-session.ts';
import type { Env } from '../env.ts';
import type { Problem } from '../errors.ts';

/**
 * How a request ended: the whole response was handed to the runtime; the client disconnected before that; the client
 * stayed but stopped reading; or the body broke off because of an error.
 */
export type Ending = 'complete' | 'aborted' | 'stalled' | 'failed';

/** Hono's types of this service: the Worker's bindings, and what middleware hands to handlers. */
export interface ApiEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    session: BrandSession;
    /** The SHA-256 of the request's key, which is well-formed and may be unknown. */
    keyHash: string;
    /** What is wrong with headers that every operation reads. The operation reports it with its own findings. */
    headerProblems?: readonly Problem[];
    /** How a streamed body ended; settles when no more of it is produced, and rejects if producing it failed. */
    finished?: Promise<Ending>;
  };
}

/** The same where a request may not have come as far as a session. */
export interface OuterEnv {
  Bindings: Env;
  Variables: Partial<ApiEnv['Variables']> & RequestIdVariables;
}
