import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { newestChange } from '../db/change-numbers.ts';
import type { Values } from '../db/columns.ts';
import { createdDependents, dependentAtCreation } from '../db/dependents.ts';
import { insertRecord, newRecord, selectRecord } from '../db/idempotency-records.ts';
import type { ItemParameter } from '../db/json-items.ts';
import { itemsIn, packItems } from '../db/json-items.ts';
import { brand } from '../db/key.ts';
import type { Params, SqlValue } from '../db/statement.ts';
import { databaseTime, statement, memoize } from '../db/statement.ts';
import type { Problem } from '../errors.ts';
import { AlreadyExists, IdempotencyKeyReused, InvalidRequest, PayloadTooLarge } from '../errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { RESOURCE_LIMIT } from '../http/body.ts';
import { fingerprint, readIdempotencyKey } from '../http/idempotency.ts';
import { resourceResponse } from '../http/json-response.ts';
import { hasMember, memberOf } from '../http/member.ts';
import { ProblemList, validate } from '../http/validation.ts';
import type { Collection } from './collection.ts';
import { newId } from './identifier.ts';
import { checkedRow, itemsOf, repeatsOf } from './list-body.ts';
import { resourceBody } from './resource-body.ts';
import { otherRowWith, storedValues, toResource } from './row.ts';

/** POST: creates one resource, or a list in the shape that GET returns, all or none. */
export function create(
  collection: Collection,
): (c: Context<ApiEnv>, body: unknown) => Promise<Response> {
  const { table, noun, keys, postBody, dependents, unique } = collection;
  const oneBody = resourceBody(collection, postBody);

  /** SQL: the places in the list `uniques` of values that another resource has. */
  const takenValues = (uniques: Placeholder): SQL => sql`
    select item.key from json_each(${uniques}) as item
    where exists ${otherRowWith(collection, brand, sql`item.value ->> 0`, sql`item.value ->> 1`)}`;
  const isFree = (uniques: Placeholder): SQL =>
    unique ? sql`not exists (${takenValues(uniques)})` : sql`true`;

  const record = statement((p: Params<'idempotencyKey' | 'fingerprint' | 'ids' | 'uniques'>) =>
    insertRecord(p, { condition: isFree(p.uniques), results: p.ids }),
  );
  // With an Idempotency-Key, the record decides: rows are inserted if it was.
  const insert = memoize((count: number) =>
    statement((p: Params<'idempotencyKey' | 'uniques' | ItemParameter>) =>
      insertRows(
        collection,
        sql`select brand_id, created_at as time from ${newRecord(p.idempotencyKey)} where ${p.idempotencyKey} is not null
          union all select brand_id, ${databaseTime} from ${brand} where ${p.idempotencyKey} is null and ${isFree(p.uniques)}`,
        itemsIn(p, count),
      ),
    ),
  );
  const check = statement((p: Params<'first' | 'uniques'>) => {
    const taken = unique ? sql`(select min(key) from (${takenValues(p.uniques)}))` : sql`null`;
    return sql<{
      /** When the first row was created; null if it was not. */
      readonly createdAt: string | null;
      /** The index in `uniques` of the first value that another resource has. */
      readonly taken: number | null;
    }>`
      select one.created_at as "createdAt", iif(one.id is null, ${taken}, null) as taken
      from (select 1) left join ${table} as one on one.brand_id = ${brand} and one.id = ${p.first}`;
  });

  return async (c, body) => {
    const isList = memberOf(body, keys.many) !== undefined;
    const bytes = c.get('body');
    if (!isList && bytes.byteLength > RESOURCE_LIMIT) throw new PayloadTooLarge(RESOURCE_LIMIT);
    const idempotencyKey = readIdempotencyKey(c.req.raw.headers);
    const sent = isList ? validItems(collection, body) : [validate(oneBody, body)];

    const ids = sent.map(() => newId());
    const created = newRows(collection, sent, ids);
    const uniques = unique ? created.map(({ [unique.name]: value }) => String(value)) : [];
    const items = packItems(created.map((row, index) => rowText(collection, row, index, isList)));
    const values = {
      ...items.values,
      idempotencyKey: idempotencyKey ?? null,
      fingerprint: idempotencyKey ? await fingerprint(c.req.path, bytes) : null,
      ids: JSON.stringify(ids),
      first: ids[0] ?? null,
      uniques: JSON.stringify(uniques.map((value, at) => [value, ids[at]])),
    };

    const [, , [result], [recorded]] = await c
      .get('session')
      .batch(
        [
          idempotencyKey ? record(values) : undefined,
          insert(items.count)(values),
          check(values),
          idempotencyKey ? selectRecord(values) : undefined,
        ],
        { isRepeatable: idempotencyKey !== undefined },
      );
    if (recorded && recorded.isNew !== 1) {
      if (recorded.fingerprint !== values.fingerprint) throw new IdempotencyKeyReused();
      c.header('Idempotent-Replayed', 'true');
      // The first response again, from the recorded ids and time.
      const first = z.array(z.string()).parse(JSON.parse(recorded.results));
      return response(newRows(collection, sent, first), recorded.createdAt);
    }
    if (result?.createdAt != null) return response(created, result.createdAt);
    if (result?.taken == null) throw new Error('Nothing was created, and no value is taken.');
    throw new AlreadyExists(noun, uniques[result.taken] ?? '');

    function response(rows: readonly NewRow[], time: string): Response {
      const resources = rows.map((row) =>
        toResource(collection, {
          ...(dependents && createdDependents(dependents, row[dependents.on], time)),
          ...row,
          createdAt: time,
          updatedAt: time,
        }),
      );
      return isList
        ? c.json({ [keys.many]: resources }, 201)
        : resourceResponse(c, { [keys.one]: resources[0] }, rows[0]?.id ?? '', { status: 201 });
    }
  };
}

