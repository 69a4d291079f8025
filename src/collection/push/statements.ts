import type { Placeholder, SQL } from 'drizzle-orm';
import { eq, sql } from 'drizzle-orm';
import { newestChange } from '../../db/change-numbers.ts';
import { requireEntry } from '../../db/columns.ts';
import { orWriteTime } from '../../db/guarded-update.ts';
import {
  insertRecord,
  keyRecord,
  newRecord,
  recordExpiry,
  recordNames,
  recordSelection,
} from '../../db/idempotency-records.ts';
import { itemNames } from '../../db/json-items.ts';
import { keyBrand, ownRows, selectWithKey } from '../../db/key.ts';
import { databaseTime, db, session, statement, variants } from '../../db/statement.ts';
import { idempotencyRecords, tombstones } from '../../db/tables.ts';
import type { Collection, Match } from '../collection.ts';
import type { ListedRow } from '../list/bounded.ts';
import { selectListed } from '../list/bounded.ts';
import type { PushForm } from './plan.ts';
import { isSet, itemColumns, outcome, selectPlan } from './plan.ts';

// The statements of a push, in the order in which they run. The first writes the plan as the record of the request, if the
// push may write. The others do what the record says, so they agree, whatever each of them changes.

/** The row of an item in a plan that is not recorded, besides the resource that it matches. */
export interface PlanRow extends ListedRow {
  /** Its place among the items that were sent to the database. */
  readonly n: number;
  readonly outcome: number;
  readonly matchedId: string | null;
  readonly matches: number;
}

