import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { listActs } from '../../src/audit.ts';
import { createBrand, deleteBrand } from '../../src/brand/brands.ts';
import { TestBrand } from '../../../test/support/brand.ts';
import { collections } from '../../../test/support/collections.ts';
import { makeProducts } from '../../../test/support/make.ts';
import { interceptDatabase } from '../intercept-database.ts';
import { database } from './database.ts';

/** More than one call deletes of a table. */
const MANY = 20_001;

const TIME = '2026-01-31T09:30:00.000Z';

const TABLES = [
  'api_keys',
  ...collections.map(({ table }) => table),
  'tombstones',
  'idempotency_records',
];

/** Returns the number of a brand's rows in all tables, by table. */
async function rowsOf(brandId: string): Promise<Record<string, unknown>> {
  const counts = await env.DB.batch<{ count: number }>(
    TABLES.map((table) =>
      env.DB.prepare(`select count(*) as count from ${table} where brand_id = ?`).bind(brandId),
    ),
  );
  return Object.fromEntries(TABLES.map((table, n) => [table, counts[n]?.results[0]?.count]));
}

/** Makes a brand with a product, and many tombstones and idempotency records. */
async function makeBrand(): Promise<TestBrand> {
  const brand = (await TestBrand.create()).with(await createBrand(database, 'Test brand'));
  await makeProducts(brand, 1);
  const numbers = `with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n <= ${MANY})`;
  const { brandId } = brand.issued;
  await env.DB.batch([
    env.DB.prepare(
      `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
       ${numbers} select ?, 'products', n, ?, ? from numbers`,
    ).bind(brandId, crypto.randomUUID(), TIME),
    env.DB.prepare(
      `insert into idempotency_records (brand_id, key, fingerprint, request, created_at, results)
       ${numbers} select ?1, n, ?2, substr(?2, 1, 36), ?3, '[]' from numbers`,
    ).bind(brandId, 'f'.repeat(64), TIME),
  ]);
  return brand;
}

it('A brand with more rows than a call deletes is deleted whole, and nothing of another', async () => {
  const [brand, other] = [await makeBrand(), await makeBrand()];
  const { brandId } = brand.issued;
  const before = await rowsOf(other.issued.brandId);
  expect(before).toEqual({
    api_keys: 1,
    ...Object.fromEntries(collections.map(({ table }) => [table, 0])),
    products: 1,
    tombstones: MANY,
    idempotency_records: MANY,
  });
  let calls = 0;
  const counting = interceptDatabase(database, (call) => {
    calls++;
    return call();
  });

  await deleteBrand(counting, brandId);

  expect(calls).toBe(2);
  expect(await rowsOf(brandId)).toEqual(Object.fromEntries(TABLES.map((table) => [table, 0])));
  const [brands] = await database.run(sql`select id from brands where id = ${brandId}`);
  expect(brands).toEqual([]);
  const acts = (await listActs([database], { brandId })).items;
  expect(acts.map(({ action }) => action).slice(1)).toEqual([
    'brand.delete.begin',
    'brand.delete.done',
  ]);
  expect(await rowsOf(other.issued.brandId)).toEqual(before);
  expect((await other.send('GET', '/products')).status).toBe(200);
});

it('A deletion that ends between two calls can be repeated', async () => {
  const brand = await makeBrand();
  let calls = 0;
  const failing = interceptDatabase(database, (call) =>
    ++calls > 1 ? Promise.reject(new Error('gone')) : call(),
  );
  await expect(deleteBrand(failing, brand.issued.brandId)).rejects.toThrow('gone');
  expect((await brand.send('GET', '/products')).status).toBe(401);

  await deleteBrand(database, brand.issued.brandId);

  const acts = (await listActs([database], { brandId: brand.issued.brandId })).items;
  expect(acts.map(({ action }) => action)).toEqual([
    'brand.create',
    'brand.delete.begin',
    'brand.delete.begin',
    'brand.delete.done',
  ]);
});
