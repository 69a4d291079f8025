import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { NotFound } from '../errors.ts';
import { validate } from './validation.ts';

// The parameters of every operation pass through hono's zod validator. Here it never answers by itself: what
// `c.req.valid` returns is a function that returns the parameters or throws. An operation gives it to `checkAll`, which
// reports all problems of a request together.

/** A schema that only tells the validator the type of that function. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function handed<T>(): z.ZodMiniType<() => T, () => T> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return z.unknown() as z.ZodMiniType<() => T, () => T>;
}

/**
 * The query of a request, a repeated parameter as a list. hono's own function decodes each broken escape by itself, which
 * takes 13 ms for 16 KB.
 */
function queryOf(request: Request): Record<string, string[]> {
  // Not a Map: its hash of a name of digits is their value, so chosen names would take quadratic time.
  const values: Record<string, string[]> = {};
  if (!request.url.includes('?')) return values;
  Object.setPrototypeOf(values, null);
  for (const [name, value] of new URL(request.url).searchParams) (values[name] ??= []).push(value);
  return values;
}

/** Replaces `c.req.queries`, which the validator and POST call, by `queryOf`. */
export const boundedQuery = createMiddleware(async function boundedQuery(c, next) {
  const values = queryOf(c.req.raw);
  Object.defineProperty(c.req, 'queries', {
    value: (name?: string) => (name === undefined ? values : values[name]),
  });
  await next();
});

/**
 * Validates the query. `c.req.valid('query')` is then a function that returns the schema's output, or throws
 * InvalidRequest with every unknown, repeated or invalid parameter.
 * @param schema called when the parameters are read
 */
export function query<T>(
  schema: () => z.ZodMiniType<T>,
): MiddlewareHandler<object, string, { in: object; out: { query: () => T } }> {
  return zValidator('query', handed<T>(), undefined, {
    validationFunction: (_, sent) => ({
      success: true,
      data: () => validate(schema(), sent, { noun: 'parameter' }),
    }),
  });
}

/**
 * Validates the id in the path. `c.req.valid('param')` is then a function that returns it, or throws NotFound.
 * @param isId whether a resource can have this id
 * @param noun the resource's name in the error text
 */
export function idInPath(
  isId: (text: string) => boolean,
  noun: () => string,
): MiddlewareHandler<object, string, { in: object; out: { param: () => string } }> {
  return zValidator('param', handed<string>(), undefined, {
    validationFunction: (_, { id = '' }) => ({
      success: true,
      data: () => {
        if (!isId(id)) throw new NotFound(noun());
        return id;
      },
    }),
  });
}

/** The schema of an optional parameter that may occur once. */
export function parameter<T>(
  value: z.ZodMiniType<T, string>,
): z.ZodMiniOptional<z.ZodMiniType<T, string>> {
  return z.optional(z.pipe(z.string({ error: 'given more than once' }), value));
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

/** The schema of `true` and `false`. */
export function flag(): z.ZodMiniType<boolean, string> {
  return decoded(
    (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined),
    'expected true or false',
  );
}
