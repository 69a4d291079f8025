import type { MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import { METHOD_NAME_ALL } from 'hono/router';
import type { Hono } from 'hono/tiny';
import { MethodNotAllowed, NotFound } from '../errors.ts';
import type { OuterEnv } from './api-env.ts';
import { operationRoute } from './operation-route.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Goes no further if only middleware matched: that a path or a method does not exist is said before a key is asked for.
 * Answers OPTIONS with 204 on a path that exists. hono's own `method-not-allowed` brings a second router along.
 * @param app whose routes say which methods a path has
 * @throws NotFound, MethodNotAllowed
 */
export function routeExists(app: Hono<OuterEnv>): MiddlewareHandler<OuterEnv> {
  const hasOperation = (method: string, path: string): boolean =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method !== METHOD_NAME_ALL);

  return createMiddleware<OuterEnv>(async function routeExists(c, next) {
    // Paths are exact; the router would let a trailing slash pass.
    if (c.req.path.endsWith('/')) throw new NotFound();
    if (operationRoute(c) !== undefined) return next();
    const methods = METHODS.filter((method) => hasOperation(method, c.req.path));
    if (methods.length === 0) throw new NotFound();
    // HEAD is answered wherever GET is.
    const allow = [...methods, 'OPTIONS'].join(', ').replace('GET', 'GET, HEAD');
    if (c.req.method === 'OPTIONS') return c.body(null, 204, { Allow: allow });
    throw new MethodNotAllowed(methods, allow);
  });
}
