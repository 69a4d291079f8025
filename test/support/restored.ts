import type { Row } from '../../src/db/statement.ts';
import { collections } from './collections.ts';
import type { DatabaseNumber } from './databases.ts';
import { databases } from './databases.ts';

// A restore by Time Travel, for one brand alone: tests share their databases.

/** The tables with rows of a brand, in the order in which they can be inserted, each with the column of the brand. */
const TABLES = [
  ['brands', 'id'],
  ['moves', 'brand_id'],
  ...[
    'api_keys',
    ...collections.map(({ table }) => table),
    'tombstones',
    'idempotency_records',
  ].map((table) => [table, 'brand_id'] as const),
] as const;

/** All rows of a brand in a database, by table. */
export type Moment = readonly (readonly [table: string, rows: readonly Row[]])[];

/** Returns all that a database has of a brand, to go back to it. */
export async function momentOf(number: DatabaseNumber, brandId: string): Promise<Moment> {
  const results = await databases[number].batch<Row>(
    TABLES.map(([table, owner]) =>
      databases[number].prepare(`select * from ${table} where ${owner} = ?`).bind(brandId),
    ),
  );
  return TABLES.map(([table], index) => [table, results[index]?.results ?? []]);
}

/** Goes back to a moment. */
export async function restore(
  number: DatabaseNumber,
  brandId: string,
  moment: Moment,
): Promise<void> {
  const db = databases[number];
  await db.batch([
    db.prepare('delete from brands where id = ?').bind(brandId),
    db.prepare('delete from moves where brand_id = ?').bind(brandId),
    ...moment.flatMap(([table, rows]) =>
      rows.map((row) => {
        const columns = Object.keys(row);
        const text = `insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`;
        return db.prepare(text).bind(...Object.values(row));
      }),
    ),
  ]);
}

/**
 * Notes what databases have of a brand, for tests that use it again: to bring it back takes a call for each database, and a
 * new one many more.
 * @returns what brings it back
 */
export async function rewinding(
  brandId: string,
  numbers: readonly DatabaseNumber[],
): Promise<() => Promise<void>> {
  const moments = await Promise.all(
    numbers.map(async (number) => ({ number, moment: await momentOf(number, brandId) })),
  );
  return async () => {
    await Promise.all(moments.map(({ number, moment }) => restore(number, brandId, moment)));
  };
}
