import * as z from 'zod/mini';
import { validate } from './validation.ts';

/** The query of a request. Not hono's, which decodes each broken escape by itself. */
export function queryOf(request: Request): URLSearchParams {
  return new URL(request.url).searchParams;
}

/**
 * Reads query parameters. A repeated parameter is passed as a list, which its schema rejects.
 * @throws InvalidRequest that names every unknown, repeated or invalid parameter
 */
export function readParameters<T>(query: URLSearchParams, schema: z.ZodMiniType<T>): T {
  // Not a Map: its hash of a name of digits is their value, so chosen names would take quadratic time.
  const values: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of query) {
    values[name] = name in values ? [] : value;
  }
  return validate(schema, values, { noun: 'parameter' });
}

/** The schema of an optional parameter that may occur once. */
export function parameter<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T, string>> {
  return z.optional(z.pipe(z.string({ error: 'given more than once' }), value));
}
