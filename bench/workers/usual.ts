import { zValidator } from '@hono/zod-validator';
import { and, asc, eq, getTableColumns } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { Hono } from 'hono';
import { v7 } from 'uuid';
import * as z from 'zod';
import { apiKeys, products } from '../../src/db/tables.ts';
import { sha256 } from '../../src/hash/sha256.ts';

// The design that most services of this kind have: Hono, its zod validator, drizzle, and a middleware that looks the
// key up before the handler makes its own query.

interface UsualEnv {
  Bindings: { readonly DB: D1Database };
  Variables: { brandId: string };
}

const product = z.strictObject({
  title: z.string().trim().min(1).max(255),
  description: z.string().max(65_535).default(''),
  handle: z.string().max(255).optional(),
  sku: z.string().min(1).max(255).nullable().default(null),
  priceCents: z.int().min(0),
  currencyCode: z.string().length(3).default('USD'),
  discountPercent: z.number().min(0).max(100).default(0),
  marginPercent: z.number().min(-1000).max(100).nullable().default(null),
  featured: z.boolean().default(false),
  imageUrl: z.url().nullable().default(null),
  imageUrls: z.array(z.url()).max(250).default([]),
  marketplaceCategory: z.string().max(64).default('OTHER'),
  serviceInventoryQuantity: z.int().min(0).default(0),
  serviceListingStatus: z
    .enum(['DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED'])
    .default('DRAFT'),
  storeInventoryQuantity: z.int().default(0),
  storeProductId: z.string().min(1).max(255).nullable().default(null),
  storeVariantId: z.string().min(1).max(255).nullable().default(null),
  storeStatus: z.enum(['ACTIVE', 'DRAFT', 'ARCHIVED', 'UNLISTED']).nullable().default(null),
  source: z.string().max(32).default('API'),
  syncStatus: z.enum(['SYNCED', 'PENDING', 'FAILED', 'NOT_LINKED']).default('NOT_LINKED'),
  lastSyncedAt: z.iso.datetime().nullable().default(null),
  lastSyncError: z.string().max(2000).nullable().default(null),
  sourceUpdatedAt: z.iso.datetime().nullable().default(null),
});

// Defaults are for new products: a change leaves alone what it does not name.
const changes = z.strictObject({
  title: product.shape.title.optional(),
  description: product.shape.description.unwrap().optional(),
  priceCents: product.shape.priceCents.optional(),
  featured: product.shape.featured.unwrap().optional(),
  serviceInventoryQuantity: product.shape.serviceInventoryQuantity.unwrap().optional(),
  serviceListingStatus: product.shape.serviceListingStatus.unwrap().optional(),
  storeInventoryQuantity: product.shape.storeInventoryQuantity.unwrap().optional(),
});

const listQuery = z.object({ limit: z.coerce.number().int().min(1).max(250).optional() });

const { brandId: _brandId, revision: _revision, ...shown } = getTableColumns(products);

const app = new Hono<UsualEnv>().basePath('/api/brand/v1');

app.use(async (c, next) => {
  const apiKey = c.req.header('Authorization')?.replace(/^Bearer /, '') ?? '';
  const key = await drizzle(c.env.DB)
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.hash, await sha256(apiKey)))
    .get();
  const now = new Date().toISOString();
  if (key?.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    return c.json({ error: 'Invalid API key.' }, 401);
  }
  c.set('brandId', key.brandId);
  return next();
});

app.get('/products', zValidator('query', listQuery), async (c) => {
  const { limit } = c.req.valid('query');
  const query = drizzle(c.env.DB)
    .select(shown)
    .from(products)
    .where(eq(products.brandId, c.var.brandId))
    .orderBy(asc(products.id));
  return c.json({ products: await (limit === undefined ? query : query.limit(limit)) });
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
  const body = c.req.valid('json');
  const [id, now] = [v7(), new Date().toISOString()];
  const made = await drizzle(c.env.DB)
    .insert(products)
    .values({
      ...body,
      handle: body.handle ?? body.title.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
      id,
      brandId: c.var.brandId,
      revision: id,
      createdAt: now,
      updatedAt: now,
    })
    .returning(shown)
    .get();
  return c.json({ product: made }, 201);
});

app.patch('/products/:id', zValidator('json', changes), async (c) => {
  const changed = await drizzle(c.env.DB)
    .update(products)
    .set({
      ...c.req.valid('json'),
      revision: crypto.randomUUID(),
      updatedAt: new Date().toISOString(),
    })
    .where(and(eq(products.brandId, c.var.brandId), eq(products.id, c.req.param('id'))))
    .returning(shown)
    .get();
  return c.json({ product: changed });
});

export default app;
