import { createMiddleware } from 'hono/factory';
import { sha256 } from '../../src/hash/sha256.ts';

/** The variables that the key check sets for handlers. */
export interface KeyEnv {
  Bindings: { readonly DB: D1Database };
  Variables: { brandId: string };
}

/** Looks the key up with a separate call to D1, as most services do. */
export const keyCheck = createMiddleware<KeyEnv>(async (c, next) => {
  const apiKey = c.req.header('Authorization')?.replace(/^Bearer /, '') ?? '';
  const { results } = await c.env.DB.prepare('select * from api_keys where hash = ?')
    .bind(await sha256(apiKey))
    .all<{ brand_id: string; revoked_at: string | null; expires_at: string | null }>();
  const [key] = results;
  const now = new Date().toISOString();
  if (key?.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) {
    return c.json({ error: 'Invalid API key.' }, 401);
  }
  c.set('brandId', key.brand_id);
  return next();
});
