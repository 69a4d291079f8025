import { newestChange, recentTombstones } from '../db/change-order.ts';
import type { Values } from '../db/columns.ts';
import { encodeValue } from '../db/columns.ts';
import { orWriteTime, WRITE_TIME } from '../db/guarded-update.ts';
import type { RecordName } from '../db/idempotency-records.ts';
import {
  hasRecorded,
  keyRecord,
  recordOfThisTry,
  recordStatement,
} from '../db/idempotency-records.ts';
import type { ItemParameter } from '../db/json-items.ts';
import { itemsIn, packItems } from '../db/json-items.ts';
import type { Sql } from '../db/sql.ts';
import { identifier, join, placeholder, raw, sql } from '../db/sql.ts';
import type { BrandSql, KeyedSelect, SqlValue, Statement } from '../db/statement.ts';
import {
  bind,
  earlierTries,
  keyBrand,
  newStem,
  now,
  selectWithKey,
  statement,
  uncheckedBrand,
  writableBrand,
  writableKey,
} from '../db/statement.ts';
import { AlreadyExists, IdempotencyKeyReused, PayloadTooLarge, Unavailable } from '../errors.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import { checkAll } from '../http/checks.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { envelope, jsonResponse, listEnvelope } from '../http/json-response.ts';
import { resourceResponse } from '../http/json-response.ts';
import { validate } from '../http/validation.ts';
import { cached } from '../lazy.ts';
import type { Collection, FieldsToSet } from './collection.ts';
import { newId } from './identifier.ts';
import type { PostOperation } from './post-parameters.ts';
import { otherRowWith } from './row.ts';
import { checkedRow } from './row-limit.ts';
import { validateList } from './validate-list.ts';

/** POST: creates one resource, or a list in the shape that GET returns, all or none. */
export function createOperation(collection: Collection): PostOperation {
  const { noun, keys, postBody } = collection;
  const statements = createStatements(collection);

  return async (c, body, readParameters) => {
    /** Whether the body is a list, and its resources. */
    const readBody = (): readonly [boolean, readonly FieldsToSet[]] => {
      if (body.has(keys.many)) return [true, validateList(collection, body.take())];
      if (body.bytes.byteLength > RESOURCE_LIMIT) throw new PayloadTooLarge(RESOURCE_LIMIT);
      return [false, [validate(postBody, body.take())]];
    };
    const [[isList, sent], idempotencyKey] = checkAll(
      c,
      readBody,
      () => readIdempotencyKey(c.req.raw.headers),
      readParameters,
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
      stem: newStem(),
      idempotencyKey: idempotencyKey ?? null,
      fingerprint: idempotencyKey === undefined ? null : await fingerprint(c.req.path, body.bytes),
    };
    const { record, insert, outcome } =
      idempotencyKey === undefined ? statements.plain : statements.idempotent;
    const items = packItems(rowTexts(collection, created, isList));
    const work = [
      ...(record ? [bind(record, values)] : []),
      bind(insert(items.count), { ...values, ...items.values }),
    ];

    const { keyRow } = await c
      .get('session')
      .run(duplicate === undefined ? work : [], bind(outcome, values));

    const isRecorded = typeof keyRow['results'] === 'string';
    const isReplay = isRecorded && !keyRow['has_written'];
    if (isReplay && keyRow['fingerprint'] !== values.fingerprint) throw new IdempotencyKeyReused();
    // What this call created counts as created, even if another request took the value before the acknowledgement
    // arrived.
    const isCreated = isRecorded || keyRow['created_at'] !== null;
    const taken = keyRow['taken'] === null ? duplicate : Number(keyRow['taken']);
    const time = isRecorded ? keyRow['recorded_at'] : keyRow['created_at'];
    // Somebody deleted what the first try created, before the retry could read it.
    if (keyRow['is_gone'] && time == null) throw new Unavailable();
    if (!isCreated && taken !== undefined) throw new AlreadyExists(noun, uniques[taken] ?? '');
    // The key's record expired between two statements of the call. The next try creates the resource.
    if (time == null) throw new Unavailable();

    // A replay rebuilds the first response from the recorded ids and time.
    const shown = isReplay ? complete(sent, idsOf(keyRow['results'])) : created;
    const jsons = shown.map((one) => representNew(collection, one, time));
    if (isReplay) c.header('Idempotent-Replayed', 'true');
    const [first = ''] = jsons;
    return isList
      ? jsonResponse(c, listEnvelope(keys.many, jsons), 201)
      : resourceResponse(c, envelope(keys.one, first), shown[0]?.id ?? '', undefined, 201);
  };
}

/** The values that the statements take, besides the items. */
type CreateName = 'ids' | 'first' | 'uniques' | 'earlierTries' | RecordName | 'stem';

/** The statements that create resources. */
interface CreateStatements {
  /** Records the `ids` that are created for the Idempotency-Key. */
  readonly record?: Statement<CreateName>;
  /**
   * Returns the INSERT for this number of item parameters. It inserts all rows, or none if a value in `uniques` is
   * taken.
   */
  readonly insert: (parameters: number) => Statement<CreateName | ItemParameter>;
  /** Reads when the row `first` was created, the index in `uniques` of the first taken value, and the key's record. */
  readonly outcome: KeyedSelect<CreateName>;
}

