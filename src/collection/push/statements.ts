import type { Placeholder, SQL } from 'drizzle-orm';
import { eq, sql } from 'drizzle-orm';
import { newestChange } from '../../db/change-numbers.ts';
import { requireEntry } from '../../db/columns.ts';
import { followedValue } from '../../db/following.ts';
import { insertRecord, newRecord } from '../../db/idempotency-records.ts';
import type { ItemParameter } from '../../db/json-items.ts';
import { brand, mine } from '../../db/key.ts';
import { select } from '../../db/selection.ts';
import type { Params } from '../../db/statement.ts';
import { databaseTime, db, memoize, perCall, statement } from '../../db/statement.ts';
import { tombstones } from '../../db/tables.ts';
import { orWriteTime } from '../../db/write-time.ts';
import { selectListed } from '../bounded.ts';
import type { Collection, Field } from '../collection.ts';
import {
  entryColumns,
  entryJson,
  entryMember,
  isSet,
  itemMember,
  outcomeNumber,
} from './layout.ts';
import type { PlanParams } from './plan.ts';
import { recordedPlan, selectItems, selectPlan } from './plan.ts';

// The statements of a push, in the order in which they run. `record` writes the plan as the record of the request, if the
// push may write. The writes do what the record says, so they agree, whatever each of them changes. Then `plan` reads the
// plan and the resources.
//
// SQLite keeps nothing between two statements but what is in a table. So the items are bound to each of the three statements
// that need them: `record` plans, `upsert` takes their values, and `plan` plans once more if nothing was recorded, because of
// a refusal or in a dry run. If there is a record, `plan` reads that, and its items are not read.

