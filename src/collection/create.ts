import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { newestChange, recentTombstones } from '../db/change-order.ts';
import type { Values } from '../db/columns.ts';
import { encode } from '../db/columns.ts';
import { WRITE_TIME } from '../db/guarded-update.ts';
import { keyRecord, recordIsOurs, recordStatement, recordTime } from '../db/idempotency-records.ts';
import { itemsIn, packItems } from '../db/json-items.ts';
import type { BoundStatement, KeyedSelect, SqlValue, Statement } from '../db/statement.ts';
import {
  uncheckedBrand,
  writableBrand,
  keyBrand,
  now,
  selectWithKey,
  statement,
} from '../db/statement.ts';
import { statementCache } from '../db/statement-cache.ts';
import { AlreadyExists, IdempotencyKeyReused, PayloadTooLarge, Unavailable } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import { checkAll } from '../http/checks.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { envelope, jsonResponse, listEnvelope } from '../http/json-response.ts';
import { resourceResponse } from '../http/resource-response.ts';
import { validate } from '../http/validation.ts';
import type { Collection, CompleteWithDefaults } from './collection.ts';
import { newId } from './identifier.ts';
import type { PostOperation } from './operation-types.ts';
import { represent } from './representation.ts';
import { otherRowWith } from './row.ts';
import { checkedRow } from './row-limit.ts';
import { validateList } from './validate-list.ts';

/** POST: creates one resource, or a list in the shape that GET returns, all or none. */
export function createOperation(collection: Collection): PostOperation {
  const { noun, keys, full } = collection;
  const statements = createStatements(collection);

  return async (c, body, parameters) => {
    /** Whether the body is a list, and its resources. */
    const readBody = (): readonly [boolean, readonly CompleteWithDefaults[]] => {
      if (body.has(keys.many)) return [true, validateList(collection, body.take())];
      if (body.bytes.byteLength > RESOURCE_LIMIT) throw new PayloadTooLarge(RESOURCE_LIMIT);
      return [false, [validate(full, body.take())]];
    };
    const [[isList, sent], idempotencyKey] = checkAll(
      c,
      readBody,
      () => readIdempotencyKey(c.req.raw.headers),
      parameters,
    );

    const ids = sent.map(() => newId());
    const created = complete(sent, ids);
    const uniques = uniqueValues(collection, created);
    const duplicate = firstDuplicate(uniques);
    const values = {
      ids: JSON.stringify(ids),
      first: ids[0] ?? null,
      // Values after the first duplicate do not matter, because the duplicate is rejected.
      uniques: JSON.stringify(
        uniques.slice(0, duplicate).map((value, index) => [value, ids[index]]),
      ),
      idempotencyKey: idempotencyKey ?? null,
      fingerprint: idempotencyKey === undefined ? null : await fingerprint(c.req.path, body.bytes),
    };
    const { record, insert, outcome } =
      idempotencyKey === undefined ? statements.plain : statements.idempotent;
    const work: BoundStatement[] = [];
    if (duplicate === undefined) {
      if (record) work.push({ statement: record, values });
      const items = packItems(rowTexts(collection, created, isList));
      work.push({ statement: insert(items.count), values: { ...values, ...items.values } });
    }

    const { last } = await c.var.session.run(work, { statement: outcome, values });

    const recordedIds = last['ids'] ?? null;
    const isReplay = recordedIds !== null && recordedIds !== values.ids;
    if (isReplay && last['fingerprint'] !== values.fingerprint) throw new IdempotencyKeyReused();
    // What this call created counts as created, even if another request took the value before the acknowledgement
    // arrived.
    const isCreated = isReplay || last['created_at'] != null;
    const taken = last['taken'] === null ? duplicate : Number(last['taken']);
    if (!isCreated && taken !== undefined) throw new AlreadyExists(noun, uniques[taken] ?? '');
    const time = isReplay ? last['recorded_at'] : last['created_at'];
    // The key's record expired between two statements of the call. The next try creates the resource.
    if (time == null) throw new Unavailable();

    // A replay rebuilds the first response from the recorded ids and time.
    const shown = isReplay ? complete(sent, idsOf(recordedIds)) : created;
    const jsons = shown.map((one) => representNew(collection, one, time));
    if (isReplay) c.header('Idempotent-Replayed', 'true');
    const [first = ''] = jsons;
    return isList
      ? jsonResponse(c, listEnvelope(keys.many, jsons), 201)
      : resourceResponse(c, envelope(keys.one, first), shown[0]?.id ?? '', undefined, 201);
  };
}

/** The statements that create resources. */
interface CreateStatements {
  /** Records the `ids` that are created for the Idempotency-Key. */
  readonly record?: Statement;
  /**
   * Returns the INSERT for this number of item parameters. It inserts all rows, or none if a value in `uniques` is
   * taken.
   */
  readonly insert: (parameters: number) => Statement;
  /** Reads when the row `first` was created, the index in `uniques` of the first taken value, and the key's record. */
  readonly outcome: KeyedSelect;
}

