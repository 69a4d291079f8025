import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Statement } from './statement.ts';
import { keyBrand, now, statement, writingBrand } from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record says which ids a POST with an Idempotency-Key made. It is written in the transaction that makes them:
// both are there, or neither. The same request gives the same answer from the ids and the time alone.

const [key, ids] = [sql.placeholder('idempotencyKey'), sql.placeholder('ids')];

/** The time before which a record is as good as gone. */
export const expiry = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')`);

/** Inserts the record of `idempotencyKey`, in the place of an expired one, where the condition holds. */
export function recordStatement(condition: SQL = sql`true`): Statement {
  return statement(
    () => sql`
    insert into ${table} (brand_id, key, fingerprint, ids, created_at)
    select mine.brand, ${key}, ${sql.placeholder('fingerprint')}, ${ids}, ${now}
    from (select ${writingBrand} as brand) as mine
    where mine.brand is not null and ${condition}
    on conflict (brand_id, key) do update
      set fingerprint = excluded.fingerprint, ids = excluded.ids, created_at = excluded.created_at
      where ${table.createdAt} <= ${expiry}`,
  );
}

/** Holds where the key's record is the one that this very request inserted. */
export const recordIsOurs = sql`exists (
  select 1 from ${table} where ${table.brandId} = ${writingBrand} and ${table.key} = ${key} and ${table.ids} = ${ids})`;

/** The time of the record, which is also that of what it protects. */
export const recordTime = sql`(select ${table.createdAt} from ${table} where ${table.brandId} = ${writingBrand} and ${table.key} = ${key})`;

/** The live record of `idempotencyKey`, under the name `record`, to be joined to an answer. */
export const keyRecord = sql`${table} as record
  on record.brand_id = ${keyBrand} and record.key = ${key} and record.created_at > ${expiry}`;
