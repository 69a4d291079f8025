import { Hono } from 'hono/tiny';
import { requestId } from 'hono/request-id';
import { authenticated } from './auth/authenticated.ts';
import { limitFailedAuthentication } from './auth/rate-limits.ts';
import type { Collection } from './collection/collection.ts';
import { collectionRoutes } from './collection/routes.ts';
import { NotFound } from './errors.ts';
import type { ApiEnv, OuterEnv } from './http/api-env.ts';
import { requireHttps } from './http/https.ts';
import { errorResponse, standardHeaders } from './http/json-response.ts';
import { requestLog } from './http/log.ts';
import { openapiDocument } from './http/openapi-document.ts';
import { pathOf, routeExists } from './http/routing.ts';
import { profileRoutes } from './resources/profile-routes.ts';
import { collections as registered } from './resources/registry.ts';

/**
 * Builds the whole service. A request passes these lines from top to bottom, its response from bottom to top.
 * @param operations below `/api/brand/v1`. The first whose route matches answers
 */
export function createApp(operations: readonly Hono<ApiEnv>[]): Hono<OuterEnv> {
  const app = new Hono<OuterEnv>({ getPath: pathOf });

  app.use(requestId());
  app.use(requestLog);
  app.use(standardHeaders);
  app.use('/api/*', requireHttps);
  app.use(routeExists(app));
  app.get('/api/brand/v1/openapi.json', openapiDocument);
  app.use('/api/brand/v1/*', limitFailedAuthentication, authenticated);

  for (const routes of operations) app.route('/api/brand/v1', routes);

  app.notFound((c) => errorResponse(new NotFound(), c));
  app.onError(errorResponse);
  return app;
}

/** The operations of a service with these collections. */
export function operationsOf(collections: readonly Collection[]): Hono<ApiEnv>[] {
  return [profileRoutes, ...collections.map(collectionRoutes)];
}

export const app = createApp(operationsOf(registered));
