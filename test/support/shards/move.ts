import { deleteBrand } from '../../../tools/admin/brands.ts';
import type { Row } from '../../../src/db/statement.ts';
import { collections } from '../collections.ts';
import { executeOn } from '../../../tools/admin/execute.ts';

/** The keys of brands that are being moved or have moved: the target database, and the scope of the key. */
export const MIGRATION = `create table moving_keys (
  hash text not null primary key, brand_id text not null, scope text not null, shard text not null
) strict, without rowid`;

/** The tables of a brand's data, each with the column of the brand and the one that orders its rows; parents first. */
const TABLES = [
  { table: 'brands', owner: 'id', order: 'id' },
  ...collections.map(({ table }) => ({ table, owner: 'brand_id', order: 'id' })),
  { table: 'idempotency_records', owner: 'brand_id', order: 'key' },
];

/** The number of rows read and written per call. */
const CHUNK = 100;

/** Returns the record of a key whose brand is being moved or has moved. */
export async function movingKey(
  db: D1Database,
  hash: string,
): Promise<{ readonly scope: string; readonly shard: string } | undefined> {
  const found = await db
    .prepare('select scope, shard from moving_keys where hash = ?')
    .bind(hash)
    .first<{ scope: string; shard: string }>();
  return found ?? undefined;
}

/**
 * Moves a brand to another database while its clients continue. They can always read; writes get 503 from the freeze
 * until the brand has moved.
 * @param shard the number of the target database
 * @throws Error if the copy differs; nothing is deleted then, and the brand stays frozen
 */
export async function moveBrand(
  from: D1Database,
  to: D1Database,
  shard: string,
  brandId: string,
): Promise<void> {
  await freeze(from, shard, brandId);
  for (const source of TABLES) {
    for await (const rows of chunks(from, source, brandId)) await insert(to, source.table, rows);
    await assertSame(source, chunks(from, source, brandId), chunks(to, source, brandId));
  }
  await copyKeys(from, to, brandId);
  // The keys are deleted first: from then on requests are repeated in the other database.
  await deleteBrand(executeOn(from, 'tests'), brandId);
}

/**
 * Makes all keys of the brand read-only, and records their scopes. A write checks its key in its own transaction, so it
 * took effect before this one and is copied, or it never takes effect.
 */
async function freeze(from: D1Database, shard: string, brandId: string): Promise<void> {
  await from.batch([
    from
      .prepare(
        'insert into moving_keys select hash, brand_id, scope, ? from api_keys where brand_id = ? on conflict do nothing',
      )
      .bind(shard, brandId),
    from.prepare(`update api_keys set scope = 'read' where brand_id = ?`).bind(brandId),
  ]);
}

/**
 * Copies the keys with their scopes. The same transaction deletes the target database's record that the brand was
 * elsewhere.
 */
async function copyKeys(from: D1Database, to: D1Database, brandId: string): Promise<void> {
  const { results } = await from
    .prepare(
      `select hash, id, brand_id, prefix, label, created_at, expires_at, revoked_at, replaced_by, suspended_at,
        (select moving_keys.scope from moving_keys where moving_keys.hash = api_keys.hash) as scope
        from api_keys where brand_id = ?`,
    )
    .bind(brandId)
    .all<Row>();
  await to.batch([
    ...results.map((row) => insertion(to, 'api_keys', row)),
    to.prepare('delete from moving_keys where brand_id = ?').bind(brandId),
  ]);
}

async function* chunks(
  db: D1Database,
  { table, owner, order }: (typeof TABLES)[number],
  brandId: string,
): AsyncGenerator<Row[]> {
  let after = '';
  for (;;) {
    const { results } = await db
      .prepare(
        `select * from ${table} where ${owner} = ? and ${order} > ? order by ${order} limit ${CHUNK}`,
      )
      .bind(brandId, after)
      .all<Row>();
    if (results.length === 0) return;
    yield results;
    after = String(results.at(-1)?.[order]);
  }
}

async function insert(db: D1Database, table: string, rows: readonly Row[]): Promise<void> {
  await db.batch(rows.map((row) => insertion(db, table, row)));
}

/** Inserts a row unless it exists, so that an interrupted move can be repeated. */
function insertion(db: D1Database, table: string, row: Row): D1PreparedStatement {
  const columns = Object.keys(row);
  return db
    .prepare(
      `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()}) on conflict do nothing`,
    )
    .bind(...Object.values(row));
}

/** @throws Error if their rows differ */
async function assertSame(
  { table }: (typeof TABLES)[number],
  expected: AsyncGenerator<Row[]>,
  copied: AsyncGenerator<Row[]>,
): Promise<void> {
  for (;;) {
    const [one, other] = await Promise.all([expected.next(), copied.next()]);
    if (JSON.stringify(one) !== JSON.stringify(other)) throw new Error(`${table} differ.`);
    if (one.done) return;
  }
}
