import { env } from 'cloudflare:workers';
import { getTableName } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../src/resources/registry.ts';
import { TestBrand } from './support/brand.ts';
import { makeResources } from './support/operations.ts';

// The database itself refuses invalid values, even if a later version of the service forgets to check them.

type Value = string | number | null;

const times = ['', 'yesterday', '2026-01-31', '2026-01-31T09:30:00Z', '2026-01-31T09:30:00.0000Z'];
const malformedTimes = [
  ...times,
  '2026-01-31 09:30:00.000',
  '2026-01-31T09:30:00.000+01:00',
  '2026-13-31T09:30:00.000Z',
  '2026-02-30T09:30:00.000Z',
  1769852000,
];
const badIds = ['', 'short', `${'0'.repeat(36)}0`, null];
const badCents = [-1, 10_000_000_000, 1.5, 'many'];
const badBooleans = [2, -1, 0.5, 'true', null];
const badSync = ['synced', '', 'DONE', null];
const badUrls = ['', `https://a.example/${'x'.repeat(2048)}`];
const badPercents = [-0.01, 100.01, 'half', null];
const badMargins = [-1000.01, 100.01, 'half'];
const badCategories = ['', 'lower', 'WITH SPACE', 'X'.repeat(65), null];
const badStoreIds = ['', 'x'.repeat(256)];
const badCounts = [-1, 2_147_483_648, 1.5, null];
const anyRow = { revision: badIds, created_at: [...malformedTimes, null] };
const changed = { updated_at: [...malformedTimes, null] };
const owned = {
  ...anyRow,
  ...changed,
  id: badIds,
  brand_id: [null, '', crypto.randomUUID()],
  change_number: [-1, 1.5, 'one', null],
};

/** By table and column, what it refuses. */
const refused: Readonly<Record<string, Readonly<Record<string, readonly Value[]>>>> = {
  brands: {
    ...anyRow,
    ...changed,
    id: badIds,
    brand_name: ['', 'x'.repeat(256), null],
    contact_name: ['', 'x'.repeat(256)],
    description: ['x'.repeat(5001), null],
    website: badUrls,
    logo_url: badUrls,
    support_email: ['', 'x'.repeat(255)],
    cart_minimum_cents: [...badCents, null],
    customer_ltv_cents: [...badCents, null],
    gross_margin_percent: badMargins,
    connection_status: ['connected', '', 'UNKNOWN', null],
    store_domain: ['', 'Shop.example', 'x'.repeat(254)],
    sync_enabled: badBooleans,
    last_products_sync_at: malformedTimes,
    last_discounts_sync_at: malformedTimes,
    last_sync_error: ['', 'x'.repeat(2001)],
    suspended_at: malformedTimes,
  },
  api_keys: {
    hash: ['', 'f'.repeat(63), 'F'.repeat(64), 'g'.repeat(64), null],
    id: badIds,
    brand_id: [null, '', crypto.randomUUID()],
    prefix: ['', 'bik_', 'xxx_01234567', 'bik_012345678', null],
    label: ['x'.repeat(256), null],
    scope: ['', 'admin', 'WRITE', null],
    created_at: [...malformedTimes, null],
    expires_at: malformedTimes,
    revoked_at: malformedTimes,
    suspended_at: malformedTimes,
    replaced_by: badIds.filter((id) => id !== null),
    moved_to: [-1, 3844, 1.5, 'one'],
    frozen_at: malformedTimes,
  },
  products: {
    ...owned,
    title: ['', 'x'.repeat(256), null],
    description: ['x'.repeat(65_536), null],
    handle: [
      '',
      'Upper',
      ...Array.from(' /\\?#%"<>\n\u00a0', (one) => `a${one}b`),
      'x'.repeat(256),
      null,
    ],
    sku: ['', 'x'.repeat(256)],
    price_cents: [...badCents, null],
    currency_code: ['', 'usd', 'US', 'USDT', null],
    discount_percent: badPercents,
    margin_percent: badMargins,
    featured: badBooleans,
    image_url: badUrls,
    image_urls: ['', 'none', '{}', '"a"', JSON.stringify(Array(251).fill('a')), null],
    marketplace_category: badCategories,
    service_inventory_quantity: badCounts,
    service_listing_status: ['live', '', 'SOLD', null],
    store_inventory_quantity: [-2_147_483_648, 2_147_483_648, 1.5, null],
    store_product_id: badStoreIds,
    store_variant_id: badStoreIds,
    store_status: ['active', '', 'GONE'],
    source: ['', 'lower', 'X'.repeat(33), null],
    sync_status: badSync,
    last_synced_at: malformedTimes,
    last_sync_error: ['', 'x'.repeat(2001)],
    source_updated_at: malformedTimes,
  },
  coupon_codes: {
    ...owned,
    code: ['', 'x'.repeat(65), 'with space', 'ÄÖÜ', 'TAKEN', 'Taken', null],
    active: badBooleans,
    category: badCategories,
    current_uses: badCounts,
    max_uses: [0, -1, 2_147_483_648, 1.5],
    description: ['x'.repeat(1001), null],
    discount_percent: [0, -1, 100.01, 'half', null],
    store_discount_id: badStoreIds,
    sync_status: badSync,
    last_synced_at: malformedTimes,
  },
};

