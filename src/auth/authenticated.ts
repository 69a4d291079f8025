import { createMiddleware } from 'hono/factory';
import { BrandSession } from '../db/brand-session.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { sha256 } from '../hash.ts';
import { databaseOfKey } from './api-key.ts';
import { readBookmark, sendBookmark } from './bookmark.ts';
import { readApiKey } from './credentials.ts';
import { RATE_LIMIT_POLICY } from './limits.ts';
import { countRequest } from './rate-limits.ts';

/**
 * Opens the session through which a handler calls D1. The handler's own call checks the key, in the same transaction as
 * its work. If a request fails before that call, for example because of a bad body, the key is checked afterwards: a
 * bad key is reported before anything else.
 */
export const authenticated = createMiddleware<ApiEnv>(async function authenticated(c, next) {
  const key = readApiKey(c.req.raw.headers);
  // A plain SHA-256 is enough: nobody can guess 256 random bits.
  const keyHash = await sha256(key);
  c.set('keyHash', keyHash);
  await countRequest(c, keyHash);
  const database = databaseOfKey(key);
  const session = new BrandSession({
    databases: c.env,
    database,
    keyHash,
    access: ['GET', 'HEAD'].includes(c.req.method) ? 'read' : 'write',
    bookmark: () => readBookmark(c.req.raw.headers, database),
  });
  c.set('session', session);

  // hono's `next` never rejects: an error of the handler is in `c.error`, and its response in `c.res`.
  await next();

  try {
    await session.authenticate();
  } finally {
    if (session.brandId !== undefined) {
      c.res.headers.set('RateLimit-Policy', RATE_LIMIT_POLICY);
      const { bookmark } = session;
      if (bookmark !== null) sendBookmark(c, bookmark, database);
    }
  }
});
