import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import type { JsonBody } from '../http/body.ts';
import type { PostParameters } from './post.ts';

/** One of the operations that share GET of a list, which reads the parameters that tell them apart. */
export type ListOperation<Query> = (c: Context<ApiEnv>, query: Query) => Promise<Response>;

/**
 * One of the operations that share POST. It checks the parameters with what else it checks, so that all problems of a
 * request are reported together.
 */
export type PostOperation = (
  c: Context<ApiEnv>,
  body: JsonBody,
  parameters: () => PostParameters,
) => Promise<Response>;
