import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { METHOD_NAME_ALL } from 'hono/router';

/** The path of the operation that a request is for, as its route has it; undefined where only middleware matched. */
export function operationRoute(c: Context): string | undefined {
  return matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL)?.path;
}
