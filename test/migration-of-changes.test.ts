import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { v7 } from 'uuid';
import { fingerprint } from '../src/http/idempotency.ts';
import { executeOn } from '../tools/admin/execute.ts';
import { issueKey } from '../tools/admin/keys.ts';
import { resourcesOf, TestBrand } from './support/brand.ts';
import type { Page } from './support/changes.ts';
import { pageOf } from './support/changes.ts';

// The migration that numbers changes, on a database that is in use: its rows keep what they say, and are all reported; and
// what the code before it writes, which knows no numbers, is reported too.

type Row = Readonly<Record<string, unknown>>;

const db = env.DB_IN_USE;
const COUNT = 300;
const BASE = 1_767_225_600_000;

/** The migrations before those that this test is about. */
const isBefore = ({ name }: { readonly name: string }): boolean => name < '0006';

const COLLECTIONS = [
  { path: '/products', table: 'products', many: 'products' },
  { path: '/coupon-codes', table: 'coupon_codes', many: 'couponCodes' },
] as const;

/** Brands by their ids: with many rows, with other ones, with a single one, and with none. */
const brandIds = [v7(), v7(), v7(), v7()];
const body = JSON.stringify({ title: 'Recorded', priceCents: 1 });
const recordedId = v7();

const brands: TestBrand[] = [];
const before = new Map<string, readonly Row[]>();

async function rowsOf(table: string): Promise<Row[]> {
  return (await db.prepare(`select * from ${table} order by 1, 2`).all()).results;
}

/** Inserts rows, each an object of the same columns. */
async function insert(table: string, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {});
  const values = names.map((name) => `value ->> '${name}'`);
  await db
    .prepare(`insert into ${table} (${names.join()}) select ${values.join()} from json_each(?)`)
    .bind(JSON.stringify(rows))
    .run();
}

/** What the code before the migration inserts: rows without a number. */
function newRow(table: string, brand_id: string, n: number, changed = n): Row {
  const id = v7();
  const at = (seconds: number): string => new Date(BASE + seconds * 1000).toISOString();
  const common = {
    brand_id,
    id,
    revision: v7(),
    created_at: at(n),
    updated_at: at(changed),
    discount_percent: (n % 50) + 0.5,
    sync_status: n % 3 === 0 ? 'SYNCED' : 'NOT_LINKED',
    last_synced_at: n % 3 === 0 ? at(n) : null,
  };
  if (table === 'coupon_codes') {
    return {
      ...common,
      code: `Code-${n}`,
      active: n % 2,
      category: 'ATHLETE_DISCOUNT',
      current_uses: n,
      max_uses: n % 4 === 0 ? null : n + 1,
      description: n % 5 === 0 ? '' : 'For athletes\nand "others" 🧴',
      store_discount_id: n % 3 === 0 ? `gid://shop/Discount/${n}` : null,
    };
  }
  return {
    ...common,
    title: `Größe "${n}" 🧴`,
    description: n % 5 === 0 ? '' : 'Two lines,\n\tof which this is one \\ "quoted"',
    handle: `product-${n}`,
    sku: n % 7 === 0 ? null : `S-${n % 100}`,
    price_cents: n % 11 === 0 ? 9_999_999_999 : n,
    currency_code: 'EUR',
    margin_percent: n % 2 === 0 ? null : -0.29,
    featured: n % 2,
    image_url: n % 4 === 0 ? null : `https://a.example/${n}.png`,
    image_urls: JSON.stringify(n % 4 === 0 ? [] : [`https://a.example/${n}.png`]),
    marketplace_category: 'SUPPLEMENTS',
    service_inventory_quantity: n,
    service_listing_status: n % 2 === 0 ? 'LIVE' : 'PENDING_REVIEW',
    store_inventory_quantity: -n,
    store_product_id: n % 3 === 0 ? `gid://shopify/Product/${n}` : null,
    store_variant_id: null,
    store_status: n % 2 === 0 ? 'ACTIVE' : null,
    source: 'SHOPIFY',
    last_sync_error: n % 10 === 0 ? 'Out of range' : null,
    source_updated_at: null,
  };
}

/** Rows whose last changes are in another order than their creation, some of them at the same time. */
function newRows(table: string, brandId: string, count: number): Row[] {
  return Array.from({ length: count }, (_, n) =>
    newRow(table, brandId, n, n % 4 === 0 ? 5000 + ((n * 37) % 100) : n),
  );
}

