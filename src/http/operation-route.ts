import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { METHOD_NAME_ALL } from 'hono/router';

/** Returns the route pattern of a request's operation; undefined if only middleware matched. */
export function operationRoute(c: Context): string | undefined {
  return matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL)?.path;
}