function createStatements(
  collection: Collection,
): Record<'plain' | 'idempotent', CreateStatements> {
  const { path, table, unique } = collection;
  const first = sql.placeholder('first');
  const takenUniques = (brand: SQL): SQL => sql`
    select item.key from json_each(${sql.placeholder('uniques')}) as item
    where exists (${otherRowWith(collection, brand, sql`item.value ->> 0`, sql`item.value ->> 1`)})`;
  const isFree = (brand: SQL): SQL =>
    unique ? sql`not exists (${takenUniques(brand)})` : sql`true`;
  const createdAt = sql`coalesce(
    (select created_at from ${table} where brand_id = ${keyBrand} and id = ${first}),
    (select created_at from ${recentTombstones(path, uncheckedBrand)} where id = ${first}))`;
  const firstTaken = unique ? sql`(select min(key) from (${takenUniques(keyBrand)}))` : sql`null`;

  return {
    plain: {
      insert: insertOf(collection, writableBrand, now, isFree(writableBrand)),
      outcome: selectWithKey({
        columns: sql`${createdAt} as created_at, ${firstTaken} as taken`,
        hasWritten: sql`${createdAt} is not null`,
      }),
    },
    // The record decides whether the rows are inserted.
    idempotent: {
      record: recordStatement(isFree(writableBrand)),
      insert: insertOf(collection, uncheckedBrand, recordTime, recordIsOurs),
      outcome: selectWithKey({
        columns: sql`${createdAt} as created_at, ${firstTaken} as taken,
          record.fingerprint, record.ids, record.created_at as recorded_at`,
        join: keyRecord,
        hasWritten: sql`record.ids is ${sql.placeholder('ids')}`,
      }),
    },
  };
}

/**
 * @param brand the brand that owns the rows
 * @param time the time of creation
 * @param guard true if the rows may be inserted
 */
function insertOf(
  collection: Collection,
  brand: SQL,
  time: SQL,
  guard: SQL,
): CreateStatements['insert'] {
  const { path, table, writable, stamped } = collection;
  const sent = (name: string): SQL => sql`item.value ->> ${sql.raw(`'${name}'`)}`;
  const columns: Record<string, SQL> = {
    brand_id: sql`mine.brand`,
    created_at: sql`mine.time`,
    updated_at: sql`mine.time`,
    change_number: sql`mine.newest + ${sent('place')}`,
    id: sent('id'),
    revision: sent('id'),
  };
  for (const [field, { name }] of Object.entries(writable)) {
    columns[name] = stamped.has(field)
      ? sql`iif(${sent(name)} = ${sql.raw(`'${WRITE_TIME}'`)}, mine.time, ${sent(name)})`
      : sent(name);
  }
  const names = sql.join(
    Object.keys(columns).map((name) => sql.identifier(name)),
    sql`, `,
  );
  const values = sql.join(Object.values(columns), sql`, `);
  const made = statementCache(([parameters]) =>
    // A retry after a lost acknowledgement inserts nothing: neither rows that exist, nor rows deleted in the meantime.
    statement(sql`
      insert into ${table} (${names}) select ${values}
      from (select ${brand} as brand, ${time} as time, ${newestChange(table, path, brand)} as newest) as mine,
        ${itemsIn(Number(parameters))} as item
      where mine.brand is not null and ${guard}
        and ${sent('id')} not in (select id from ${recentTombstones(path, brand)})
      on conflict (brand_id, id) do nothing`),
  );
  return (parameters) => made([String(parameters)]);
}

/** A resource to create. */
interface New {
  readonly id: string;
  readonly values: Values;
}

function complete(sent: readonly CompleteWithDefaults[], ids: readonly string[]): New[] {
  return sent.map((completeWithDefaults, index) => {
    const id = ids[index] ?? '';
    return { id, values: completeWithDefaults(id) };
  });
}

/**
 * Returns the rows to insert, as JSON. A resource's first revision is its id, which no other revision equals.
 * @throws PayloadTooLarge if a row of a list is too long. The limit of the body is enough for a single one.
 */
function rowTexts(collection: Collection, created: readonly New[], isList: boolean): string[] {
  return created.map(({ id, values }, index) => {
    const row = { id, place: index + 1, ...encode(collection.writable, values) };
    const json = JSON.stringify(row);
    return isList ? checkedRow(collection, index, json) : json;
  });
}

/** Returns the JSON text of a resource created at this time. */
function representNew(collection: Collection, { id, values }: New, time: SqlValue): string {
  const stamped: Record<string, SqlValue> = {};
  for (const field of collection.stamped) if (values[field] === WRITE_TIME) stamped[field] = time;
  return represent(collection, { ...values, ...stamped, id, createdAt: time, updatedAt: time });
}

/** Returns the values of the unique field, in order; empty if the collection has no unique field. */
function uniqueValues({ unique }: Collection, created: readonly New[]): string[] {
  return unique ? created.map(({ values }) => String(values[unique.field])) : [];
}

/** Returns the index of the first value that occurs earlier in the list, ignoring case. */
function firstDuplicate(values: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value.toLowerCase())) return index;
    seen.add(value.toLowerCase());
  }
  return undefined;
}

/** Parses the ids of a record: JSON that this service wrote. */
function idsOf(recorded: SqlValue): string[] {
  const ids: unknown = JSON.parse(String(recorded));
  return Array.isArray(ids) ? ids.map(String) : [];
}
