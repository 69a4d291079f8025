import type { Placeholder, SQL } from 'drizzle-orm';
import { eq, gt, sql } from 'drizzle-orm';
import { brand, mine } from './key.ts';
import { select } from './selection.ts';
import type { Params } from './statement.ts';
import { databaseTime, perCall, statement, timeBefore } from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record holds what a POST with an Idempotency-Key did: the ids that it created, or the plan of a push. A call writes its
// record first, and its other writes depend on the record: both exist, or neither. A brand has one record more, with an empty
// key: the plan of its last push without a key. No repeat reads it, and the next such push replaces it.

/** The key of a push that has none. No client can send it. */
export const NO_KEY = '';

/** How long a record is valid. */
export const RECORD_LIFE = '24 hours';

/** SQL: the time before which records have expired, for all statements of a call: none may expire between two of them. */
export const recordExpiry = timeBefore(perCall.now, RECORD_LIFE);

/**
 * Returns the statement that inserts the record of a key. It replaces a record that has expired or has no key.
 * @param results a JSON array
 * @param source a table expression with one row, which the results and the condition may read
 */
export function insertRecord(
  p: Params<'idempotencyKey' | 'fingerprint'>,
  {
    condition,
    results,
    source,
  }: { readonly condition: SQL; readonly results: SQL | Placeholder; readonly source?: SQL },
): SQL {
  return sql`
    insert into ${table} (brand_id, key, fingerprint, request, created_at, results)
    select owner.brand, ${p.idempotencyKey}, ${p.fingerprint}, ${perCall.tryId}, ${databaseTime}, ${results}
    from (select ${brand} as brand) as owner${source && sql`, ${source}`}
    where owner.brand is not null and ${condition}
    on conflict (brand_id, key) do update
      set fingerprint = excluded.fingerprint, request = excluded.request, created_at = excluded.created_at, results = excluded.results
      where key = '' or created_at <= ${recordExpiry}`;
}

/** SQL: the key's record if this call inserted it, as a table expression. */
export function newRecord(idempotencyKey: Placeholder): SQL {
  return sql`(select * from ${table} where brand_id = ${brand} and key = ${idempotencyKey} and request = ${perCall.tryId})`;
}

/** Reads the key's record that has not expired. */
export const selectRecord = statement((p: Params<'idempotencyKey'>) =>
  select({
    fingerprint: table.fingerprint,
    results: table.results,
    createdAt: table.createdAt,
    /** Whether this call inserted the record; otherwise an earlier request did. */
    isNew: sql<number>`${table.request} = ${perCall.tryId}`,
  })
    .from(table)
    .where(mine(table, eq(table.key, p.idempotencyKey), gt(table.createdAt, recordExpiry))),
);
