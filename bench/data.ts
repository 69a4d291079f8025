import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import { generateApiKey } from '../src/auth/api-key.ts';
import type { Servers } from './servers.ts';

/** Rows in one JSON parameter: some 1.5 MB of the 2 MB that D1 takes. */
const AT_ONCE = 1000;

/** A brand with products, and a key to it. */
export interface BrandData {
  readonly brandId: string;
  readonly apiKey: string;
  /** Of its products, oldest first. */
  readonly ids: readonly string[];
}

/** Makes a brand with a key and products, which are the same for every brand but for their ids. */
export async function makeBrand(
  servers: Servers,
  name: string,
  products: number,
): Promise<BrandData> {
  const [brandId, time] = [v7(), new Date().toISOString()];
  await servers.execute(name, [
    [
      `insert into brands (id, revision, created_at, updated_at, brand_name, description, cart_minimum_cents,
         customer_ltv_cents, connection_status, sync_enabled)
       values (?1, ?1, ?2, ?2, 'Bench', '', 0, 0, 'CONNECTED', 1)`,
      ...[brandId, time],
    ],
  ]);
  const apiKey = await makeKey(servers, name, brandId);
  const ids: string[] = [];
  for (let first = 0; first < products; first += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, products - first) }, (_, index) =>
      productRow(first + index, time),
    );
    const columns = Object.keys(rows[0] ?? {});
    await servers.execute(name, [
      [
        `insert into products (brand_id, ${columns.join(', ')})
         select ?1, ${columns.map((column) => `value ->> '${column}'`).join(', ')} from json_each(?2)`,
        ...[brandId, JSON.stringify(rows)],
      ],
    ]);
    ids.push(...rows.map(({ id }) => id));
  }
  return { brandId, apiKey, ids };
}

/** Makes a key of a brand that may write. */
export async function makeKey(servers: Servers, name: string, brandId: string): Promise<string> {
  const [apiKey, time] = [generateApiKey(), new Date().toISOString()];
  const hash = createHash('sha256').update(apiKey).digest('hex');
  await servers.execute(name, [
    [
      `insert into api_keys (hash, id, brand_id, prefix, label, scope, created_at) values (?, ?, ?, ?, 'bench', 'write', ?)`,
      ...[hash, v7(), brandId, apiKey.slice(0, 12), time],
    ],
  ]);
  return apiKey;
}

/** A product as stores have them: 1.3 kB as JSON, two pictures, linked to the store. */
function productRow(
  number: number,
  time: string,
): Readonly<Record<string, unknown>> & { id: string } {
  const id = v7();
  const images = [1, 2].map(
    (image) => `https://cdn.example.com/products/${number}/image-${image}.jpg?v=1699999999`,
  );
  return {
    id,
    revision: id,
    created_at: time,
    updated_at: time,
    title: `Whey Protein Isolate, flavour ${number}`,
    description: `<p>Number ${number}. ${'Pure protein from grass-fed cows, cold filtered, without sugar. '.repeat(6)}</p>`,
    handle: `whey-protein-isolate-${number}`,
    sku: `WPI-${number}`,
    price_cents: 1000 + (number % 9000),
    currency_code: 'USD',
    discount_percent: number % 4 === 0 ? 12.5 : 0,
    margin_percent: 33.33,
    featured: number % 10 === 0 ? 1 : 0,
    image_url: images[0],
    image_urls: JSON.stringify(images),
    marketplace_category: 'SUPPLEMENTS',
    service_inventory_quantity: number % 500,
    service_listing_status: ['LIVE', 'DRAFT', 'PAUSED', 'ARCHIVED'][number % 4],
    store_inventory_quantity: number % 500,
    store_product_id: `gid://shopify/Product/${7_000_000_000 + number}`,
    store_variant_id: `gid://shopify/ProductVariant/${8_000_000_000 + number}`,
    store_status: 'ACTIVE',
    source: 'SHOPIFY',
    sync_status: number % 20 === 0 ? 'FAILED' : 'SYNCED',
    last_synced_at: time,
    last_sync_error: null,
    source_updated_at: time,
  };
}