function createStatements(
  collection: Collection,
): Record<'plain' | 'idempotent', CreateStatements> {
  const { path, table, unique } = collection;
  const takenUniques = <B extends string>(brand: Sql<B>): Sql<B | 'uniques'> => sql`
    select item.key from json_each(${placeholder('uniques')}) as item
    where exists (${otherRowWith(collection, brand, raw('item.value ->> 0'), raw('item.value ->> 1'))})`;
  const isFree = unique ? sql`not exists (${takenUniques(writableBrand)})` : raw('true');
  const first = placeholder('first');
  const firstRow = sql`${table} on ${table.brandId} = ${keyBrand} and ${table.id} = ${first}`;
  const columns = sql`${table.createdAt},
    iif(${earlierTries}, ${first} in (select id from ${recentTombstones(path, keyBrand)}), 0) as is_gone,
    ${unique ? sql`iif(${table.id} is null, (select min(key) from (${takenUniques(keyBrand)})), null)` : raw('null')} as taken`;

  return {
    plain: {
      insert: insertOf(collection, writableBrand, {
        source: sql`select brand_id, ${now} as time from ${writableKey}`,
        guard: isFree,
      }),
      outcome: selectWithKey({
        columns,
        join: firstRow,
        hasWritten: sql`${table.id} is not null`,
      }),
    },
    // The record decides whether the rows are inserted.
    idempotent: {
      record: recordStatement(isFree, placeholder('ids')),
      insert: insertOf(collection, uncheckedBrand, {
        source: sql`select brand_id, created_at as time from ${recordOfThisTry}`,
      }),
      outcome: selectWithKey({
        columns: sql`${columns}, record.fingerprint, record.results, record.created_at as recorded_at`,
        join: sql`${firstRow} left join ${keyRecord}`,
        hasWritten: hasRecorded,
      }),
    },
  };
}

/**
 * @param brand the brand that owns the rows
 * @param source a SELECT of that brand and the time of creation; no row if nothing may be inserted
 * @param guard a further condition
 */
function insertOf<N extends string>(
  collection: Collection,
  brand: BrandSql,
  { source, guard }: { readonly source: Sql<N>; readonly guard?: Sql<N> },
): (parameters: number) => Statement<N | ItemParameter | 'keyHash' | 'earlierTries'> {
  const { path, table, writable, stamped } = collection;
  const sent = (index: number): Sql => raw(`item ->> ${index}`);
  const columns: Record<string, Sql> = {
    brand_id: raw('mine.brand_id'),
    created_at: raw('mine.time'),
    updated_at: raw('mine.time'),
    change_number: sql`mine.newest + ${sent(1)}`,
    id: sent(0),
    revision: sent(0),
  };
  for (const [index, [field, { name }]] of Object.entries(writable).entries()) {
    const value = sent(index + 2);
    columns[name] = stamped.has(field) ? orWriteTime(value, raw('mine.time')) : value;
  }
  const names = join(Object.keys(columns).map(identifier));
  const values = join(Object.values(columns));
  return cached((parameters: number) =>
    // A retry after a lost acknowledgement inserts nothing: neither rows that exist, nor rows deleted in the meantime.
    // JSONB and `limit`, because SQLite would parse an item for each of its values, and look for the newest change for each
    // item.
    statement(sql`
      insert into ${table} (${names}) select ${values}
      from (
        select one.*, jsonb(value) as item
        from (
          select *, ${newestChange(table, path, raw('source.brand_id'))} as newest
          from (${source}) as source where ${guard ?? raw('true')} limit 1
        ) as one, ${itemsIn(parameters)} limit -1 offset 0
      ) as mine
      where ${sent(0)} not in (select id from ${recentTombstones(path, brand)})
      on conflict (brand_id, id) do nothing`),
  );
}

/** A resource to create. */
interface NewResource {
  readonly id: string;
  readonly values: Values;
}

function complete(sent: readonly FieldsToSet[], ids: readonly string[]): NewResource[] {
  return sent.map((fieldsToSet, index) => {
    const id = ids[index] ?? '';
    return { id, values: fieldsToSet(id) };
  });
}

/**
 * Returns the rows to insert, each as a JSON array: the id, the place in the request, and the columns. A resource's first revision is its id, which no other revision equals.
 * @throws PayloadTooLarge if a row of a list is too long. The limit of the body is enough for a single one.
 */
function rowTexts(
  collection: Collection,
  created: readonly NewResource[],
  isList: boolean,
): string[] {
  return created.map(({ id, values }, index) => {
    const columns = Object.entries(collection.writable).map(([field, column]) =>
      encodeValue(column, values[field]),
    );
    const json = JSON.stringify([id, index + 1, ...columns]);
    return isList ? checkedRow(collection, index, json) : json;
  });
}

/** Returns the JSON text of a resource created at this time, identical to the text that SQLite builds from its row. */
function representNew(
  { shown, stamped }: Collection,
  { id, values }: NewResource,
  time: SqlValue,
): string {
  const all: Values = { ...values, id, createdAt: time, updatedAt: time };
  const members: Record<string, unknown> = {};
  for (const field of Object.keys(shown)) {
    members[field] = stamped.has(field) && all[field] === WRITE_TIME ? time : all[field];
  }
  return JSON.stringify(members);
}

/** Returns the values of the unique field, in order; empty if the collection has no unique field. */
function uniqueValues({ unique }: Collection, created: readonly NewResource[]): string[] {
  return unique ? created.map(({ values }) => String(values[unique.name])) : [];
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
function idsOf(recorded: SqlValue | undefined): string[] {
  const ids: unknown = JSON.parse(String(recorded));
  return Array.isArray(ids) ? ids.map(String) : [];
}
