import type { Sql } from './sql.ts';
import { literal, placeholder, raw, sql } from './sql.ts';
import type { Statement } from './statement.ts';
import {
  isOurs,
  keyBrand,
  now,
  statement,
  thisTry,
  uncheckedBrand,
  writableBrand,
} from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record holds the outcome of a POST with an Idempotency-Key: the ids that it created, or the plan of a push. A call
// writes its record first, and its other writes depend on the record: both exist, or neither. A brand has one record
// more, with an empty key: the plan of its last push without a key. No retry reads it, and the next such push replaces it.

/** The key of a push that has none. No client can send it. */
export const NO_KEY = '';

const key = placeholder('idempotencyKey');

/** The placeholders of a record. */
export type RecordName = 'idempotencyKey' | 'fingerprint' | 'thisTry' | 'keyHash';

/** SQL: the time before which records have expired. */
export const expiry = raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')`);

/**
 * Returns the statement that inserts the record of `idempotencyKey` if the condition is true. It replaces a record that
 * is expired or has no key.
 * @param results the results as a JSON array
 * @param source a table expression with one row, which the results and the condition may read
 */
export function recordStatement<N extends string>(
  condition: Sql<N>,
  results: Sql<N>,
  source?: Sql<N>,
): Statement<N | RecordName> {
  return statement(sql`
    insert into ${table} (brand_id, key, fingerprint, request, created_at, results)
    select mine.brand, ${key}, ${placeholder('fingerprint')}, ${thisTry}, ${now}, ${results}
    from (select ${writableBrand} as brand) as mine${source && sql`, ${source}`}
    where mine.brand is not null and ${condition}
    on conflict (brand_id, key) do update
      set fingerprint = excluded.fingerprint, request = excluded.request, created_at = excluded.created_at, results = excluded.results
      where key = ${literal(NO_KEY)} or created_at <= ${expiry}`);
}

/** SQL condition: the request has an Idempotency-Key. */
export const hasKey = sql`${key} <> ${literal(NO_KEY)}`;

const ofThisKey = sql`${table} where brand_id = ${uncheckedBrand} and key = ${key}`;

/** SQL: the key's record if this try of the call inserted it, for use after `from`. */
export const recordOfThisTry = sql`${ofThisKey} and request = ${thisTry}`;

/** SQL condition: this try of the call inserted the key's record. */
export const recordIsOfThisTry = sql`exists (select 1 from ${recordOfThisTry})`;

/**
 * SQL: the results in the key's record; NULL if it is expired. A record without a key counts for the try that inserted it.
 */
export const resultsOfRecord = sql`(
  select results from ${ofThisKey} and (request = ${thisTry} or (${hasKey} and created_at > ${expiry})))`;

/** SQL: the results in the key's record as JSONB, if this try inserted it. */
export const resultsOfThisTry = sql`(select jsonb(results) from ${recordOfThisTry})`;

/** The record of `idempotencyKey` that has not expired, as `record`, for the `join` of `selectWithKey`. */
export const keyRecord = sql`${table} as record
  on record.brand_id = ${keyBrand} and record.key = ${key} and record.created_at > ${expiry}`;

/** SQL condition on `keyRecord`: this write inserted the record. */
export const hasRecorded = isOurs(raw('record.request'));
