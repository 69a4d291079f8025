import type { Placeholder, SQL, SQLWrapper } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { newestChange } from '../db/change-numbers.ts';
import { encode } from '../db/columns.ts';
import { orWriteTime, WRITE_TIME } from '../db/guarded-update.ts';
import {
  insertRecord,
  keyRecord,
  newRecord,
  recordNames,
  recordSelection,
} from '../db/idempotency-records.ts';
import { itemNames, itemsIn, packItems } from '../db/json-items.ts';
import { joinedBrand, keyBrand, selectWithKey, writingKey } from '../db/key.ts';
import type { SqlValue } from '../db/statement.ts';
import { databaseTime, statement, variants } from '../db/statement.ts';
import { AlreadyExists, IdempotencyKeyReused, PayloadTooLarge, Unavailable } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { JsonBody } from '../http/body.ts';
import { memberOf, RESOURCE_LIMIT } from '../http/body.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { resourceResponse } from '../http/json-response.ts';
import { validate } from '../http/validation.ts';
import type { Collection, FieldsToSet } from './collection.ts';
import { newId } from './identifier.ts';
import { joinedResource, otherRowWith, show } from './row.ts';
import { checkedRow } from './row-limit.ts';
import { validateList } from './validate-list.ts';

/** POST: creates one resource, or a list in the shape that GET returns, all or none. */
export function createOperation(
  collection: Collection,
): (c: Context<ApiEnv>, body: JsonBody) => Promise<Response> {
  const { noun, keys, postBody } = collection;
  const { insert, record, insertRecorded, outcome, outcomeWithRecord } =
    createStatements(collection);

  return async (c, body) => {
    const isList = memberOf(body.value, keys.many) !== undefined;
    if (!isList && body.bytes.byteLength > RESOURCE_LIMIT) {
      throw new PayloadTooLarge(RESOURCE_LIMIT);
    }
    const idempotencyKey = readIdempotencyKey(c.req.raw.headers);
    const sent = isList ? validateList(collection, body.value) : [validate(postBody, body.value)];

    const ids = sent.map(() => newId());
    const created = rowsOf(collection, sent, ids);
    const uniques = uniqueValues(collection, created);
    const duplicate = firstDuplicate(uniques);
    const isFree = duplicate === undefined;
    const items = packItems(created.map((row, index) => itemText(collection, row, index, isList)));
    const values = {
      ...items.values,
      first: ids[0] ?? null,
      // Values after the first duplicate do not matter, because the duplicate is rejected.
      uniques: JSON.stringify(uniques.slice(0, duplicate).map((value, at) => [value, ids[at]])),
    };

    const session = c.get('session');
    if (idempotencyKey === undefined) {
      const work = isFree ? { insert: insert(items.count)(values) } : {};
      const { keyed } = await session.run(work, outcome(values));
      const [{ createdAt, taken }] = keyed;
      if (createdAt === null) throw takenError(taken);
      return response(created, createdAt);
    }

    const recorded = {
      ...values,
      idempotencyKey,
      fingerprint: await fingerprint(c.req.path, body.bytes),
      ids: JSON.stringify(ids),
    };
    const work = isFree
      ? { record: record(recorded), insert: insertRecorded(items.count)(recorded) }
      : {};
    const { keyed } = await session.run(work, outcomeWithRecord(recorded), true);
    const [{ recordedAt, results, hasRecorded, taken, fingerprint: first }] = keyed;
    if (recordedAt === null) throw takenError(taken);
    if (hasRecorded === 1) return response(created, recordedAt);
    if (first !== recorded.fingerprint) throw new IdempotencyKeyReused();
    c.header('Idempotent-Replayed', 'true');
    // The first response again, from the recorded ids and time.
    return response(rowsOf(collection, sent, idsOf(results)), recordedAt);

    /** Why nothing was created: another resource has a value that is unique. */
    function takenError(taken: number | null): Error {
      const index = taken ?? duplicate;
      // Without one, the key's record expired between two statements of the call. The next try creates the resource.
      return index === undefined
        ? new Unavailable()
        : new AlreadyExists(noun, uniques[index] ?? '');
    }

    function response(rows: readonly NewRow[], time: string): Response {
      const shown = rows.map((row) => show(collection, atTime(collection, row, time)));
      return isList
        ? c.json({ [keys.many]: shown }, 201)
        : resourceResponse(c, { [keys.one]: shown[0] }, rows[0]?.id ?? '', { status: 201 });
    }
  };
}

/**
 * The statements that create resources. Without an Idempotency-Key: `insert` and `outcome`. With one, the record decides:
 * `record`, `insertRecorded` and `outcomeWithRecord`. All rows are inserted, or none if a value in `uniques` is taken.
 */

