import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import type { JsonBody } from '../http/body.ts';

/** An operation behind GET of a list. The parameters, already parsed, select which one runs. */
export type ListOperation<Query> = (c: Context<ApiEnv>, query: Query) => Promise<Response>;

/** The parameters of a POST. */
export interface PostParameters {
  /** The field that a push matches by; undefined for a POST that only creates. */
  readonly match: string | undefined;
  /** Whether to report what the push would do, and write nothing. */
  readonly isDryRun: boolean;
}

/**
 * An operation behind POST. It validates the parameters together with body and headers, so that all problems of a
 * request are reported together.
 */
export type PostOperation = (
  c: Context<ApiEnv>,
  body: JsonBody,
  parameters: () => PostParameters,
) => Promise<Response>;