/** Returns the statements of a push that matches by one field. */
// eslint-disable-next-line @typescript-eslint/explicit-module-boundary-types -- the statements' own types say it
export function pushStatements(collection: Collection, match: Match) {
  const { path, table, writable, stamped } = collection;
  const columns = Object.entries(writable).map(([field, { name }]) => ({ field, name }));
  const byForm = <S>(make: (form: PushForm) => S): ((form: PushForm) => S) =>
    variants(make, ({ parameters, deletes }) => `${parameters} ${String(deletes)}`);
  const planNames = ({ parameters }: PushForm) =>
    [...recordNames, 'sought', 'ifNewer', ...itemNames(parameters)] as const;

  /** Records the plan, if no item is refused or the push is lenient; without a key, only if there is something to write. */
  const record = byForm((form) =>
    statement([...planNames(form), 'lenient', 'mayWrite'], (p) =>
      insertRecord(p, {
        condition: sql`${p.mayWrite} and (${p.lenient} or not push.is_refused) and (${p.idempotencyKey} <> '' or push.has_work)`,
        results: sql`push.results`,
        source: sql`(
          select json_group_array(json_array(n, outcome, id, matches) order by n) as results,
            max(outcome) > ${outcome('deleted')} as is_refused,
            max(outcome between ${outcome('created')} and ${outcome('deleted')}) as has_work
          from (${selectPlan(collection, match, form, p, sql`${recordedResults(p.idempotencyKey)} is null`)})
        ) as push`,
      }),
    ),
  );

  const leaveTombstones = statement(
    ['idempotencyKey'],
    (p) => sql`
      insert into ${tombstones} (brand_id, collection, change_number, id, deleted_at)
      select ${keyBrand.write}, ${path}, ${newestChange(collection, keyBrand.write)} + 1 + n, id, ${databaseTime}
      from ${plannedDeletions(p.idempotencyKey)}`,
  );
  const deleteRows = statement(['idempotencyKey'], (p) =>
    db
      .delete(table)
      .where(
        ownRows(
          table.brandId,
          keyBrand.write,
          sql`${table.id} in (select id from ${plannedDeletions(p.idempotencyKey)})`,
        ),
      ),
  );

  /**
   * Writes the resources that the plan creates or updates. It sets only the columns that items set: setting an indexed
   * column costs a written row, even to the same value. The match value itself does not change, except the case of a
   * unique value.
   */
  const upsert = variants(
    (form: PushForm) =>
      statement(['idempotencyKey', 'sought', 'ifNewer', ...itemNames(form.parameters)], (p) => {
        const results = newResults(p.idempotencyKey);
        // By its index: a join of the plan with the items would read each row several times.
        const planned = sql`, ${results} -> (parsed ->> 0) ->> 1 as outcome, ${results} -> (parsed ->> 0) ->> 2 as planned_id`;
        const values = columns.map(({ field, name }) => {
          const sent = sql`item.${sql.identifier(name)}`;
          const value = stamped.has(field) ? orWriteTime(sent, databaseTime) : sent;
          return sql`iif(outcome = ${outcome('created')} or ${isSet(collection, field)}, ${value}, old.${sql.identifier(name)})`;
        });
        const set = ['revision', 'updated_at', 'change_number']
          .concat(
            form.named
              .map((field) => requireEntry(writable, field))
              .filter((column) => column !== match.column || match.isUnique)
              .map(({ name }) => name),
          )
          .map((name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`);
        const names = columns.map(({ name }) => sql.identifier(name));
        return sql`
          insert into ${table} (brand_id, id, created_at, revision, updated_at, change_number, ${sql.join(names, sql`, `)})
          select ${keyBrand.write}, planned_id, coalesce(old.created_at, ${databaseTime}), ${session.tryId}, ${databaseTime},
            ${newestChange(collection, keyBrand.write)} + 1 + n, ${sql.join(values, sql`, `)}
          from ${itemColumns(collection, form, p, sql`${results} is not null`, planned)}
            left join ${table} as old on old.brand_id = ${keyBrand.write} and old.id = planned_id
          where outcome between ${outcome('created')} and ${outcome('updated')}
          on conflict (brand_id, id) do update set ${sql.join(set, sql`, `)}`;
      }),
    ({ parameters, named }) => `${parameters} ${named.join()}`,
  );

  /** Selects the plan and the resources that items match, if no plan is recorded. */
  const plan = byForm((form) =>
    statement([...planNames(form), 'most'], (p) => {
      const planned = selectPlan(
        collection,
        match,
        form,
        p,
        sql`${recordedResults(p.idempotencyKey)} is null`,
      );
      return db
        .select({
          ...selectListed(collection, p.most),
          matchedId: sql<string | null>`planned.old_id`.as('matchedId'),
          n: sql<number>`planned.n`.as('n'),
          outcome: sql<number>`planned.outcome`.as('outcome'),
          matches: sql<number>`planned.matches`.as('matches'),
        })
        .from(sql`(${planned}) as planned`)
        .leftJoin(table, ownRows(table.brandId, keyBrand.write, eq(table.id, sql`planned.old_id`)));
    }),
  );

  /** Selects the resources of the recorded plan as they are now; none if the record is that of a creation. */
  const resources = statement(['idempotencyKey', 'most'], (p) =>
    db
      .select(selectListed(collection, p.most))
      .from(sql`json_each(${recordedResults(p.idempotencyKey)}) as item`)
      .crossJoin(table)
      .where(
        ownRows(
          table.brandId,
          keyBrand.write,
          eq(table.id, sql`iif(item.type = 'array', item.value ->> 2, null)`),
        ),
      ),
  );
  /** Selects resources by a JSON array of ids, in its order. */
  const resourcesById = statement(['ids', 'most'], (p) =>
    db
      .select(selectListed(collection, p.most))
      .from(sql`json_each(${p.ids}) as item`)
      .crossJoin(table)
      .where(ownRows(table.brandId, keyBrand.write, eq(table.id, sql`item.value`))),
  );

  /** Looks the API key up, and reads the record. */
  const outcomeRecord = statement(['idempotencyKey'], (p) =>
    selectWithKey(recordSelection, [keyRecord(p.idempotencyKey)]),
  );

  return {
    record,
    leaveTombstones,
    deleteRows,
    upsert,
    plan,
    resources,
    resourcesById,
    outcomeRecord,
  };
}

/** SQL: the results in the key's record as JSONB, if this call inserted it. */
function newResults(idempotencyKey: Placeholder): SQL {
  return sql`(select jsonb(results) from ${newRecord(idempotencyKey)})`;
}

/** SQL: what the plan that this call recorded deletes: the places of the items, and the ids. */
function plannedDeletions(idempotencyKey: Placeholder): SQL {
  return sql`(
    select value ->> 0 as n, value ->> 2 as id from json_each(${newResults(idempotencyKey)})
    where value ->> 1 = ${outcome('deleted')})`;
}

/**
 * SQL: the results in the key's record; NULL if it is expired. A record without a key counts for the call that inserted
 * it.
 */
function recordedResults(idempotencyKey: Placeholder): SQL {
  return sql`(
    select results from ${idempotencyRecords} where brand_id = ${keyBrand.write} and key = ${idempotencyKey}
      and (request = ${session.tryId} or (key <> '' and created_at > ${recordExpiry})))`;
}
