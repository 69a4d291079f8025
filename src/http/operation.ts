import type { Context } from 'hono';
import type { ApiEnv } from './api-env.ts';

/** An operation: takes a request's context and returns its response. */
export type Operation = (c: Context<ApiEnv>) => Promise<Response>;

/**
 * An operation with parameters: they come as a function for `checkAll`, which returns them or throws what is wrong with
 * them.
 */
export type OperationWith<Parameters> = (
  c: Context<ApiEnv>,
  readParameters: () => Parameters,
) => Promise<Response>;

/** An operation on the resource whose id is in the path. The function throws NotFound if no resource can have the id. */
export type ItemOperation = OperationWith<string>;
