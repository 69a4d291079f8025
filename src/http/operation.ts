import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** One operation: takes a request, gives its answer. */
export type Operation = (c: Context<ApiEnv>) => Promise<Response>;