/** All pages of changes of a brand. */
async function follow(brand: TestBrand, path: string, since: string): Promise<Page[]> {
  const get = async (query: string): Promise<Page> =>
    pageOf(await brand.send('GET', query, undefined, { db }));
  const pages = [await get(`${path}?since=${since}&limit=100`)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    pages.push(await get(next));
  }
  return pages;
}

beforeAll(async () => {
  await applyD1Migrations(db, env.MIGRATIONS.filter(isBefore));
  const time = new Date(BASE).toISOString();
  await insert(
    'brands',
    brandIds.map((id) => ({
      ...{ id, revision: id, created_at: time, updated_at: time, brand_name: 'In use' },
      ...{ description: '', cart_minimum_cents: 0, customer_ltv_cents: 0, sync_enabled: 0 },
      connection_status: 'CONNECTED',
    })),
  );
  for (const { table } of COLLECTIONS) {
    for (const [index, count] of [COUNT, COUNT, 1, 0].entries()) {
      const rows = newRows(table, brandIds[index] ?? '', count);
      if (rows.length > 0) await insert(table, rows);
    }
  }
  const [first = ''] = brandIds;
  await insert('products', [
    { ...newRow('products', first, 1000), id: recordedId, title: 'Recorded' },
  ]);
  await insert(
    'idempotency_records',
    await Promise.all(
      ['recorded', ...Array.from({ length: 200 }, (_, n) => `key-${n}`)].map(async (key) => ({
        brand_id: first,
        key,
        fingerprint: await fingerprint(
          '/api/brand/v1/products',
          await new Blob([body]).arrayBuffer(),
        ),
        ids: JSON.stringify([recordedId]),
        created_at: new Date().toISOString(),
      })),
    ),
  );
  for (const table of ['brands', 'products', 'coupon_codes', 'idempotency_records']) {
    before.set(table, await rowsOf(table));
  }

  await applyD1Migrations(db, env.MIGRATIONS);
  const template = await TestBrand.create();
  for (const id of brandIds) {
    brands.push(template.with(await issueKey(executeOn(db, 'tests'), id, {})));
  }
});

/** The brand at a place. */
function brandAt(index: number): TestBrand {
  const brand = brands[index];
  if (brand === undefined) throw new Error(`There is no brand ${index}.`);
  return brand;
}

