import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';

/** The security headers of a JSON API: nothing in an answer is to be run, framed, sniffed or referred to. */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  strictTransportSecurity: 'max-age=31536000; includeSubDomains',
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: 'DENY',
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/** Every answer belongs to one key's owner and to one moment: nothing on the way may keep it. */
export const noStore = createMiddleware(async function noStore(c, next) {
  c.header('Cache-Control', 'no-store');
  await next();
});
