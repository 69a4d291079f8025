import * as z from 'zod/mini';
import { validate } from './validation.ts';

/**
 * Reads the query parameters of a request. A repeated parameter is passed as a list, which its schema rejects.
 * @throws InvalidRequest that names every unknown, repeated or invalid parameter
 */
export function readParameters<T>(url: string, schema: z.ZodMiniType<T>): T {
  const values = new Map<string, unknown>();
  for (const [name, value] of new URL(url).searchParams) {
    values.set(name || '""', values.has(name) ? [] : value);
  }
  return validate(schema, Object.fromEntries(values), { noun: 'parameter' });
}

/** The schema of an optional parameter that may occur once. */
export function parameter<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T, string>> {
  return z.optional(z.pipe(z.string({ error: 'given more than once' }), value));
}