const tablesOfCollections = collections.map(({ path, table, unique }) => {
  return { path, name: getTableName(table), unique: unique?.column.name };
});

const cases = Object.entries(refused).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, values]) => ({ table, column, values })),
);

/** Good rows to spoil in one column, by table. */
let good: Readonly<Record<string, Readonly<Record<string, Value>>>>;

beforeAll(async () => {
  const brand = await TestBrand.create();
  await makeResources(brand);
  await brand.create('/coupon-codes', { code: 'taken', discountPercent: 5 });
  const { brandId } = brand.issued;
  const rows = Object.keys(refused).map(async (table) => {
    const sql = `select * from ${table} where ${ownerOf(table)} = ? limit 1`;
    const row = await env.DB.prepare(sql).bind(brandId).first<Record<string, Value>>();
    if (row === null) {
      throw new Error(`makeResources in test/support/operations.ts creates no row in ${table}.`);
    }
    return [table, row] as const;
  });
  good = Object.fromEntries(await Promise.all(rows));
});

describe('the tested tables', () => {
  it.each(tablesOfCollections)('include that of $path', ({ name }) => {
    expect(
      Object.keys(refused),
      `in test/schema-checks.test.ts, add to "refused" what the columns of ${name} refuse: ...owned, and its own`,
    ).toContain(name);
  });
});

describe('the tested columns', () => {
  it.each(Object.keys(refused))('are all of %s', async (table) => {
    const { results } = await env.DB.prepare(`pragma table_xinfo(${table})`).all();
    expect(
      Object.keys(refused[table] ?? {}).sort(),
      `add to "refused" what each column of ${table} refuses`,
    ).toEqual(results.map(({ name }) => name).sort());
  });
});

describe('a good row', () => {
  it.each(Object.keys(refused))(
    'is inserted into %s, and again under another id',
    async (table) => {
      expect((await insert(table, {})).meta.changes).toBe(1);
    },
  );
});

describe.each(cases)('$column of $table', ({ table, column, values }) => {
  const shown = values.map((value) => ({ value, text: JSON.stringify(value).slice(0, 40) }));
  // The error of a constraint names its column, except for a foreign key.
  const refusal = new RegExp(`\\b${column}\\b|FOREIGN KEY`);

  it.each(shown)('is not inserted as $text', async ({ value }) => {
    await expect(insert(table, { [column]: value })).rejects.toThrow(refusal);
  });

  it.each(shown)('is not changed to $text', async ({ value }) => {
    // By the owner too: without it, SQLite would read the rows of all tests.
    const owner = ownerOf(table);
    const change = env.DB.prepare(
      `update ${table} set ${column} = ? where ${owner} = ? and id = ?`,
    );
    const { [owner]: brandId, id } = row(table);
    await expect(change.bind(value, brandId, id).run()).rejects.toThrow(refusal);
  });
});

/** The column with the brand's id. */
function ownerOf(table: string): string {
  return table === 'brands' ? 'id' : 'brand_id';
}

function row(table: string): Readonly<Record<string, Value>> {
  return good[table] ?? {};
}

/** Inserts the good row under keys of its own, with some values spoiled. */
async function insert(table: string, spoiled: Record<string, Value>): Promise<D1Result> {
  const unique: Record<string, Value> = { id: crypto.randomUUID() };
  if (table === 'api_keys') unique['hash'] = crypto.randomUUID().replaceAll('-', '').repeat(2);
  const column = tablesOfCollections.find(({ name }) => name === table)?.unique;
  if (column !== undefined) unique[column] = crypto.randomUUID();
  const values = { ...row(table), ...unique, ...spoiled };
  const names = Object.keys(values);
  const marks = names.map(() => '?').join();
  return env.DB.prepare(`insert into ${table} (${names.join()}) values (${marks})`)
    .bind(...Object.values(values))
    .run();
}
