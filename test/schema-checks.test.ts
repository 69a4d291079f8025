import { env } from 'cloudflare:workers';
import { getTableName } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { collections } from '../src/resources/registry.ts';
import { TestBrand } from './support/brand.ts';
import { collections as tested } from './support/collections.ts';
import { keyed } from './support/collections/collection.ts';
import type { ColumnValue } from './support/fields/kinds.ts';
import { timestamp } from './support/fields/kinds.ts';
import { brandFields, connectionFields } from './support/fields/profile.ts';
import type { FieldRow } from './support/fields/row.ts';
import { byColumn, stored } from './support/fields/row.ts';
import { makeResources } from './support/operations.ts';

// The database itself refuses invalid values, even if a later version of the service forgets to check them.

const badIds = ['', 'short', `${'0'.repeat(36)}0`, null];
const anyRow = { revision: badIds, created_at: [...timestamp.column, null] };
const changed = { updated_at: [...timestamp.column, null] };
const owned = {
  ...anyRow,
  ...changed,
  id: badIds,
  brand_id: [null, '', crypto.randomUUID()],
  change_number: [-1, 1.5, 'one', null],
};

const defaultOf = (row: FieldRow): ColumnValue | undefined =>
  row.default === undefined ? undefined : stored(row.default);
const columnRefuses = (row: FieldRow): readonly ColumnValue[] => row.columnRefuses;

/** By table and column, what it refuses. */
const refused: Readonly<Record<string, Readonly<Record<string, readonly ColumnValue[]>>>> = {
  brands: {
    ...anyRow,
    ...changed,
    id: badIds,
    ...byColumn(brandFields, columnRefuses),
    ...byColumn(connectionFields, columnRefuses),
    suspended_at: timestamp.column,
    unfinished: ['', 'move'],
  },
  api_keys: {
    hash: ['', 'f'.repeat(63), 'F'.repeat(64), 'g'.repeat(64), null],
    id: badIds,
    brand_id: [null, '', crypto.randomUUID()],
    prefix: ['', 'bik_', 'xxx_01234567', 'bik_012345678', null],
    label: ['x'.repeat(256), null],
    scope: ['', 'admin', 'WRITE', null],
    created_at: [...timestamp.column, null],
    expires_at: timestamp.column,
    revoked_at: timestamp.column,
    suspended_at: timestamp.column,
    replaced_by: badIds.filter((id) => id !== null),
    moved_to: [-1, 3844, 1.5, 'one'],
    frozen_at: timestamp.column,
  },
  ...Object.fromEntries(
    tested.map(({ table, fields }) => [table, { ...owned, ...byColumn(fields, columnRefuses) }]),
  ),
};

/** By table, the column that is unique within a brand. */
const uniqueColumns = new Map(
  collections.map(({ table, unique }) => [getTableName(table), unique?.column.name]),
);

const cases = Object.entries(refused).flatMap(([table, columns]) =>
  Object.entries(columns).map(([column, values]) => ({ table, column, values })),
);
for (const [table, column] of uniqueColumns) {
  // Another row has this value, in another case.
  if (column !== undefined) cases.push({ table, column, values: ['TAKEN', 'Taken'] });
}

/** Good rows to spoil in one column, by table. */
let good: Readonly<Record<string, Readonly<Record<string, ColumnValue>>>>;

beforeAll(async () => {
  const brand = await TestBrand.create();
  await makeResources(brand);
  for (const collection of tested.filter(({ isUnique }) => isUnique)) {
    await brand.create(collection.path, keyed(collection, 'taken'));
  }
  const { brandId } = brand.issued;
  const rows = Object.keys(refused).map(async (table) => {
    const sql = `select * from ${table} where ${ownerOf(table)} = ? limit 1`;
    const row = await env.DB.prepare(sql).bind(brandId).first<Record<string, ColumnValue>>();
    if (row === null) {
      throw new Error(`makeResources in test/support/operations.ts creates no row in ${table}.`);
    }
    return [table, row] as const;
  });
  good = Object.fromEntries(await Promise.all(rows));
});

describe('The tested columns', () => {
  it.each(Object.keys(refused))('are all of %s', async (table) => {
    const { results } = await env.DB.prepare(`pragma table_xinfo(${table})`).all();
    expect(
      Object.keys(refused[table] ?? {}).sort(),
      `in test/support/fields, add a row for each field of ${table}`,
    ).toEqual(results.map(({ name }) => name).sort());
  });
});

/** By table and column, what a field becomes that is left out; undefined if it may not be. */
const defaults = [
  ['brands', { ...byColumn(brandFields, defaultOf), ...byColumn(connectionFields, defaultOf) }],
  ...tested.map(({ table, fields }) => [table, byColumn(fields, defaultOf)] as const),
] as const;

it.each(defaults)(
  'The defaults in the migrations of %s are those of its fields',
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

describe('A good row', () => {
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
  const hint = `the CHECK of ${column} in its migration must refuse this, as its field in src does`;

  it.each(shown)('is not inserted as $text', async ({ value }) => {
    await expect(insert(table, { [column]: value }), hint).rejects.toThrow(refusal);
  });

  it.each(shown)('is not changed to $text', async ({ value }) => {
    // By the owner too: without it, SQLite would read the rows of all tests.
    const owner = ownerOf(table);
    const change = env.DB.prepare(
      `update ${table} set ${column} = ? where ${owner} = ? and id = ?`,
    );
    const { [owner]: brandId, id } = row(table);
    await expect(change.bind(value, brandId, id).run(), hint).rejects.toThrow(refusal);
  });
});

/** The column with the brand's id. */
function ownerOf(table: string): string {
  return table === 'brands' ? 'id' : 'brand_id';
}

function row(table: string): Readonly<Record<string, ColumnValue>> {
  return good[table] ?? {};
}

/** Inserts the good row under keys of its own, with some values spoiled. */
async function insert(table: string, spoiled: Record<string, ColumnValue>): Promise<D1Result> {
  const unique: Record<string, ColumnValue> = { id: crypto.randomUUID() };
  if (table === 'api_keys') unique['hash'] = crypto.randomUUID().replaceAll('-', '').repeat(2);
  const column = uniqueColumns.get(table);
  if (column !== undefined) unique[column] = crypto.randomUUID().slice(0, 8);
  const values = { ...row(table), ...unique, ...spoiled };
  const names = Object.keys(values);
  const marks = names.map(() => '?').join();
  return env.DB.prepare(`insert into ${table} (${names.join()}) values (${marks})`)
    .bind(...Object.values(values))
    .run();
}
