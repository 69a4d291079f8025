import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { OpenDatabase } from '../src/database/open-database.ts';
import { collections } from '../../test/support/collections.ts';
import { productFields } from '../../test/support/fields/products.ts';
import { brandFields, connectionFields } from '../../test/support/fields/profile.ts';
import type { ColumnValue, FieldRows } from '../../test/support/fields/row.ts';
import { byColumn, stored } from '../../test/support/fields/row.ts';

// A brand with a value in every column of every table.

/** The values of a row by its columns; SQL for what no statement takes as a value. */
type Columns = Readonly<Record<string, ColumnValue | SQL>>;

const TIME = '2026-01-31T09:30:00.000Z';

/** A text that is hard to carry. */
const HOSTILE = `it's; COMMIT; BEGIN TRANSACTION; "x" \\ { [ ], \u2028 Größe 🧴\n\t</script>`;

/** Values that are as long as the API allows. No statement takes them, so SQLite makes them. */
const LONGEST = sql`replace(printf('%.65535c', 'x'), 'x', '🧴')`;
const IMAGES = sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
  select json_group_array('https://shop.example/' || replace(printf('%.2000c', 'x'), 'x', 'é') || n) from numbers)`;

const id = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** What is in place of the plain value of a field, by table and column. */
const OWN: Readonly<Record<string, Columns>> = {
  products: {
    title: 'Rope',
    description: HOSTILE,
    handle: 'rope',
    image_urls: IMAGES,
    service_inventory_quantity: 2_147_483_647,
    last_sync_error: HOSTILE,
  },
  coupon_codes: { code: 'Save10' },
};

/** Fills a brand that `brand create` made, so that no column of its rows is always null. */
export async function fillBrand(database: OpenDatabase, brandId: string): Promise<void> {
  const row = (n: number): Columns => ({
    brand_id: brandId,
    id: id(n),
    revision: id(100),
    created_at: TIME,
    updated_at: TIME,
    change_number: n + 6,
  });
  const whole = (rows: FieldRows): Columns => byColumn(rows, ({ value }) => stored(value));
  const bare = byColumn(productFields, (field) =>
    stored(field.default === null ? null : field.value),
  );
  await database.run(
    sql`update brands set ${assignments({
      ...whole(brandFields),
      ...whole(connectionFields),
      brand_name: sql`brand_name`,
      description: HOSTILE,
      last_sync_error: HOSTILE,
    })} where id = ${brandId}`,
    ...collections.map(({ table, fields }, index) =>
      insertion(table, { ...row(index + 1), ...whole(fields), ...OWN[table] }),
    ),
    insertion('products', {
      ...row(20),
      ...bare,
      title: 'Long',
      description: LONGEST,
      handle: 'rope',
    }),
    sql`insert into tombstones values (${brandId}, 'products', 9, ${id(30)}, ${TIME}), (${brandId}, 'products', 1790000000000000, ${id(30)}, ${TIME})`,
    sql`insert into idempotency_records values (${brandId}, 'order-1', ${'ab'.repeat(32)}, ${id(31)}, ${TIME}, ${'["x", 1.50]'})`,
  );
}

function insertion(table: string, columns: Columns): SQL {
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  const values = Object.values(columns).map((value) => sql`${value}`);
  return sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)})
    values (${sql.join(values, sql`, `)})`;
}

function assignments(columns: Columns): SQL {
  const parts = Object.entries(columns).map(
    ([name, value]) => sql`${sql.identifier(name)} = ${value}`,
  );
  return sql.join(parts, sql`, `);
}
