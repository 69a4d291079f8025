import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** An operation: takes a request's context and returns its response. */
export type Operation = (c: Context<ApiEnv>) => Promise<Response>;