describe('The migration of a database that is in use', () => {
  it('leaves everything that rows said, revisions and times included', async () => {
    expect(before.get('products')).toHaveLength(2 * COUNT + 2);
    for (const [table, rows] of before) {
      // Only the columns of that time: this migration and later ones add others.
      const columns = Object.keys(rows[0] ?? {});
      const after = await rowsOf(table);
      const kept = after.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
      expect(kept).toEqual(rows);
    }
    expect(await rowsOf('tombstones')).toEqual([]);
    expect((await db.prepare('pragma foreign_key_check').all()).results).toEqual([]);
  });

  it.each(COLLECTIONS)(
    'numbers the rows of $table from 1, in the order of their last change',
    async ({ table }) => {
      for (const brandId of brandIds) {
        const { results } = await db
          .prepare(
            `select change_number, updated_at, id from ${table} where brand_id = ? order by updated_at, id`,
          )
          .bind(brandId)
          .all();
        expect(results.map((row) => row['change_number'])).toEqual(
          results.map((_, index) => index + 1),
        );
      }
    },
  );

  it.each(COLLECTIONS)(
    'lets a follower of $path load all of it, as lists show it',
    async ({ path, table }) => {
      for (const [index, brand] of brands.entries()) {
        const pages = await follow(brand, path, '0');
        const loaded = pages.flatMap(({ resources }) => resources);
        expect(pages.flatMap(({ deleted }) => deleted)).toEqual([]);
        const listed = resourcesOf(await brand.send('GET', path, undefined, { db }));
        expect(loaded).toHaveLength(
          before.get(table)?.filter((row) => row['brand_id'] === brandIds[index]).length ?? -1,
        );
        const byId = (one: { id: string }, other: { id: string }): number =>
          one.id < other.id ? -1 : 1;
        expect([...loaded].sort(byId)).toEqual([...listed].sort(byId));
        if (path === '/products') {
          const times = loaded.map((product) => String(product['updatedAt']));
          expect(times).toEqual([...times].sort());
        }
        expect(await follow(brand, path, pages.at(-1)?.since ?? '')).toMatchObject([
          { resources: [] },
        ]);
      }
    },
  );

  it('keeps the records of POSTs: a repeat after the migration creates nothing', async () => {
    const brand = brandAt(0);
    const headers = { 'Idempotency-Key': 'recorded' };
    const answer = await brand.send('POST', '/products', undefined, { raw: body, headers, db });
    expect([answer.status, answer.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(answer.body).toMatchObject({ product: { id: recordedId } });
  });
});

describe.each(COLLECTIONS)(
  'What the code before the migration writes into $table',
  ({ table, path, many }) => {
    const newest = async (brand: TestBrand): Promise<string> =>
      (await follow(brand, path, '0')).at(-1)?.since ?? '';
    const run = (sql: string, ...values: unknown[]): Promise<D1Result> =>
      db
        .prepare(sql)
        .bind(...values)
        .run();

    it('is reported: rows inserted together, changed, and deleted', async () => {
      const brand = brandAt(1);
      const { brandId } = brand.issued;
      const since = await newest(brand);
      const added = [2000, 2001, 2002].map((n) => newRow(table, brandId, n));
      await insert(table, added);
      const inserted = await follow(brand, path, since);
      expect(inserted).toMatchObject([{ resources: added.map(({ id }) => ({ id })), deleted: [] }]);

      const [first, second, third] = added.map(({ id }) => String(id));
      const update = `update ${table} set description = ?, revision = ?, updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') where brand_id = ? and id = ?`;
      await run(update, 'Changed', v7(), brandId, second);
      const deleted = await run(
        `delete from ${table} where brand_id = ? and id = ? returning id`,
        brandId,
        first,
      );
      expect(deleted.results).toEqual([{ id: first }]);
      await run(update, 'Changed too', v7(), brandId, third);
      const page = (await follow(brand, path, inserted.at(-1)?.since ?? ''))[0];
      expect(page).toMatchObject({
        resources: [
          { id: second, description: 'Changed' },
          { id: third, description: 'Changed too' },
        ],
        deleted: [first],
      });
      expect(await follow(brand, path, page?.since ?? '')).toMatchObject([
        { resources: [], deleted: [] },
      ]);
    });

    it('has its place in one order with what the code after it writes', async () => {
      const brand = brandAt(2);
      const { brandId } = brand.issued;
      const since = await newest(brand);
      const old = newRow(table, brandId, 3000);
      await insert(table, [old]);
      const created = await brand.send(
        'POST',
        path,
        {
          [many]: [
            table === 'products'
              ? { title: 'New', priceCents: 1 }
              : { code: 'NEW', discountPercent: 1 },
          ],
        },
        { db },
      );
      const [fresh] = resourcesOf(created);
      await brand.send(
        'PATCH',
        `${path}/${String(old['id'])}`,
        { description: 'By the new code' },
        { db },
      );
      await run(
        `update ${table} set description = 'By the old code', revision = ? where brand_id = ? and id = ?`,
        v7(),
        brandId,
        fresh?.id,
      );
      const last = newRow(table, brandId, 3001);
      await insert(table, [last]);
      await run(`delete from ${table} where brand_id = ? and id = ?`, brandId, last['id']);
      await brand.send('DELETE', `${path}/${String(old['id'])}`, undefined, { db });

      const [page] = await follow(brand, path, since);
      expect(page).toMatchObject({
        resources: [{ id: fresh?.id, description: 'By the old code' }],
        deleted: [last['id'], old['id']],
      });
      const { results } = await db
        .prepare(
          `select change_number as number from ${table} where brand_id = ?1
         union all select change_number from tombstones where brand_id = ?1 and collection = ?2`,
        )
        .bind(brandId, path.slice(1))
        .all();
      expect(new Set(results.map(({ number }) => number)).size).toBe(results.length);
    });

    it('is not reported if it changed nothing', async () => {
      const brand = brandAt(1);
      const since = await newest(brand);
      await run(
        `update ${table} set description = description where brand_id = ?`,
        brand.issued.brandId,
      );
      expect(await follow(brand, path, since)).toMatchObject([{ resources: [], deleted: [] }]);
    });
  },
);
