import { zValidator } from '@hono/zod-validator';
import * as z from 'zod/mini';
import type { Shape } from '../fields/schema.ts';
import { ProblemList } from './validation.ts';

/**
 * Hono's validator of the query, with the errors of this service: `c.req.valid('query')` has the schema's output.
 * @throws InvalidRequest with every unknown, repeated or invalid parameter
 */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the validator's own type has what `valid` returns
export function query<T>(schema: z.ZodMiniType<T>) {
  return zValidator('query', schema, (result, c) => {
    const problems = new ProblemList();
    if (!result.success) problems.add(result.error.issues);
    // Hono leaves out a parameter whose name is empty.
    if (hasNamelessParameter(c.req.url))
      problems.listed.push({ path: '""', message: 'unknown parameter' });
    problems.throwIfAny();
  });
}

/** Whether the query of a URL has a value without a name, such as `?=x`. */
function hasNamelessParameter(url: string): boolean {
  return url.includes('?') && new URL(url).searchParams.has('');
}

/** The schema of an operation's parameters. An unknown one is rejected by name, and the error names those that there are. */
export function parameters<S extends Shape>(shape: S): z.ZodMiniObject<S, z.core.$strict> {
  const names = Object.keys(shape).join(', ');
  return z.strictObject(shape, { error: `unknown parameter, expected one of ${names}` });
}

/** The schema of an optional parameter that may occur once. */
export function parameter<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T, string>> {
  return z.optional(z.pipe(z.string({ error: 'given more than once' }), value));
}

/** The schema of an optional parameter that may occur several times: its values. A problem names the place of a value. */
export function parameterList<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T[]>> {
  return z.optional(
    z.pipe(
      z.transform((given: unknown, context) => {
        const texts = [given].flat();
        return texts.flatMap((text, index) => {
          const { success, data, error } = value.safeParse(text);
          if (success) return [data];
          for (const { message } of error.issues) {
            const path = texts.length > 1 ? [index] : [];
            context.issues.push({ code: 'custom', input: text, message, path, continue: true });
          }
          return [];
        });
      }),
      z.array(z.custom<T>()),
    ),
  );
}

/** The schema of a text that stands for another value. It rejects the text if `decode` returns undefined. */
export function decoded<T>(
  decode: (text: string) => T | undefined,
  error: string,
): z.ZodMiniType<T, string> {
  return z.pipe(
    z.string(),
    z.transform((input, context) => {
      const value = decode(input);
      if (value !== undefined) return value;
      // With `continue`, the checks of several parameters run too, so that all problems are reported together.
      context.issues.push({ code: 'custom', input, message: error, continue: true });
      return z.NEVER;
    }),
  );
}

export function flag(): z.ZodMiniType<boolean, string> {
  return decoded(
    (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    'expected true or false',
  );
}
