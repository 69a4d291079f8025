import { env } from 'cloudflare:workers';
import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as declared from '../src/db/tables.ts';
import { collections } from '../src/resources/registry.ts';
import { TestBrand } from './support/brand.ts';
import { couponCodes } from './support/collections.ts';
import { withNewKey } from './support/keys.ts';
import { itemPath, makeResources } from './support/operations.ts';

type Row = Record<string, unknown>;

async function query(sql: string): Promise<Row[]> {
  return (await env.DB.prepare(sql).all()).results;
}

/** All tables of the migrations; the rest is the runtime's and the migrations' own record. */
async function migratedTables(): Promise<Row[]> {
  return query(`select name, sql from sqlite_master where type = 'table'
    and name not glob 'sqlite_*' and name not glob '_cf_*' and name <> 'd1_migrations' order by name`);
}

function byName<T extends { readonly name: unknown }>(columns: readonly T[]): T[] {
  return [...columns].sort((one, other) => String(one.name).localeCompare(String(other.name)));
}

const tables = Object.values(declared)
  .filter((table) => is(table, SQLiteTable))
  .map((table) => getTableConfig(table));

/** The brands, their keys, the records of requests and deletions, the audit trail, and what the daily job notes. */
const OTHER_TABLES = 6;

/** The tables that name brands and keep their rows when these are deleted. */
const OUTLIVING: readonly string[] = ['audit_trail'];

/** The tables that name no brand. */
const OF_NO_BRAND: readonly string[] = ['brands', 'daily_job'];

it('The tables in the code are those of the migrations', async () => {
  const migrated = await migratedTables();
  expect(
    migrated.map(({ name }) => name),
    'src/db/tables.ts (expected) and the migrations (received) differ in their tables',
  ).toEqual(tables.map(({ name }) => name).sort());
  expect(
    migrated,
    'a table that belongs to no collection is counted here, in test/schema.test.ts',
  ).toHaveLength(OTHER_TABLES + collections.length);
});

it.each(tables)(
  'A table in the code has the columns of the migrations: $name',
  async ({ name, columns }) => {
    const expected = columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      required: column.notNull,
      hidden: 0,
    }));
    const actual = await query(`pragma table_xinfo(${name})`);
    // The order does not matter, because no statement depends on it.
    expect(
      byName(
        actual.map((column) => ({
          name: column['name'],
          type: String(column['type']).toLowerCase(),
          required: column['notnull'] === 1,
          hidden: column['hidden'],
        })),
      ),
      `src/db/tables.ts (expected) and the migrations (received) differ in the columns of ${name}`,
    ).toEqual(byName(expected));
  },
);

const enumerated = tables.flatMap(({ name: table, columns }) =>
  columns.flatMap((column) => {
    // drizzle declares them as `any`.
    const values = z.array(z.string()).default([]).parse(column.enumValues);
    return values.length === 0 ? [] : [[table, column.name, values] as const];
  }),
);

/** The columns whose values a CHECK lists. Those that clients set have none, because SQLite cannot alter a CHECK. */
const CHECKED = ['api_keys.scope', 'brands.unfinished'];

it.each(enumerated)(
  'The values of a column in src/db/tables.ts are those of its CHECK, if no client sets it: %s.%s',
  async (table, name, values) => {
    const [row] = await query(`select sql from sqlite_master where name = '${table}'`);
    const check = String(row?.['sql'])
      .split(/[\n,]/)
      .filter((line) => line.trim().startsWith(`${name} `))
      .join();
    const checked = [...check.matchAll(/= '([^']*)'/g)].map(([, value]) => value);
    expect(checked.sort()).toEqual(CHECKED.includes(`${table}.${name}`) ? [...values].sort() : []);
  },
);