/**
 * Returns the INSERT of the items.
 * @param source a SELECT of the brand that owns the rows, and the time of creation; no row if nothing may be inserted
 * @param items a table expression of the texts of `rowText`
 */
function insertRows(
  { path, table, writable, dependents }: Collection,
  source: SQL,
  items: SQL,
): SQL {
  const pathTo = (field: string): SQL => sql.raw(`'$.values.${field}'`);
  const valueOf = (field: string): SQL => sql`item ->> ${pathTo(field)}`;
  const valueIn = (field: string): SQL =>
    dependents && field in dependents.ifNull
      ? sql`iif(json_type(item, ${pathTo(field)}) is null, ${dependentAtCreation(dependents, field, valueOf(dependents.on), sql`new_row.time`)}, ${valueOf(field)})`
      : valueOf(field);
  const columns: Readonly<Record<string, SQL>> = {
    brand_id: sql`new_row.brand_id`,
    created_at: sql`new_row.time`,
    updated_at: sql`new_row.time`,
    change_number: sql`new_row.newest + 1 + (item ->> '$.place')`,
    id: sql`item ->> '$.id'`,
    // No other revision equals it.
    revision: sql`item ->> '$.id'`,
    ...Object.fromEntries(
      Object.entries(writable).map(([field, { name }]) => [name, valueIn(field)]),
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
        select *, ${newestChange({ path, table }, sql`source.brand_id`)} as newest from (${source}) as source limit 1
      ) as one, ${items} limit -1 offset 0
    ) as new_row`;
}

/**
 * Validates a list of resources in its envelope.
 * @throws InvalidRequest with the problems of the envelope and of every item, and with each repeated unique value
 */
function validItems(collection: Collection, body: unknown): Values[] {
  const { keys, postBody, unique } = collection;
  const problems = new ProblemList();
  const repeatOf = unique && repeatsOf(collection, unique);
  // One by one: z.array passes the issues of all items as arguments of one call, and 100,000 overflow the stack.
  const sent = itemsOf(collection, body, problems);
  const items = sent.flatMap((item, index) => {
    const path = [keys.many, index];
    const values = problems.check(postBody, item, path);
    const repeat = repeatOf?.(item, index);
    if (repeat)
      problems.add([{ ...repeat, code: 'custom', input: item, path: [repeat.path] }], path);
    return values === undefined ? [] : [values];
  });
  const { listed, unlisted } = problems;
  if (listed.length > 0)
    throw new InvalidRequest([...forgottenMatch(collection, sent), ...listed], unlisted);
  return items;
}

/** What is wrong with a push that forgot `match`: an item lacks what a POST needs, and has a field to match by. */
function forgottenMatch(
  { required, matches }: Collection,
  items: readonly unknown[],
): readonly Problem[] {
  const names = Object.keys(matches);
  const found = items
    .filter((item) => required.some((name) => !hasMember(item, name)))
    .flatMap((item) => names.find((name) => memberOf(item, name) != null) ?? []);
  const message = `required to change what exists, such as match=${found[0] ?? ''}`;
  return found.length > 0 ? [{ path: 'match', message }] : [];
}

/**
 * A row to insert: the id, and the fields as their columns store them. The dependent ones are there only if the body names
 * them.
 */
type NewRow = Readonly<Record<string, SqlValue>> & { readonly id: string };

function newRows(
  collection: Collection,
  sent: readonly Values[],
  ids: readonly string[],
): NewRow[] {
  return sent.map((values, index) => {
    const id = ids[index] ?? '';
    return { ...storedValues(collection, values, id), id };
  });
}

/** Returns a row and its place in the request as JSON. */
function rowText(collection: Collection, row: NewRow, index: number, isList: boolean): string {
  const { id, ...values } = row;
  const item = { id, place: index, values };
  // The limit of one resource is that of its body.
  return isList ? checkedRow(collection, index, item) : JSON.stringify(item);
}
