import { sql } from 'drizzle-orm';
import { standard } from './brand.ts';
import { statementsOn } from './statements.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Returns all of a brand's data in D1, except its keys. */
export async function snapshot(brandId: string, { db, collections } = standard): Promise<unknown> {
  return statementsOn(db)(
    sql`select * from brands where id = ${brandId}`,
    ...collections.map(
      ({ table }) =>
        sql`select * from ${sql.identifier(table)} where brand_id = ${brandId} order by id`,
    ),
    sql`select * from tombstones where brand_id = ${brandId} order by collection, change_number`,
    sql`select * from idempotency_records where brand_id = ${brandId} order by key`,
  );
}

/** Returns a value as text with numbered ids and constant times, so that two runs can be compared. */
export function normalised(value: unknown): string {
  const names = new Map<string, string>();
  return JSON.stringify(value)
    .replace(UUID, (id) => {
      const name = names.get(id) ?? `id ${names.size + 1}`;
      names.set(id, name);
      return name;
    })
    .replace(TIME, 'time');
}
