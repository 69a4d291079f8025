import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { JoinedTable } from './key.ts';
import { joinedBrand, keyBrand } from './key.ts';
import { databaseTime, isOfThisCall, perCall, timeBefore } from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record holds the outcome of a POST with an Idempotency-Key: the ids that it created, or the plan of a push. A call
// writes its record first, and its other writes depend on the record: both exist, or neither. A brand has one record
// more, with an empty key: the plan of its last push without a key. No repeat reads it, and the next such push replaces
// it.

/** The key of a push that has none. No client can send it. */
export const NO_KEY = '';

/** How long a record is valid. */
export const RECORD_LIFE = '24 hours';

/** SQL: the time before which records have expired, for all statements of a call: none may expire between two of them. */
export const recordExpiry = timeBefore(perCall.now, RECORD_LIFE);

/** The names of the placeholders of `insertRecord`. */
export const recordNames = ['idempotencyKey', 'fingerprint'] as const;

/**
 * Returns the statement that inserts the record of a key. It replaces a record that has expired or has no key.
 * @param results a JSON array
 * @param source a table expression with one row, which the results and the condition may read
 */
export function insertRecord(
  p: Readonly<Record<(typeof recordNames)[number], Placeholder>>,
  {
    condition,
    results,
    source,
  }: { readonly condition: SQL; readonly results: SQL | Placeholder; readonly source?: SQL },
): SQL {
  return sql`
    insert into ${table} (brand_id, key, fingerprint, request, created_at, results)
    select mine.brand, ${p.idempotencyKey}, ${p.fingerprint}, ${perCall.tryId}, ${databaseTime}, ${results}
    from (select ${keyBrand.write} as brand) as mine${source && sql`, ${source}`}
    where mine.brand is not null and ${condition}
    on conflict (brand_id, key) do update
      set fingerprint = excluded.fingerprint, request = excluded.request, created_at = excluded.created_at, results = excluded.results
      where key = '' or created_at <= ${recordExpiry}`;
}

/** SQL: the key's record if this call inserted it, as a table expression. */
export function newRecord(idempotencyKey: Placeholder): SQL {
  return sql`(select * from ${table} where brand_id = ${keyBrand.write} and key = ${idempotencyKey} and request = ${perCall.tryId})`;
}

const record = alias(table, 'record');

/** The key's record that has not expired, as `record`, to join to a `selectWithKey`. */
export function keyRecord(idempotencyKey: Placeholder): JoinedTable {
  return {
    table: sql`${table} as ${record}`,
    on: sql`${record.brandId} = ${joinedBrand} and ${record.key} = ${idempotencyKey} and ${record.createdAt} > ${recordExpiry}`,
  };
}

/** The columns of `keyRecord`; null if there is no record. */
export const recordSelection = {
  fingerprint: record.fingerprint,
  results: record.results,
  recordedAt: record.createdAt,
  /** Whether this call inserted the record; otherwise an earlier request did. */
  hasRecorded: isOfThisCall(record.request),
};
