import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import deploying from '../docs/deploying.md?raw';

// A migration that copies a table must keep what it has, and the names by which the running code knows it. A large database
// copies its rows before, as docs/deploying.md says.

const NAME = '0009_coupon_codes_of_stores.sql';
const TIME = '2026-01-31T09:30:00.000Z';
const BRANDS = ['1', '2'].map((end) => `01890000-0000-7000-8000-00000000000${end}`);
const [FIRST = ''] = BRANDS;

/** The statements of the page, by what they contain. */
const [triggers = '', page = ''] = ['create trigger', 'limit 100000'].map(
  (text) =>
    deploying
      .match(/```sql\n[^`]*/g)
      ?.find((block) => block.includes(text))
      ?.slice(7) ?? '',
);
const migration = env.MIGRATIONS.find(({ name }) => name === NAME)?.queries ?? [];

async function rows(db: D1Database, sql: string): Promise<unknown[]> {
  return (await db.prepare(sql).all()).results;
}

/** What the running code knows of the table: its columns and their types, its indexes by name, and what these hold. */
async function shape(db: D1Database): Promise<unknown> {
  const indexes = await rows(
    db,
    `select list.name, "unique", origin, info.name as column from pragma_index_list('coupon_codes') as list
     join pragma_index_info(list.name) as info order by list.name, info.seqno`,
  );
  const columns = await rows(
    db,
    `select cid, name, type, "notnull", pk from pragma_table_info('coupon_codes')`,
  );
  return {
    indexes,
    columns,
    foreignKeys: await rows(db, `select * from pragma_foreign_key_list('coupon_codes')`),
    others: await rows(
      db,
      `select name from sqlite_master where name like '%new%' or type = 'trigger'`,
    ),
  };
}

async function content(db: D1Database): Promise<unknown> {
  return {
    codes: await rows(db, 'select * from coupon_codes order by brand_id, id'),
    tombstones: await rows(db, 'select * from tombstones order by brand_id, change_number'),
  };
}

/** The values of coupon code `n` of a brand. Change numbers have gaps, as changes leave them. */
function code(db: D1Database, brand: string, n: number): D1PreparedStatement {
  return db
    .prepare(
      `insert into coupon_codes values (?, ?, ?, ?4, ?4, ?, ?, ?, 'OTHER', 3, ?, 'x', 12.34, ?, 'SYNCED', ?)`,
    )
    .bind(
      brand,
      crypto.randomUUID(),
      crypto.randomUUID(),
      TIME,
      3 * n + 1,
      `Code-${n}`,
      n % 2,
      n % 3 || null,
      n % 4 ? `d/${n}` : null,
      n % 5 ? TIME : null,
    );
}

async function fill(db: D1Database): Promise<void> {
  await applyD1Migrations(
    db,
    env.MIGRATIONS.filter(({ name }) => name < NAME),
  );
  await db.batch(
    BRANDS.flatMap((brand) => [
      db
        .prepare(
          `insert into brands (id, revision, created_at, updated_at, brand_name, description, cart_minimum_cents, customer_ltv_cents, connection_status, sync_enabled)
           values (?1, ?1, ?2, ?2, 'A', '', 0, 0, 'CONNECTED', 0)`,
        )
        .bind(brand, TIME),
      ...Array.from({ length: 20 }, (_, n) => code(db, brand, n)),
      db
        .prepare(`insert into tombstones values (?, 'coupon-codes', 99, ?, ?)`)
        .bind(brand, crypto.randomUUID(), TIME),
    ]),
  );
}

/** Writes as the running code does: creates, changes, renames, swaps a code, deletes. */
async function write(db: D1Database, n: number): Promise<void> {
  const change = (sql: string): D1PreparedStatement =>
    db.prepare(`${sql} and brand_id = '${FIRST}'`);
  await db.batch([
    code(db, FIRST, 100 + n),
    change(
      `update coupon_codes set active = 1 - active, revision = '${crypto.randomUUID()}' where code = 'Code-${n}'`,
    ),
    change(`update coupon_codes set code = 'Renamed-${n}' where code = 'Code-${n + 1}'`),
    change(`update coupon_codes set code = 'CODE-${n + 1}' where code = 'Code-${n + 2}'`),
    change(`delete from coupon_codes where code = 'Code-${n + 3}'`),
  ]);
}

/** Copies in steps of a few rows, with writes before, between and after. */
async function copyBefore(db: D1Database): Promise<void> {
  const [create = ''] = migration.filter((query) => query.includes('create table'));
  await db.prepare(create).run();
  await db.batch(
    triggers.split(/(?<=^end;)\n/m).map((text) => db.prepare(text.replace(/\s+/g, ' '))),
  );
  await write(db, 0);
  for (const n of [4, 8, 12, 16]) {
    await db.prepare(page.replace('100000', '10')).run();
    await write(db, n);
  }
  await db.prepare(page).run();
  // The migration itself would copy what is missing.
  const codes = await rows(db, 'select * from coupon_codes order by brand_id, id');
  expect(await rows(db, 'select * from new_coupon_codes order by brand_id, id')).toEqual(codes);
}

describe.each([
  { way: 'at once', db: env.EMPTY_1, prepare: (): Promise<void> => Promise.resolve() },
  { way: 'after a copy in steps', db: env.EMPTY_2, prepare: copyBefore },
])('The migration to coupon codes as stores have them, $way,', ({ db, prepare }) => {
  let before: { readonly shape: unknown; readonly content: unknown };

  beforeAll(async () => {
    await fill(db);
    const known = await shape(db);
    await prepare(db);
    before = { shape: known, content: await content(db) };
    await applyD1Migrations(db, env.MIGRATIONS);
  });

  it('keeps every row, with its change number, revision and times, and every deletion', async () => {
    expect(await content(db)).toEqual(before.content);
  });

  it('keeps the columns, and the indexes under the names that the running code uses', async () => {
    expect(await shape(db)).toEqual(before.shape);
  });
});
