import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { matchedRoutes } from 'hono/route';
import { METHOD_NAME_ALL } from 'hono/router';
import type { Hono } from 'hono/tiny';
import { MethodNotAllowed, NotFound } from '../errors.ts';
import type { OuterEnv } from './api-env.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The path of a request, for hono's router. No path has an escape, so each becomes a character that no path has either. */
export function pathOf(request: Request): string {
  return new URL(request.url).pathname.replaceAll('%', '*');
}

/** Returns the route pattern of a request's operation; undefined if only middleware matched. */
export function operationRoute(c: Context): string | undefined {
  return matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL)?.path;
}

/**
 * Rejects requests that only middleware matches: an unknown path or method is reported before a missing key. Answers
 * OPTIONS with 204 on a known path. hono's own `method-not-allowed` would add a second router.
 * @param app the app whose routes define the methods of a path
 * @throws NotFound, MethodNotAllowed
 */
export function routeExists(app: Hono<OuterEnv>): MiddlewareHandler<OuterEnv> {
  return createMiddleware<OuterEnv>(async function routeExists(c, next) {
    // Paths are exact; the router would let a trailing slash pass.
    if (c.req.path.endsWith('/')) throw new NotFound();
    if (operationRoute(c) !== undefined) return next();
    const methods = METHODS.filter((method) => {
      const [matched] = app.router.match(method, c.req.path);
      return matched.some(([[, route]]) => route.method !== METHOD_NAME_ALL);
    });
    if (methods.length === 0) throw new NotFound();
    // Every path with GET also supports HEAD.
    const allow = [...methods, 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow });
    throw new MethodNotAllowed(methods, allow);
  });
}
