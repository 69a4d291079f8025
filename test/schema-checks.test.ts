import { env } from 'cloudflare:workers';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, it } from 'vitest';
import * as declared from '../src/db/tables.ts';
import { collections } from '../src/resources/registry.ts';
import { TestBrand } from './support/brand.ts';
import { collections as tested } from './support/collections.ts';
import { keyed } from './support/collections/collection.ts';
import { brandFields, connectionFields } from './support/fields/profile.ts';
import type { ColumnValue, FieldRow } from './support/fields/row.ts';
import { byColumn, stored } from './support/fields/row.ts';
import { makeResources } from './support/operations.ts';

// The database itself refuses what the service relies on never to find: a time in another form, a key of no brand, a list
// that is no JSON. The rules of what clients send are not repeated here: SQLite cannot alter a CHECK.

const TIMES = [
  '',
  'now',
  'yesterday',
  '2026-01-31',
  '2026-01-31T09:30:00Z',
  '2026-01-31T09:30:00.0000Z',
  '2026-01-31 09:30:00.000',
  '2026-01-31T09:30:00.000+01:00',
  '2026-13-31T09:30:00.000Z',
  '2026-02-30T09:30:00.000Z',
  1769852000,
];
const IDS = ['', 'short', `${'0'.repeat(36)}0`];
const NO_OBJECTS = ['', 'none', '[]', '"a"'];
const NO_LISTS = ['', 'none', '{}', '"a"'];

/** What a column refuses, by its type in drizzle. */
const BY_TYPE: Readonly<Record<string, readonly ColumnValue[]>> = {
  SQLiteBoolean: [2, -1, 0.5, 'true'],
  SQLiteInteger: [1.5, 'one'],
  SQLiteReal: ['half'],
  SQLiteTextJson: NO_LISTS,
};

/** What a column refuses, by its name. */
const BY_NAME: Readonly<Record<string, readonly ColumnValue[]>> = {
  id: IDS,
  revision: IDS,
  change_number: [-1, 0],
  // Empty texts stand for something else in statements.
  handle: [''],
  store_product_id: [''],
  store_variant_id: [''],
  store_discount_id: [''],
};

/** What a column of one table refuses besides. */
const BY_TABLE: Readonly<Record<string, Readonly<Record<string, readonly ColumnValue[]>>>> = {
  brands: { unfinished: ['', 'move'] },
  api_keys: {
    hash: ['', 'f'.repeat(63), 'F'.repeat(64), 'g'.repeat(64)],
    prefix: ['', 'bik_', 'xxx_01234567', 'bik_012345678'],
    label: ['x'.repeat(256)],
    scope: ['', 'admin', 'WRITE'],
    replaced_by: IDS,
    moved_to: [-1, 3844],
  },
  tombstones: { collection: ['', 'x'.repeat(65)] },
  idempotency_records: {
    key: ['x'.repeat(256), 'two words', 'é'],
    fingerprint: ['', 'f'.repeat(63)],
    request: IDS,
    results: NO_LISTS,
  },
  audit_trail: {
    action: ['', 'Brand', 'x'.repeat(65)],
    brand_id: IDS,
    key_id: IDS,
    actor: ['', 'x'.repeat(256)],
    details: NO_OBJECTS,
  },
};

// The row of the daily job is of no brand: test/daily-job.test.ts.
const tables = Object.values(declared)
  .filter((table) => is(table, SQLiteTable))
  .map((table) => getTableConfig(table))
  .filter(({ name }) => name !== 'daily_job');

/** What drizzle knows of a column. Its own type has `any` in it. */
type Declared = Readonly<Record<'name' | 'columnType', string>> & { readonly notNull: boolean };

function refusedBy(table: string, { name, notNull, columnType }: Declared): ColumnValue[] {
  return [
    ...(notNull ? [null] : []),
    ...(BY_TYPE[columnType] ?? []),
    ...(/^at$|_at$/.test(name) ? TIMES : []),
    ...(BY_NAME[name] ?? []),
    ...(BY_TABLE[table]?.[name] ?? []),
    // The rows of clients are of a brand that there is.
    ...(name === 'brand_id' && table !== 'audit_trail' ? ['', crypto.randomUUID()] : []),
  ];
}

/** By table, the column that is unique within a brand. */
const uniqueColumns = new Map(
  collections.map(({ table, unique }) => [getTableName(table), unique?.column.name]),
);

const cases = tables
  .flatMap(({ name: table, columns }) =>
    columns.map((column) => ({ table, column: column.name, values: refusedBy(table, column) })),
  )
  .filter(({ values }) => values.length > 0);
for (const [table, column] of uniqueColumns) {
  // Another row has this value, in another case.
  if (column !== undefined) cases.push({ table, column, values: ['TAKEN', 'Taken'] });
}

type Row = Readonly<Record<string, ColumnValue>>;

/** Good rows to spoil in one column, by table. */
let good: Readonly<Record<string, Row>>;

