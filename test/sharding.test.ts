import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrand } from '../tools/admin/brands.ts';
import { insertKey, issueKey, revokeKey } from '../tools/admin/keys.ts';
import { generateApiKey, isWellFormedApiKey } from '../src/auth/api-key.ts';
import { BrandClient } from '../client/src/index.ts';
import { executeOn } from '../tools/admin/execute.ts';
import { collections } from './support/collections.ts';
import { interceptD1 } from './support/d1.ts';
import { misspell } from './support/keys.ts';
import { newShardKey, shardOf } from './support/shards/key.ts';
import { MIGRATION, moveBrand } from './support/shards/move.ts';
import type { Shard } from './support/shards/watched.ts';
import { ALL, SHARDS, watchedService } from './support/shards/watched.ts';

// Tests the design of docs/scaling.md: the unchanged service over several databases, and brands that move between them.
// The Worker contains none of it. The test ensures that the plan still works when it is needed.

const PRODUCT = { title: 'Whey', priceCents: 4999 };

beforeAll(async () => {
  for (const shard of ALL) {
    await applyD1Migrations(SHARDS[shard], env.MIGRATIONS);
    await SHARDS[shard].exec(MIGRATION.replaceAll('\n', ' '));
  }
});

// The shared test database has no such table.
afterAll(async () => {
  for (const shard of ALL) await SHARDS[shard].exec('drop table moving_keys');
});

const baseUrl = 'http://api.test';
const service = watchedService();

function clientOf(apiKey: string): BrandClient {
  return new BrandClient({ apiKey, baseUrl, fetch: service.fetch });
}

