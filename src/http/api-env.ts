import type { RequestIdVariables } from 'hono/request-id';
import type { BrandSession } from '../db/brand-session.ts';
import type { Env } from '../env.ts';

/** Hono's types of this service: the Worker's bindings, and what middleware hands to handlers. */
export interface ApiEnv {
  Bindings: Env;
  Variables: RequestIdVariables & {
    session: BrandSession;
    /** The SHA-256 of the request's key, which is well-formed and may be unknown. */
    keyHash: string;
    /** Settles when a body that is made while it is sent has been made, or could not be. */
    finished?: Promise<void>;
  };
}

/** The same where a request may not have come as far as a session. */
export interface OuterEnv {
  Bindings: Env;
  Variables: Partial<ApiEnv['Variables']> & RequestIdVariables;
}