/** The good rows of the tables of which the service makes none here. */
function ownRows(brandId: string): Readonly<Record<string, Row>> {
  const [id, at] = [crypto.randomUUID(), '2026-01-31T09:30:00.000Z'];
  return {
    tombstones: {
      brand_id: brandId,
      collection: 'products',
      change_number: 7,
      id,
      deleted_at: at,
    },
    idempotency_records: {
      brand_id: brandId,
      key: 'order-1',
      fingerprint: 'f'.repeat(64),
      request: id,
      created_at: at,
      results: '[]',
    },
    audit_trail: {
      id,
      at,
      action: 'brand.create',
      brand_id: brandId,
      key_id: null,
      actor: 'tests',
      details: '{}',
    },
  };
}

beforeAll(async () => {
  const brand = await TestBrand.create();
  await makeResources(brand);
  for (const collection of tested.filter(({ isUnique }) => isUnique)) {
    await brand.create(collection.path, keyed(collection, 'taken'));
  }
  const { brandId } = brand.issued;
  const own = ownRows(brandId);
  for (const [table, values] of Object.entries(own)) await insertRow(table, values);
  const rows = tables.map(async ({ name: table }) => {
    const sql = `select * from ${table} where ${ownerOf(table)} = ? limit 1`;
    const found = await env.DB.prepare(sql).bind(brandId).first<Row>();
    if (found === null) {
      throw new Error(`makeResources in test/support/operations.ts creates no row in ${table}.`);
    }
    return [table, found] as const;
  });
  good = Object.fromEntries(await Promise.all(rows));
});

const defaultOf = (row: FieldRow): ColumnValue | undefined =>
  row.default === undefined ? undefined : stored(row.default);

/** By table and column, what a field becomes that is left out; undefined if it may not be. */
const defaults = [
  ['brands', { ...byColumn(brandFields, defaultOf), ...byColumn(connectionFields, defaultOf) }],
  ...tested.map(({ table, fields }) => [table, byColumn(fields, defaultOf)] as const),
] as const;

it.each(defaults)(
  'The defaults in the migrations are those of the fields: %s',
  async (table, expected) => {
    const { results } = await env.DB.prepare(
      `select name, dflt_value from pragma_table_info(?) where dflt_value is not null`,
    )
      .bind(table)
      .all<{ name: string; dflt_value: string }>();
    for (const { name, dflt_value: text } of results) {
      if (expected[name] === undefined) continue;
      const value = await env.DB.prepare(`select ${text} as value`).first('value');
      expect(value, `rows that exist get the default of ${name} in its migration`).toBe(
        expected[name],
      );
    }
  },
);

it.each(tables)('A good row is inserted, and again under another id: $name', async ({ name }) => {
  expect((await insert(name, {})).meta.changes).toBe(1);
});

describe.each(cases)('$column of $table', ({ table, column, values }) => {
  const shown = values.map((value) => ({ value, text: JSON.stringify(value).slice(0, 40) }));
  // The error of a constraint names its column, except for a foreign key, and for `now`, which no CHECK may read.
  const refusal = new RegExp(`\\b${column}\\b|FOREIGN KEY|non-deterministic use of strftime`);
  const hint = `in its migration, ${column} must refuse this, by its type, NOT NULL or a CHECK`;

  it.each(shown)('A row with a bad value is not inserted: $text', async ({ value }) => {
    await expect(insert(table, { [column]: value }), hint).rejects.toThrow(refusal);
  });

  it.each(shown)('A row is not changed to a bad value: $text', async ({ value }) => {
    // By the owner too: without it, SQLite would read the rows of all tests.
    const owner = ownerOf(table);
    const change = env.DB.prepare(
      `update ${table} set ${column} = ? where ${owner} = ? and ${keyOf(table)} = ?`,
    );
    const { [owner]: brandId, [keyOf(table)]: key } = row(table);
    await expect(change.bind(value, brandId, key).run(), hint).rejects.toThrow(refusal);
  });
});

/** The column with the brand's id. */
function ownerOf(table: string): string {
  return table === 'brands' ? 'id' : 'brand_id';
}

/** A column in which no two rows of a brand are equal. */
function keyOf(table: string): string {
  return table === 'idempotency_records' ? 'key' : 'id';
}

function row(table: string): Row {
  return good[table] ?? {};
}

/** Inserts the good row under keys of its own, with some values spoiled. */
async function insert(table: string, spoiled: Row): Promise<D1Result> {
  const unique: Record<string, ColumnValue> = { [keyOf(table)]: crypto.randomUUID() };
  if (table === 'api_keys') unique['hash'] = crypto.randomUUID().replaceAll('-', '').repeat(2);
  if (table === 'tombstones') unique['change_number'] = Date.now();
  const column = uniqueColumns.get(table);
  if (column !== undefined) unique[column] = crypto.randomUUID().slice(0, 8);
  return insertRow(table, { ...row(table), ...unique, ...spoiled });
}

async function insertRow(table: string, values: Row): Promise<D1Result> {
  const names = Object.keys(values);
  const marks = names.map(() => '?').join();
  return env.DB.prepare(`insert into ${table} (${names.join()}) values (${marks})`)
    .bind(...Object.values(values))
    .run();
}
