import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Statement } from './statement.ts';
import { uncheckedBrand, writableBrand, keyBrand, now, statement, THIS_TRY } from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record holds the outcome of a POST with an Idempotency-Key: the created ids, or, for a push, the result of each
// item. A call writes its record first, and its other writes depend on the record: both exist, or neither.

const [key, ids] = [sql.placeholder('idempotencyKey'), sql.placeholder('ids')];

/**
 * In the record of a push: the request's id, and the try of the call that inserted the record. After another change, a
 * resource no longer shows that a push has changed it. So only the try that inserts the record writes.
 */
const idsOfPush = sql.placeholder(THIS_TRY);

/** SQL: the time before which records have expired. */
export const expiry = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')`);

/** The additional parts of a push's record. */
interface PushRecord {
  /** A table expression with one row, which `results` and the condition read. */
  readonly source: SQL;
  /** The results as a JSON array. */
  readonly results: SQL;
}

/**
 * Returns the statement that inserts the record of `idempotencyKey` if the condition is true. It replaces an expired
 * record.
 */
export function recordStatement(condition: SQL, push?: PushRecord): Statement {
  return statement(sql`
    insert into ${table} (brand_id, key, fingerprint, ids, created_at, results)
    select mine.brand, ${key}, ${sql.placeholder('fingerprint')}, ${push ? idsOfPush : ids}, ${now}, ${push?.results ?? sql`null`}
    from (select ${writableBrand} as brand) as mine${push && sql`, ${push.source}`}
    where mine.brand is not null and ${condition}
    on conflict (brand_id, key) do update
      set fingerprint = excluded.fingerprint, ids = excluded.ids, created_at = excluded.created_at, results = excluded.results
      where ${table.createdAt} <= ${expiry}`);
}

const ofThisKey = sql`${table.brandId} = ${uncheckedBrand} and ${table.key} = ${key}`;

/** SQL condition: this POST inserted the key's record. */
export const recordIsOurs = recordWith(ids);

/** SQL condition: this try of the push inserted the key's record. */
export const recordIsOfThisTry = recordWith(idsOfPush);

function recordWith(ids: Placeholder): SQL {
  return sql`exists (select 1 from ${table} where ${ofThisKey} and ${table.ids} = ${ids})`;
}

/** SQL condition: the key has a record that has not expired. */
export const recordIsLive = sql`exists (select 1 from ${table} where ${ofThisKey} and ${table.createdAt} > ${expiry})`;

/** SQL: the time of the record, which is also the time of the rows that it covers. */
export const recordTime = sql`(select ${table.createdAt} from ${table} where ${ofThisKey})`;

/** SQL: the results in a push's record. */
export const resultsOfRecord = sql`(select ${table.results} from ${table} where ${ofThisKey})`;

/** SQL: the id of the request in the record of a push. */
export const requestOfRecord = sql`record.ids ->> 0`;

/** The record of `idempotencyKey` that has not expired, as `record`, for the `join` of `selectWithKey`. */
export const keyRecord = sql`${table} as record
  on record.brand_id = ${keyBrand} and record.key = ${key} and record.created_at > ${expiry}`;
