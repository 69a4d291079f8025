import { zValidator } from '@hono/zod-validator';
import { and, asc, eq, getTableColumns, gte } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { Hono } from 'hono';
import * as z from 'zod';
import { newId } from '../../src/collection/identifier.ts';
import { apiKeys, products } from '../../src/db/tables.ts';
import { sha256 } from '../../src/hash.ts';
import { DEFAULTS, REQUIRED } from './product-fields.ts';

// The usual design of such services: Hono, its zod validator, drizzle, and a middleware that looks the key up before
// the handler runs its query.

const percent = z.number().min(-1000).max(100);
const time = z.iso.datetime().nullable();
const optional = z
  .object({
    description: z.string().max(65_535),
    handle: z.string().max(255),
    sku: z.string().min(1).max(255).nullable(),
    currencyCode: z.string().length(3),
    discountPercent: percent.min(0),
    marginPercent: percent.nullable(),
    featured: z.boolean(),
    imageUrl: z.url().nullable(),
    imageUrls: z.array(z.url()).max(250),
    serviceInventoryQuantity: z.int().min(0),
    storeInventoryQuantity: z.int(),
    serviceListingStatus: z.enum(['DRAFT', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED']),
    storeProductId: z.string().min(1).max(255).nullable(),
    storeVariantId: z.string().min(1).max(255).nullable(),
    storeStatus: z.enum(['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']).nullable(),
    source: z.string().max(32),
    marketplaceCategory: z.string().max(64),
    syncStatus: z.enum(['SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED']),
    lastSyncedAt: time,
    sourceUpdatedAt: time,
    lastSyncError: z.string().max(2000).nullable(),
  })
  .partial();
const product = optional.extend({
  title: z.string().trim().min(1).max(255),
  priceCents: z.int().min(0),
});
const listQuery = z
  .object({
    limit: z.coerce.number().int().min(1).max(250),
    storeProductId: z.string(),
    updatedSince: z.iso.datetime(),
  })
  .partial();

const {
  brandId: _brandId,
  revision: _revision,
  changeNumber: _,
  ...shown
} = getTableColumns(products);

/** This design does not number its changes, but the table demands a number. */
const changeNumber = 1;

/** zod's types allow `undefined` in optional fields; a body of JSON has none. */
function sent<T extends object>(body: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return body as { [K in keyof T]: Exclude<T[K], undefined> };
}

interface AppEnv {
  Bindings: { readonly DB: D1Database };
  Variables: { brandId: string };
}

const app = new Hono<AppEnv>().basePath('/api/brand/v1');

// Looks the key up with a separate call to D1, as most services do.
app.use(async (c, next) => {
  const apiKey = c.req.header('Authorization')?.replace(/^Bearer /, '') ?? '';
  const isThisKey = eq(apiKeys.hash, await sha256(apiKey));
  const key = await drizzle(c.env.DB).select().from(apiKeys).where(isThisKey).get();
  const now = new Date().toISOString();
  if (key?.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    return c.json({ error: 'Invalid API key.' }, 401);
  }
  c.set('brandId', key.brandId);
  return next();
});

app.get('/products', zValidator('query', listQuery), async (c) => {
  const { limit = -1, storeProductId, updatedSince } = c.req.valid('query');
  const isWanted = and(
    eq(products.brandId, c.var.brandId),
    storeProductId === undefined ? undefined : eq(products.storeProductId, storeProductId),
    updatedSince === undefined ? undefined : gte(products.updatedAt, updatedSince),
  );
  const query = drizzle(c.env.DB).select(shown).from(products).where(isWanted);
  return c.json({ products: await query.orderBy(asc(products.id)).limit(limit) });
});

app.get('/products/:id', async (c) => {
  const found = await drizzle(c.env.DB)
    .select(shown)
    .from(products)
    .where(and(eq(products.brandId, c.var.brandId), eq(products.id, c.req.param('id'))))
    .get();
  return found ? c.json({ product: found }) : c.json({ error: 'Product not found.' }, 404);
});

app.post('/products', zValidator('json', product), async (c) => {
  const body = sent(c.req.valid('json'));
  const [id, now] = [newId(), new Date().toISOString()];
  const handle = body.title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const assigned = { id, brandId: c.var.brandId, revision: id, createdAt: now, updatedAt: now };
  const made = await drizzle(c.env.DB)
    .insert(products)
    .values({ handle, ...REQUIRED, ...DEFAULTS, ...body, ...assigned, changeNumber })
    .returning(shown)
    .get();
  return c.json({ product: made }, 201);
});

app.patch('/products/:id', zValidator('json', product.partial()), async (c) => {
  const assigned = { revision: crypto.randomUUID(), updatedAt: new Date().toISOString() };
  const changed = await drizzle(c.env.DB)
    .update(products)
    .set({ ...c.req.valid('json'), ...assigned })
    .where(and(eq(products.brandId, c.var.brandId), eq(products.id, c.req.param('id'))))
    .returning(shown)
    .get();
  return c.json({ product: changed });
});

app.delete('/products/:id', async (c) => {
  const isWanted = and(eq(products.brandId, c.var.brandId), eq(products.id, c.req.param('id')));
  await drizzle(c.env.DB).delete(products).where(isWanted);
  return c.body(null, 204);
});

export default app;
