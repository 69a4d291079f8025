import type * as z from 'zod/mini';
import { InvalidRequest } from '../errors.ts';
import { problems } from './validation.ts';

/**
 * Reads the query parameters of a request. A parameter that is given more than once is no string, so that its rule
 * refuses it.
 * @throws InvalidRequest naming every unknown, repeated or wrong one
 */
export function readParameters<S extends z.ZodMiniType>(url: string, schema: S): z.output<S> {
  const values = new Map<string, unknown>();
  for (const [name, value] of new URL(url).searchParams) {
    values.set(name || '""', values.has(name) ? [] : value);
  }
  const result = schema.safeParse(Object.fromEntries(values));
  if (!result.success) throw new InvalidRequest(problems(result.error, 'parameter'));
  return result.data;
}
