import {
  D1CreateEndpoint,
  D1ListEndpoint,
  D1ReadEndpoint,
  D1UpdateEndpoint,
  fromHono,
} from 'chanfana';
import type { FilterCondition, Filters, ListFilters } from 'chanfana';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { v7 } from 'uuid';
import * as z from 'zod';
import { sha256 } from '../../src/hash/sha256.ts';

// Cloudflare's own endpoints for D1, as their documentation shows them, with a key check in front. Their model is the
// table: bodies have the names of its columns.

interface ChanfanaEnv {
  Bindings: { readonly DB: D1Database };
  Variables: { brandId: string };
}
type Args = [Context<ChanfanaEnv>];

const product = z.object({
  brand_id: z.string(),
  id: z.string(),
  revision: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  title: z.string().min(1).max(255),
  description: z.string().max(65_535).default(''),
  handle: z.string().max(255),
  sku: z.string().max(255).nullable().default(null),
  price_cents: z.number().int().min(0),
  currency_code: z.string().length(3).default('USD'),
  discount_percent: z.number().min(0).max(100).default(0),
  margin_percent: z.number().nullable().default(null),
  featured: z.number().int().default(0),
  image_url: z.string().nullable().default(null),
  image_urls: z.string().default('[]'),
  marketplace_category: z.string().max(64).default('OTHER'),
  service_inventory_quantity: z.number().int().default(0),
  service_listing_status: z
    .enum(['DRAFT', 'PENDING_REVIEW', 'LIVE', 'PAUSED', 'REJECTED', 'ARCHIVED'])
    .default('DRAFT'),
  store_inventory_quantity: z.number().int().default(0),
  store_product_id: z.string().nullable().default(null),
  store_variant_id: z.string().nullable().default(null),
  store_status: z.string().nullable().default(null),
  source: z.string().default('API'),
  sync_status: z.string().default('NOT_LINKED'),
  last_synced_at: z.string().nullable().default(null),
  last_sync_error: z.string().nullable().default(null),
  source_updated_at: z.string().nullable().default(null),
});
const assigned = {
  brand_id: true,
  id: true,
  revision: true,
  created_at: true,
  updated_at: true,
} as const;
const model = { tableName: 'products', schema: product, primaryKeys: ['brand_id', 'id'] };

class CreateProduct extends D1CreateEndpoint<Args> {
  override _meta = { model, fields: product.omit(assigned) };

  override before(data: z.infer<typeof product>): Promise<z.infer<typeof product>> {
    const [id, now] = [v7(), new Date().toISOString()];
    const brand_id = this.args[0].var.brandId;
    return Promise.resolve({
      ...data,
      brand_id,
      id,
      revision: id,
      created_at: now,
      updated_at: now,
    });
  }
}

class ReadProduct extends D1ReadEndpoint<Args> {
  override _meta = { model, pathParameters: ['id'] };

  override async before(filters: ListFilters): Promise<ListFilters> {
    return Promise.resolve({ ...filters, filters: [...filters.filters, ofBrand(this.args)] });
  }
}

class ListProducts extends D1ListEndpoint<Args> {
  override _meta = { model };
  // One request for the whole list, which the default of 100 would cut into ten.
  override maxPerPage = 1000;
  override schema = {
    request: { query: z.object({ per_page: z.number().int().min(1).max(1000).default(20) }) },
  };

  override before(filters: ListFilters): Promise<ListFilters> {
    return Promise.resolve({ ...filters, filters: [...filters.filters, ofBrand(this.args)] });
  }
}

class UpdateProduct extends D1UpdateEndpoint<Args> {
  override _meta = {
    model,
    fields: product.omit(assigned).extend({ id: z.string() }).partial(),
    pathParameters: ['id'],
  };

  override async getFilters(): Promise<Filters> {
    const { filters } = await super.getFilters();
    return { filters: [...filters, ofBrand(this.args)] };
  }
}

function ofBrand([c]: Args): FilterCondition {
  return { field: 'brand_id', operator: 'EQ', value: c.var.brandId };
}

const app = new Hono<ChanfanaEnv>();

app.use(async (c, next) => {
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

const openapi = fromHono(app);
openapi.get('/api/brand/v1/products', ListProducts);
openapi.post('/api/brand/v1/products', CreateProduct);
openapi.get('/api/brand/v1/products/:id', ReadProduct);
openapi.patch('/api/brand/v1/products/:id', UpdateProduct);

export default app;
