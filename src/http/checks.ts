import type { Context } from 'hono';
import type { Problem } from '../errors.ts';
import { InvalidRequest } from '../errors.ts';
import type { ApiEnv } from './api-env.ts';

/**
 * Runs all checks of a request's headers, parameters and body, so that their problems are reported together. Every
 * operation calls it before it reads the resource, even without checks of its own, because the headers that all
 * operations share may have problems.
 *
 * Example: `const [fields, precondition] = checkAll(c, () => validate(schema, body.take()), () => readPrecondition(headers))`
 * reports a wrong field and a malformed `If-Match` in one error.
 * @returns the results of the checks, in order
 * @throws InvalidRequest with the problems of all checks; any other error of a check is rethrown immediately
 */
export function checkAll<T extends readonly unknown[]>(
  c: Context<ApiEnv>,
  ...checks: { readonly [K in keyof T]: () => T[K] }
): T {
  const problems: Problem[] = [...(c.get('headerProblems') ?? [])];
  let unlisted = 0;
  const results = checks.map((check: () => unknown) => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      problems.push(...error.problems);
      unlisted += error.unlisted;
      return undefined;
    }
  });
  if (problems.length > 0) throw new InvalidRequest(problems, unlisted);
  return resultsOf<T>(results);
}

/** Each check returned its result, in order; TypeScript does not track a tuple through `map`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
function resultsOf<T extends readonly unknown[]>(results: readonly unknown[]): T {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- see above
  return results as unknown as T;
}