function createStatements(collection: Collection) {
  const { table, unique } = collection;
  const takenUniques = (brand: SQLWrapper, uniques: Placeholder): SQL => sql`
    select item.key from json_each(${uniques}) as item
    where exists ${otherRowWith(collection, brand, sql`item.value ->> 0`, sql`item.value ->> 1`)}`;
  const isFree = (uniques: Placeholder): SQL =>
    unique ? sql`not exists (${takenUniques(keyBrand.write, uniques)})` : sql`true`;
  const created = (p: Readonly<Record<'uniques', Placeholder>>) => ({
    /** When the first row was created; null if it was not. */
    createdAt: sql<string | null>`${table.createdAt}`.as('createdAt'),
    /** The index in `uniques` of the first value that another resource has. */
    taken: sql<number | null>`${
      unique
        ? sql`iif(${table.id} is null, (select min(key) from (${takenUniques(joinedBrand, p.uniques)})), null)`
        : sql`null`
    }`.as('taken'),
  });

  return {
    insert: variants((count: number) =>
      statement(['uniques', ...itemNames(count)], (p) =>
        insertRows(
          collection,
          sql`select brand_id, ${databaseTime} as time from ${writingKey}`,
          itemsIn(p, count),
          isFree(p.uniques),
        ),
      ),
    ),
    record: statement([...recordNames, 'ids', 'uniques'], (p) =>
      insertRecord(p, { condition: isFree(p.uniques), results: p.ids }),
    ),
    insertRecorded: variants((count: number) =>
      statement(['idempotencyKey', ...itemNames(count)], (p) =>
        insertRows(
          collection,
          sql`select brand_id, created_at as time from ${newRecord(p.idempotencyKey)}`,
          itemsIn(p, count),
        ),
      ),
    ),
    outcome: statement(['first', 'uniques'], (p) =>
      selectWithKey(created(p), [joinedResource(collection, p.first)]),
    ),
    outcomeWithRecord: statement(['first', 'uniques', 'idempotencyKey'], (p) =>
      selectWithKey({ ...created(p), ...recordSelection }, [
        joinedResource(collection, p.first),
        keyRecord(p.idempotencyKey),
      ]),
    ),
  };
}

/**
 * Returns the INSERT of the items.
 * @param source a SELECT of the brand that owns the rows, and the time of creation; no row if nothing may be inserted
 * @param items a table expression of the texts of `itemText`
 * @param guard a further condition
 */
function insertRows(collection: Collection, source: SQL, items: SQL, guard = sql`true`): SQL {
  const { table, writable, stamped } = collection;
  const value = (index: number): SQL => sql`item ->> ${sql.raw(String(index))}`;
  const columns: Readonly<Record<string, SQL>> = {
    brand_id: sql`mine.brand_id`,
    created_at: sql`mine.time`,
    updated_at: sql`mine.time`,
    change_number: sql`mine.newest + ${value(1)}`,
    id: value(0),
    revision: value(0),
    ...Object.fromEntries(
      Object.entries(writable).map(([field, { name }], index) => [
        name,
        stamped.has(field) ? orWriteTime(value(index + 2), sql`mine.time`) : value(index + 2),
      ]),
    ),
  };
  const names = Object.keys(columns).map((name) => sql.identifier(name));
  // JSONB and `limit`, because SQLite would parse an item for each of its values, and look for the newest change for each
  // item.
  return sql`
    insert into ${table} (${sql.join(names, sql`, `)}) select ${sql.join(Object.values(columns), sql`, `)}
    from (
      select one.*, jsonb(value) as item
      from (
        select *, ${newestChange(collection, sql`source.brand_id`)} as newest
        from (${source}) as source where ${guard} limit 1
      ) as one, ${items} limit -1 offset 0
    ) as mine`;
}

/** A row to insert: the id, and the fields as their columns store them. The time of the write is not filled in. */
interface NewRow {
  readonly id: string;
  readonly fields: Readonly<Record<string, SqlValue>>;
}

function rowsOf(
  { writable }: Collection,
  sent: readonly FieldsToSet[],
  ids: readonly string[],
): NewRow[] {
  return sent.map((fieldsToSet, index) => {
    const id = ids[index] ?? '';
    return { id, fields: encode(writable, fieldsToSet(id)) };
  });
}

/**
 * Returns a row as a JSON array: the id, the place in the request, and the columns. A resource's first revision is its id,
 * which no other revision equals.
 * @throws PayloadTooLarge if a row of a list is too long. The limit of the body is enough for a single one.
 */
function itemText(
  collection: Collection,
  { id, fields }: NewRow,
  index: number,
  isList: boolean,
): string {
  const columns = Object.keys(collection.writable).map((field) => fields[field]);
  const json = JSON.stringify([id, index + 1, ...columns]);
  return isList ? checkedRow(collection, index, json) : json;
}

/** Returns a row as it is stored at this time. */
function atTime({ stamped }: Collection, { id, fields }: NewRow, time: string): object {
  const stamps = [...stamped].filter((field) => fields[field] === WRITE_TIME);
  return {
    ...fields,
    ...Object.fromEntries(stamps.map((field) => [field, time])),
    id,
    createdAt: time,
    updatedAt: time,
  };
}

/** Returns the values of the unique field, in order; empty if the collection has no unique field. */
function uniqueValues({ unique }: Collection, created: readonly NewRow[]): string[] {
  return unique ? created.map(({ fields }) => String(fields[unique.name])) : [];
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
function idsOf(recorded: string | null): string[] {
  const ids: unknown = JSON.parse(recorded ?? '[]');
  return Array.isArray(ids) ? ids.map(String) : [];
}
