import { createMiddleware } from 'hono/factory';
import { BrandSession } from '../db/brand-session.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { RATE_LIMIT_POLICY } from '../http/api-env.ts';
import { BOOKMARK, numberedBookmark, readBookmark } from '../http/bookmark.ts';
import { databaseOfKey, hashApiKey } from './api-key.ts';
import { readApiKey } from './credentials.ts';
import { countRequest } from './rate-limits.ts';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Opens the session through which a handler calls D1. The handler's own call checks the key, in the same transaction as
 * its work. If a request fails before that call, for example because of a bad body, the key is checked afterwards: a
 * bad key is reported before anything else.
 */
export const authenticated = createMiddleware<ApiEnv>(async function authenticated(c, next) {
  const key = readApiKey(c.req.raw.headers);
  const keyHash = await hashApiKey(key);
  c.set('keyHash', keyHash);
  await countRequest(c, keyHash);
  const access = READS.has(c.req.method) ? 'read' : 'write';
  const database = databaseOfKey(key);
  const bookmark = (): string | undefined => readBookmark(c.req.raw.headers, database);
  const session = new BrandSession(c.env, database, keyHash, access, bookmark);
  c.set('session', session);

  // hono's `next` never rejects: an error of the handler is in `c.error`, and its response in `c.res`.
  await next();

  try {
    if (!session.hasCheckedKey) await session.authenticate();
  } finally {
    if (session.brandId !== undefined) {
      c.res.headers.set('RateLimit-Policy', RATE_LIMIT_POLICY);
      const latest = session.bookmark;
      if (latest !== null) c.res.headers.set(BOOKMARK, numberedBookmark(latest, database));
    }
  }
});
