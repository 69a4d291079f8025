import { createMiddleware } from 'hono/factory';
import { PlainHttp } from '../errors.ts';

/**
 * Rejects a request that came to Cloudflare over plain HTTP, which a domain of the operator's own serves unless its zone
 * forbids it. The edge sets the header itself. Without it, as in local development or behind a tunnel, nothing is rejected.
 * @throws PlainHttp
 */
export const requireHttps = createMiddleware(async function requireHttps(c, next) {
  // {"scheme":"http"}
  if (c.req.header('CF-Visitor')?.includes('"http"')) throw new PlainHttp();
  await next();
});
