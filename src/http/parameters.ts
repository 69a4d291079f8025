import type * as z from 'zod/mini';
import { validate } from './validation.ts';

/**
 * Reads the query parameters of a request. A parameter that is given more than once is no string, so that its rule
 * refuses it.
 * @throws InvalidRequest naming every unknown, repeated or wrong one
 */
export function readParameters<T>(url: string, schema: z.ZodMiniType<T>): T {
  const values = new Map<string, unknown>();
  for (const [name, value] of new URL(url).searchParams) {
    values.set(name || '""', values.has(name) ? [] : value);
  }
  return validate(schema, Object.fromEntries(values), { noun: 'parameter' });
}
