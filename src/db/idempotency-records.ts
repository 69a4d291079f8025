import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Statement } from './statement.ts';
import { uncheckedBrand, writableBrand, keyBrand, now, statement, THIS_TRY } from './statement.ts';
import { idempotencyRecords as table } from './tables.ts';

// A record says what a POST with an Idempotency-Key did: the ids that it created, or for a push what became of each item.
// It is the first that its call writes, and the rest follows it: both are there, or neither.

const [key, ids] = [sql.placeholder('idempotencyKey'), sql.placeholder('ids')];

/**
 * In the record of a push: an id of the request, and which try of the call inserted the record. A push cannot see in the
 * resources that it has changed them, once another has. So only the try that inserts the record writes.
 */
const idsOfPush = sql.placeholder(THIS_TRY);

/** The time before which a record is as good as gone. */
export const expiry = sql.raw(`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-24 hours')`);

/** What the record of a push holds besides. */
interface PushRecord {
  /** A table of one row, which `results` and the condition read. */
  readonly source: SQL;
  /** A JSON array. */
  readonly results: SQL;
}

/** Inserts the record of `idempotencyKey`, in the place of an expired one, if the condition holds. */
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

/** Holds if the key's record is the one that this very POST inserted. */
export const recordIsOurs = recordWith(ids);

/** Holds if this very try of the push inserted the key's record. */
export const recordIsOfThisTry = recordWith(idsOfPush);

function recordWith(ids: Placeholder): SQL {
  return sql`exists (select 1 from ${table} where ${ofThisKey} and ${table.ids} = ${ids})`;
}

/** Holds if the key has a record. */
export const recordIsLive = sql`exists (select 1 from ${table} where ${ofThisKey} and ${table.createdAt} > ${expiry})`;

/** The time of the record, which is also that of what it protects. */
export const recordTime = sql`(select ${table.createdAt} from ${table} where ${ofThisKey})`;

/** What the record of a push says of each item. */
export const resultsOfRecord = sql`(select ${table.results} from ${table} where ${ofThisKey})`;

/** The id of the request in the record of a push. */
export const requestOfRecord = sql`record.ids ->> 0`;

/** The live record of `idempotencyKey`, under the name `record`, to be joined to a `selectWithKey`. */
export const keyRecord = sql`${table} as record
  on record.brand_id = ${keyBrand} and record.key = ${key} and record.created_at > ${expiry}`;