/** Sends a request once. */
async function send(
  apiKey: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  return service.fetch(`${baseUrl}/api/brand/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** A key that carries the number of the database, as the operators' tool would issue it. */
async function issueOn(shard: Shard, brandId: string): Promise<string> {
  const key = await newShardKey(shard);
  await executeOn(SHARDS[shard], 'tests')(insertKey(key, brandId, {}));
  return key.apiKey;
}

/** What a database holds of a brand, in each table that has something of it. */
async function holdings(shard: Shard, brandId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [
    ...collections.map(({ table }) => table),
    'idempotency_records',
    'api_keys',
    'moving_keys',
  ])
    counts[table] = Number(
      await SHARDS[shard]
        .prepare(`select count(*) as n from ${table} where brand_id = ?`)
        .bind(brandId)
        .first('n'),
    );
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

async function move(from: Shard, to: Shard, brandId: string): Promise<void> {
  await moveBrand(SHARDS[from], SHARDS[to], to, brandId);
}

describe('a key that carries the number of its database', () => {
  it('has the format of keys, but differs from all keys without a number', async () => {
    // A key's 43 digits are a number below 2^256; those that begin with z, the 61st digit, are from here on.
    expect(61n * 62n ** 42n).toBeGreaterThan(2n ** 256n);
    const { apiKey } = await newShardKey('01');
    expect(isWellFormedApiKey(apiKey)).toBe(true);
    expect([shardOf(apiKey), shardOf(generateApiKey())]).toEqual(['01', '00']);
    expect(isWellFormedApiKey(misspell(apiKey, 6))).toBe(false);
  });

  it('is served by that database, with one call, and none to another', async () => {
    const { brandId } = await createBrand(executeOn(SHARDS['01'], 'tests'), 'On 01');
    const apiKey = await issueOn('01', brandId);
    const before = { ...service.calls };
    await clientOf(apiKey).products.create(PRODUCT);
    expect(service.calls).toEqual({ ...before, '01': before['01'] + 1 });
    expect(await holdings('01', brandId)).toMatchObject({ products: 1 });
  });

  it('is rejected without a call if there is no such database', async () => {
    const { apiKey } = await newShardKey('99');
    const before = { ...service.calls };
    const answer = await send(apiKey, 'GET', '/products');
    expect([answer.status, await answer.json()]).toEqual([401, { error: 'Invalid API key.' }]);
    expect(service.calls).toEqual(before);
  });
});

describe('a brand moves', () => {
  it('while clients write and read: nothing acknowledged is lost, and no read fails', async () => {
    const { brandId, apiKey } = await createBrand(executeOn(env.DB, 'tests'), 'Busy');
    const made = await clientOf(apiKey).products.createMany(
      Array.from({ length: 400 }, (_, index) => ({ ...PRODUCT, sku: `SKU-${index}` })),
    );
    const stock = new Map(made.map(({ id }) => [id, 0]));
    const reader = await issueKey(executeOn(env.DB, 'tests'), brandId, { scope: 'read' });
    const neighbour = await createBrand(executeOn(env.DB, 'tests'), 'Neighbour');
    let moving = true;
    let reads = 0;

    /** Writes for as long as the move takes, and a little longer; notes what was acknowledged. */
    const sell = async (writer: number): Promise<void> => {
      const { products } = clientOf(
        (await issueKey(executeOn(env.DB, 'tests'), brandId, {})).apiKey,
      );
      const ids = made.map(({ id }) => id).filter((_, index) => index % 3 === writer);
      for (let round = 1, after = 0; after < 20; round++, after += moving ? 0 : 1) {
        const id = ids[round % ids.length] ?? '';
        await products.update(id, { storeInventoryQuantity: round });
        stock.set(id, round);
        const added = await products.create({ ...PRODUCT, storeInventoryQuantity: round });
        stock.set(added.data.id, round);
        if (round % 2 === 0) {
          await products.delete(added.data.id);
          stock.delete(added.data.id);
        }
      }
    };
    const look = async (): Promise<void> => {
      for (; moving; reads++) {
        expect((await send(reader.apiKey, 'GET', '/products?limit=1')).status).toBe(200);
        expect((await send(neighbour.apiKey, 'POST', '/products', PRODUCT)).status).toBe(201);
      }
    };
    const relocate = async (): Promise<void> => {
      while (stock.size < 420) await send(reader.apiKey, 'GET', '/profile');
      await move('00', '01', brandId);
      moving = false;
    };
    service.statuses.length = 0;
    await Promise.all([sell(0), sell(1), sell(2), look(), relocate()]);

    const found = new Map<string, number>();
    for await (const { id, storeInventoryQuantity } of clientOf(apiKey).products.list())
      found.set(id, storeInventoryQuantity);
    expect(found).toEqual(stock);
    // The test proves something only if there were writes during the copy.
    expect(service.statuses).toContain(503);
    expect(reads).toBeGreaterThan(0);
    expect(await holdings('00', brandId)).toEqual({ moving_keys: 5 });
    expect(await holdings('01', brandId)).toMatchObject({ products: stock.size, api_keys: 5 });
  });

  it('and its entity tags, cursors, idempotency keys and scopes stay valid', async () => {
    const { brandId, apiKey } = await createBrand(executeOn(env.DB, 'tests'), 'Steady');
    const reader = await issueKey(executeOn(env.DB, 'tests'), brandId, { scope: 'read' });
    const client = clientOf(apiKey);
    const idempotencyKey = 'once';
    const { data, etag } = await client.products.create(PRODUCT, { idempotencyKey });
    await client.products.create({ ...PRODUCT, title: 'Second' });
    const page = await send(apiKey, 'GET', '/products?limit=1');
    const next = /\/products[^>]*/.exec(page.headers.get('Link') ?? '')?.[0] ?? '';
    await move('00', '01', brandId);

    const again = await client.products.create(PRODUCT, { idempotencyKey });
    expect(again).toEqual({ data, etag });
    expect(await (await send(apiKey, 'GET', next)).json()).toMatchObject({
      products: [{ title: 'Second' }],
    });
    const changed = await client.products.update(data.id, { featured: true }, { ifMatch: etag });
    expect(changed.data.featured).toBe(true);
    expect((await send(reader.apiKey, 'GET', '/products')).status).toBe(200);
    expect((await send(reader.apiKey, 'POST', '/products', PRODUCT)).status).toBe(403);
  });

  it('and the old key costs extra calls, a new key none', async () => {
    const { brandId, apiKey } = await createBrand(executeOn(env.DB, 'tests'), 'Rotated');
    await move('00', '02', brandId);
    const before = { ...service.calls };
    expect((await send(apiKey, 'GET', '/profile')).status).toBe(200);
    // Here the lookup is a separate call; the app could include it in its first call.
    expect(service.calls).toEqual({ ...before, '00': before['00'] + 2, '02': before['02'] + 1 });

    const rotated = await issueOn('02', brandId);
    expect((await send(rotated, 'GET', '/profile')).status).toBe(200);
    expect(service.calls).toEqual({ ...before, '00': before['00'] + 2, '02': before['02'] + 2 });
  });

  it('again, and back; a revoked key is rejected everywhere', async () => {
    const { brandId, apiKey, keyId } = await createBrand(executeOn(env.DB, 'tests'), 'Nomad');
    const client = clientOf(apiKey);
    await client.products.create(PRODUCT);
    for (const [from, to] of [
      ['00', '01'],
      ['01', '02'],
      ['02', '00'],
    ] as const) {
      await move(from, to, brandId);
      await client.products.create(PRODUCT);
    }
    expect(await holdings('00', brandId)).toEqual({
      products: 4,
      idempotency_records: 4,
      api_keys: 1,
    });
    await revokeKey(executeOn(env.DB, 'tests'), keyId);
    expect((await send(apiKey, 'GET', '/products')).status).toBe(401);
  });

  it('and stays where it is if the copy differs', async () => {
    const { brandId, apiKey } = await createBrand(executeOn(env.DB, 'tests'), 'Spoilt');
    await clientOf(apiKey).products.create(PRODUCT);
    const spoiling = interceptD1(env.DB_01, async (call) => {
      const result = await call();
      await env.DB_01.prepare(`update products set title = 'Other' where brand_id = ?`)
        .bind(brandId)
        .run();
      return result;
    });
    await expect(moveBrand(env.DB, spoiling, '01', brandId)).rejects.toThrow('products differ.');
    expect((await send(apiKey, 'GET', '/products')).status).toBe(200);
    expect((await send(apiKey, 'POST', '/products', PRODUCT)).status).toBe(503);
  });
});
