import type * as z from 'zod/mini';
import type { Problem } from '../errors.ts';
import { InvalidRequest } from '../errors.ts';

const LONGEST_NAME = 100;

/**
 * Holds a value against a schema.
 * @throws InvalidRequest naming every problem
 */
export function validate<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new InvalidRequest(problems(result.error));
  return result.data;
}

/**
 * zod's issues as problems with dotted paths, an unknown field each its own.
 * @param noun what an unknown key is called
 * @param root what the value itself is called
 */
export function problems(error: z.core.$ZodError, noun = 'field', root = 'body'): Problem[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code !== 'unrecognized_keys') {
      return [{ path: path.join('.') || root, message: issue.message }];
    }
    return issue.keys.map((key) => ({
      path: [...path, key.length > LONGEST_NAME ? `${key.slice(0, LONGEST_NAME)}…` : key].join('.'),
      message: `unknown ${noun}`,
    }));
  });
}