/** Returns the statements of a push that matches by one field. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the statements' own types say it
export function pushStatements(collection: Collection, match: Field) {
  const { path, table, writable, defaultsToNow, following, unique } = collection;

  /** Records the plan, if no item is refused or the push is lenient; without a key, only if there is something to write. */
  const record = memoize((count: number) =>
    statement((p: PlanParams & Params<'fingerprint' | 'lenient'>) =>
      insertRecord(p, {
        condition: sql`(${p.lenient} or not push.is_refused) and (${p.idempotencyKey} <> '' or push.has_work)`,
        results: sql`push.results`,
        source: sql`(
          select json_group_array(${entryJson} order by place) as results,
            max(outcome) > ${outcomeNumber('deleted')} as is_refused,
            max(outcome between ${outcomeNumber('created')} and ${outcomeNumber('deleted')}) as has_work
          from (${selectPlan(collection, match, p, count)})
        ) as push`,
      }),
    ),
  );

  const leaveTombstones = statement(
    (p: Params<'idempotencyKey'>) => sql`
      insert into ${tombstones} (brand_id, collection, change_number, id, deleted_at)
      select ${brand}, ${path}, ${newestChange(collection, brand)} + 1 + place, id, ${databaseTime}
      from ${plannedDeletions(p.idempotencyKey)}`,
  );
  const deleteRows = statement((p: Params<'idempotencyKey'>) =>
    db
      .delete(table)
      .where(
        mine(table, sql`${table.id} in (select id from ${plannedDeletions(p.idempotencyKey)})`),
      ),
  );

  /**
   * Writes the resources that the plan creates or updates. It sets only the columns that items set, or that follow: setting an
   * indexed column costs a written row, even to the same value. The match value itself does not change, except the case of a
   * unique value.
   */
  const upsert = memoize(
    ({ count, named }: { readonly count: number; readonly named: readonly string[] }) =>
      statement((p: Params<'idempotencyKey' | ItemParameter>) => {
        const plan = newPlan(p.idempotencyKey);
        // By its place: a join of the plan with the items would read each row several times.
        const planned = (item: SQL): SQL => {
          const entry = sql`${plan} -> (${itemMember(item, 'place')})`;
          return sql`${entryMember(entry, 'outcome')} as outcome, ${entryMember(entry, 'id')} as id`;
        };
        const valueIn = (row: 'old' | 'item', field: string): SQL =>
          sql`${sql.identifier(row)}.${sql.identifier(requireEntry(writable, field).name)}`;
        const follow = following && named.includes(following.field) ? following : undefined;
        const followers = Object.keys(follow?.ifNull ?? {});
        const values = Object.keys(writable).map((field) => {
          const [sent, own] = [valueIn('item', field), valueIn('old', field)];
          const value = defaultsToNow.includes(field) ? orWriteTime(sent, databaseTime) : sent;
          const unnamed =
            follow && followers.includes(field)
              ? sql`iif(${isSet(collection, follow.field)}, ${followedValue(follow, field, own, valueIn('old', follow.field), valueIn('item', follow.field))}, ${own})`
              : own;
          return sql`iif(outcome = ${outcomeNumber('created')} or ${isSet(collection, field)}, ${value}, ${unnamed})`;
        });
        const changed = [...new Set([...named, ...followers])]
          .filter((field) => field !== match.name || field === unique?.name)
          .map((field) => requireEntry(writable, field).name);
        const set = ['revision', 'updated_at', 'change_number', ...changed].map(
          (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
        );
        const names = Object.values(writable).map(({ name }) => sql.identifier(name));
        return sql`
          insert into ${table} (brand_id, id, created_at, revision, updated_at, change_number, ${sql.join(names, sql`, `)})
          select ${brand}, item.id, coalesce(old.created_at, ${databaseTime}), ${perCall.tryId}, ${databaseTime},
            ${newestChange(collection, brand)} + 1 + item.place, ${sql.join(values, sql`, `)}
          from ${selectItems(collection, p, count, sql`${plan} is not null`, planned)}
            left join ${table} as old on old.brand_id = ${brand} and old.id = item.id
          where outcome between ${outcomeNumber('created')} and ${outcomeNumber('updated')}
          on conflict (brand_id, id) do update set ${sql.join(set, sql`, `)}`;
      }),
    ({ count, named }) => `${count} ${named.join()}`,
  );

  /** Selects the plan, recorded or not, and the resources that are not refused as they are now, if they are to be returned. */
  const plan = memoize((count: number) =>
    statement((p: PlanParams & Params<'returnsResources' | 'maxBytes'>) => {
      const idToReturn = sql`iif(${p.returnsResources} and planned.outcome <= ${outcomeNumber('deleted')}, planned.id, null)`;
      return select(
        selectListed(collection, p.maxBytes, {
          hasResource: sql<number>`${table.id} is not null`,
          place: sql<number>`planned.place`,
          outcome: sql<number>`planned.outcome`,
          plannedId: sql<string | null>`planned.id`,
          matchCount: sql<number>`planned.matches`,
        }),
      )
        .from(
          sql`(
            select place, outcome, iif(outcome = ${outcomeNumber('created')}, null, id) as id, matches
            from (${selectPlan(collection, match, p, count)})
            union all select * from ${planEntries(recordedPlan(p.idempotencyKey))}
          ) as planned`,
        )
        .leftJoin(table, mine(table, eq(table.id, idToReturn)));
    }),
  );

  /** Selects resources by a JSON array of ids, in its order. */
  const resourcesById = statement((p: Params<'ids' | 'maxBytes'>) =>
    select(selectListed(collection, p.maxBytes, {}))
      .from(sql`json_each(${p.ids}) as item`)
      .crossJoin(table)
      .where(mine(table, eq(table.id, sql`item.value`)))
      .orderBy(sql`item.key`),
  );

  return { record, leaveTombstones, deleteRows, upsert, plan, resourcesById };
}

/** SQL: the plan in the key's record as JSONB, if this call inserted it. */
function newPlan(idempotencyKey: Placeholder): SQL {
  return sql`(select jsonb(results) from ${newRecord(idempotencyKey)})`;
}

/** SQL: the entries of a recorded plan, as a table expression; none of the record of a creation. */
function planEntries(plan: SQL): SQL {
  return sql`(select ${entryColumns(sql`value`)} from json_each(${plan}) where type = 'array')`;
}

/** SQL: the entries of the plan that this call recorded whose resources it deletes, as a table expression. */
function plannedDeletions(idempotencyKey: Placeholder): SQL {
  const entries = planEntries(newPlan(idempotencyKey));
  return sql`(select place, id from ${entries} where outcome = ${outcomeNumber('deleted')})`;
}
