import * as chanfana from 'chanfana';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { v7 } from 'uuid';
import * as z from 'zod';
import { CHANGE_NUMBER } from './defaults.ts';
import type { KeyEnv } from './key-check.ts';
import { keyCheck } from './key-check.ts';

// Cloudflare's endpoints for D1, with a key check in front. Bodies use the names of the table's columns.

type Args = [Context<KeyEnv>];

const text = z.string().max(2048).nullable().default(null);
const [id, whole] = [z.string(), z.number().int().default(0)];
const times = { created_at: id, updated_at: id };
const assigned = z.object({ brand_id: id, id, revision: id, ...times, change_number: whole });
const fields = z.object({
  title: z.string().min(1).max(255),
  ...{ description: z.string().max(65_535).default(''), handle: z.string().max(255), sku: text },
  ...{ price_cents: z.number().int().min(0), currency_code: z.string().length(3).default('USD') },
  discount_percent: z.number().min(0).max(100).default(0),
  margin_percent: z.number().nullable().default(null),
  ...{ image_url: text, image_urls: z.string().default('[]') },
  marketplace_category: z.string().max(64).default('OTHER'),
  service_listing_status: z.enum(['DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED']).default('DRAFT'),
  ...{ featured: whole, service_inventory_quantity: whole, store_inventory_quantity: whole },
  ...{ store_product_id: text, store_variant_id: text, store_status: text },
  ...{ source: z.string().default('API'), sync_status: z.string().default('NOT_LINKED') },
  ...{ last_synced_at: text, last_sync_error: text, source_updated_at: text },
});
const product = assigned.extend(fields.shape);
const model = { tableName: 'products', schema: product, primaryKeys: ['brand_id', 'id'] };

class CreateProduct extends chanfana.D1CreateEndpoint<Args> {
  override _meta = { model, fields };

  override before(data: z.infer<typeof product>): Promise<z.infer<typeof product>> {
    const [id, now] = [v7(), new Date().toISOString()];
    const brand_id = this.args[0].var.brandId;
    const made = { brand_id, id, revision: id, created_at: now, updated_at: now };
    return Promise.resolve({ ...data, ...made, change_number: CHANGE_NUMBER });
  }
}

class ReadProduct extends chanfana.D1ReadEndpoint<Args> {
  override _meta = { model, pathParameters: ['id'] };

  override before(filters: chanfana.ListFilters): Promise<chanfana.ListFilters> {
    return Promise.resolve(ofBrand(this.args, filters));
  }
}

class ListProducts extends chanfana.D1ListEndpoint<Args> {
  override _meta = { model };
  // One request for the whole list; the default of 100 would need ten.
  override maxPerPage = 1000;
  override schema = {
    request: { query: z.object({ per_page: z.number().int().min(1).max(1000).default(20) }) },
  };

  override before(filters: chanfana.ListFilters): Promise<chanfana.ListFilters> {
    return Promise.resolve(ofBrand(this.args, filters));
  }
}

class UpdateProduct extends chanfana.D1UpdateEndpoint<Args> {
  override _meta = {
    model,
    fields: fields.extend({ id: z.string() }).partial(),
    pathParameters: ['id'],
  };

  override async getFilters(): Promise<chanfana.Filters> {
    return ofBrand(this.args, await super.getFilters());
  }
}

function ofBrand<T extends chanfana.Filters>([c]: Args, all: T): T {
  const own = { field: 'brand_id', operator: 'EQ', value: c.var.brandId } as const;
  return { ...all, filters: [...all.filters, own] };
}

const app = new Hono<KeyEnv>();

app.use(keyCheck);

const openapi = chanfana.fromHono(app);
openapi.get('/api/brand/v1/products', ListProducts);
openapi.post('/api/brand/v1/products', CreateProduct);
openapi.get('/api/brand/v1/products/:id', ReadProduct);
openapi.patch('/api/brand/v1/products/:id', UpdateProduct);

export default app;
