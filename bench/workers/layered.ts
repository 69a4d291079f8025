import type { Context, Handler } from 'hono';
import { requestId } from 'hono/request-id';
import { Hono } from 'hono/tiny';
import type { ApiEnv, OuterEnv } from '../../src/http/api-env.ts';
import { errorResponse } from '../../src/http/error-response.ts';
import { requestLog } from '../../src/http/log.ts';
import { standardHeaders } from '../../src/http/response-headers.ts';
import { pathOf, routeExists } from '../../src/http/routing.ts';
import type { Surroundings } from './bare-operations.ts';
import { withLimits } from './service.ts';

/**
 * Returns a Worker with the service's routes and middleware around a handler, as `src/app.ts` has them.
 * @param addChecks adds what checks the key
 */
export function layered(
  addChecks: (app: Hono<OuterEnv>) => unknown,
  handler: Handler<ApiEnv>,
): ReturnType<typeof withLimits> {
  const app = new Hono<OuterEnv>({ getPath: pathOf });
  app.use(requestId());
  app.use(requestLog);
  app.use(standardHeaders);
  app.use(routeExists(app));
  addChecks(app);

  const routes = new Hono<ApiEnv>();
  for (const path of ['/', '/:id']) routes.get(path, handler);
  routes.post('/', handler);
  routes.patch('/:id', handler);
  app.route('/api/brand/v1/products', routes);
  app.onError(errorResponse);
  return withLimits(app);
}

/** Returns a function that responds as the service's handlers do. */
export function respondIn(c: Context): Surroundings['respond'] {
  return (body, status, headers) =>
    c.body(JSON.stringify(body), status, { 'Content-Type': 'application/json', ...headers });
}
