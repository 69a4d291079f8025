import type { Hono, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { methodNotAllowed as honoMethodNotAllowed } from 'hono/method-not-allowed';
import { MethodNotAllowed } from '../errors.ts';
import type { OuterEnv } from './api-env.ts';
import { errorResponse } from './error-response.ts';
import { operationRoute } from './operation-route.ts';

/**
 * Answers 405 with `Allow`, and OPTIONS with 204, on a path that exists under other methods.
 * @param app whose routes say which methods a path has
 */
export function methodNotAllowed(app: Hono<OuterEnv>): MiddlewareHandler<OuterEnv> {
  return honoMethodNotAllowed<OuterEnv>({
    app,
    onMethodNotAllowed: (c, methods) => {
      const allow = [...methods, 'OPTIONS'].join(', ');
      // Hono would carry the 404's own headers over.
      c.res.headers.delete('Content-Type');
      if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow });
      const named = methods.filter((method) => method !== 'HEAD');
      return errorResponse(new MethodNotAllowed(named, allow), c);
    },
  });
}

/** Goes no further where only middleware matched: that a path or method does not exist is said before a key is asked for. */
export const routeExists = createMiddleware<OuterEnv>(async function routeExists(c, next) {
  if (operationRoute(c) === undefined) return c.notFound();
  return next();
});