/** The primary key and the unique columns of each table. */
const KEYS: Readonly<Record<string, { primary: string[]; unique: string[][] }>> = {
  api_keys: { primary: ['hash'], unique: [['id']] },
  audit_trail: { primary: ['id'], unique: [] },
  brands: { primary: ['id'], unique: [] },
  daily_job: { primary: ['id'], unique: [] },
  idempotency_records: { primary: ['brand_id', 'key'], unique: [] },
  tombstones: { primary: ['brand_id', 'collection', 'change_number'], unique: [] },
  ...Object.fromEntries(
    collections.map((source) => {
      const { table, unique } = source;
      const own = unique ? [['brand_id', unique.column.name]] : [];
      return [getTableName(table), { primary: ['brand_id', 'id'], unique: own }];
    }),
  ),
};

it.each(tables)('The migrations give each table its keys: $name', async ({ name }) => {
  const indexes = await query(`pragma index_list(${name})`);
  const keys = await Promise.all(
    indexes
      .filter((index) => index['unique'] === 1)
      .map(async ({ name, origin }) => {
        const columns = await query(`pragma index_info('${String(name)}')`);
        return { isPrimary: origin === 'pk', columns: columns.map((column) => column['name']) };
      }),
  );
  const [primary] = keys.filter(({ isPrimary }) => isPrimary);
  const unique = keys.filter(({ isPrimary }) => !isPrimary);
  expect({ primary: primary?.columns, unique: unique.map(({ columns }) => columns) }).toEqual(
    KEYS[name],
  );
});

it.each(collections)('The changes of a collection have an index: $path', async ({ table }) => {
  const name = getTableName(table);
  const columns = await query(`pragma index_info(${name}_by_change)`);
  expect(
    columns.map((column) => column['name']),
    `in its migration, create index ${name}_by_change on ${name} (brand_id, change_number)`,
  ).toEqual(['brand_id', 'change_number']);
});

describe.each(tables)('$name', ({ name, columns }) => {
  it('A table is strict', async () => {
    const [table] = await query(`select sql from sqlite_master where name = '${name}'`);
    expect(String(table?.['sql'])).toMatch(/\)\s*strict,\s*without rowid$/i);
  });

  it('A table has no rowid, so that its rows are in primary key order', async () => {
    await expect(query(`select rowid from ${name}`)).rejects.toThrow('no such column: rowid');
  });

  it('A table belongs to a brand, and is deleted with it', async () => {
    const foreignKeys = await query(`pragma foreign_key_list(${name})`);
    const namesBrand = columns.some((column) => column.name === 'brand_id');
    expect(namesBrand).toBe(!OF_NO_BRAND.includes(name));
    const isOwned = namesBrand && !OUTLIVING.includes(name);
    expect(
      foreignKeys.map(({ table, from, to, on_delete }) => [table, from, to, on_delete]),
      `in its migration, brand_id of ${name} references brands (id) on delete cascade`,
    ).toEqual(isOwned ? [['brands', 'brand_id', 'id', 'CASCADE']] : []);
  });
});

it("Deleting a brand deletes its rows and no other's", async () => {
  const [brand, other] = [await TestBrand.create(), await TestBrand.create()];
  for (const owner of [brand, other]) {
    await withNewKey(owner);
    await makeResources(owner);
    const ids = await makeResources(owner);
    await owner.send('DELETE', itemPath(couponCodes, ids));
    const headers = { 'Idempotency-Key': 'once' };
    await owner.send('POST', '/products', { title: 'A', priceCents: 1 }, { headers });
  }
  const owned = tables.filter(({ name }) => ![...OF_NO_BRAND, ...OUTLIVING].includes(name));
  const rowsOf = async ({ issued }: TestBrand): Promise<number[]> => {
    const counts = owned.map(async ({ name }) => {
      const rows = await query(`select brand_id from ${name} where brand_id = '${issued.brandId}'`);
      return rows.length;
    });
    return Promise.all(counts);
  };
  const before = await rowsOf(other);
  expect(await rowsOf(brand)).toEqual(before);
  expect(
    owned.filter((_, index) => before[index] === 0).map(({ name }) => name),
    'create a row in each of these tables; makeResources does it for a collection',
  ).toEqual([]);

  await query(`delete from brands where id = '${brand.issued.brandId}'`);
  expect(await rowsOf(brand)).toEqual(owned.map(() => 0));
  expect(await rowsOf(other)).toEqual(before);
});
