import type { Placeholder, SQL } from 'drizzle-orm';
import { eq, sql } from 'drizzle-orm';
import { newestChange } from '../../db/change-numbers.ts';
import { requireEntry } from '../../db/columns.ts';
import { dependentAfterChange, dependentAtCreation } from '../../db/dependents.ts';
import { insertRecord, newRecord } from '../../db/idempotency-records.ts';
import type { ItemParameter } from '../../db/json-items.ts';
import { brand, mine } from '../../db/key.ts';
import { select } from '../../db/selection.ts';
import type { Params } from '../../db/statement.ts';
import { databaseTime, db, perCall, statement } from '../../db/statement.ts';
import { tombstones } from '../../db/tables.ts';
import { selectListed } from '../bounded.ts';
import type { Collection } from '../collection.ts';
import type { PushShape, Outcome, PlanParams } from './plan.ts';
import {
  isOutcome,
  isSet,
  member,
  planAsJson,
  planEntries,
  recordedPlan,
  refuses,
  selectPlan,
  sentItems,
  valueOf,
  writes,
} from './plan.ts';

// The statements of a push, in the order in which they run. `record` writes the plan as the record of the request, if the
// push may write. The writes do what the record says, so they agree, whatever each of them changes. Then `plan` reads the
// plan and the resources.
//
// SQLite keeps nothing between two statements but what is in a table. So the items are bound to each of the three statements
// that need them: `record` plans, `upsert` takes their values, and `plan` plans once more if nothing was recorded, because of
// a refusal or in a dry run. If there is a record, `plan` reads that, and its items are not read.

/** Returns the statements that depend on the shape of a push. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the statements' own types say it
export function pushStatements(collection: Collection, shape: PushShape) {
  const { table, writable, dependents, unique } = collection;
  const { match, count, named } = shape;

  /** Records the plan, if no item is refused or the push is lenient; without a key, only if there is something to write. */
  const record = statement((p: PlanParams & Params<'fingerprint' | 'lenient'>) =>
    insertRecord(p, {
      condition: sql`(${p.lenient} or not push.is_refused) and (${p.idempotencyKey} <> '' or push.has_work)`,
      results: sql`push.results`,
      source: sql`(
            select ${planAsJson} as results,
              max(${refuses}) as is_refused,
              max(${writes}) as has_work
            from (${selectPlan(collection, p, shape)})
          ) as push`,
    }),
  );

  /**
   * Writes the resources that the plan creates or updates. It sets only the columns that items set, or that depend on these:
   * setting an indexed column costs a written row, even to the same value. The match value itself does not change, except the
   * case of a unique value.
   */
  const upsert = statement((p: Params<'idempotencyKey' | ItemParameter>) => {
    const plan = newPlan(p.idempotencyKey);
    // By its place: a join of the plan with the items would read each row several times.
    const entry = sql`${plan} -> (${member('place')})`;
    const planned = sql`${entry} ->> '$.outcome' as outcome, ${entry} ->> '$.id' as id`;
    const own = (field: string): SQL =>
      sql`old.${sql.identifier(requireEntry(writable, field).name)}`;
    const changing = dependents && named.includes(dependents.on) ? dependents : undefined;
    const dependent = Object.keys(changing?.ifNull ?? {});
    /** What an item that does not name the field writes into it. */
    const kept = (field: string): SQL =>
      changing && dependent.includes(field)
        ? sql`iif(${isSet(changing.on)}, ${dependentAfterChange(changing, field, own(field), own(changing.on), valueOf('set', changing.on))}, ${own(field)})`
        : own(field);
    const values = Object.keys(writable).map((field) => {
      const byDefault =
        dependents && field in dependents.ifNull
          ? dependentAtCreation(dependents, field, valueOf('set', dependents.on))
          : valueOf('defaults', field);
      const unnamed = sql`iif(outcome = 'created', ${byDefault}, ${kept(field)})`;
      return named.includes(field)
        ? sql`iif(${isSet(field)}, ${valueOf('set', field)}, ${unnamed})`
        : unnamed;
    });
    const changed = [...new Set([...named, ...dependent])]
      .filter((field) => field !== match.name || field === unique?.name)
      .map((field) => requireEntry(writable, field).name);
    const set = ['revision', 'updated_at', 'change_number', ...changed].map(
      (name) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
    );
    const names = Object.values(writable).map(({ name }) => sql.identifier(name));
    return sql`
          insert into ${table} (brand_id, id, created_at, revision, updated_at, change_number, ${sql.join(names, sql`, `)})
          select ${brand}, sent.id, coalesce(old.created_at, ${databaseTime}), ${perCall.tryId}, ${databaseTime},
            ${newestChange(collection, brand)} + 1 + ${member('place')}, ${sql.join(values, sql`, `)}
          from ${sentItems(p, count, sql`${plan} is not null`, planned)}
            left join ${table} as old on old.brand_id = ${brand} and old.id = sent.id
          where ${isOutcome('created', 'updated')}
          on conflict (brand_id, id) do update set ${sql.join(set, sql`, `)}`;
  });

  /** Selects the plan, recorded or not, and the resources that are not refused as they are now, if they are to be returned. */
  const plan = statement((p: PlanParams & Params<'returnsResources' | 'maxBytes'>) => {
    const idToReturn = sql`iif(${p.returnsResources} and not ${refuses}, planned.id, null)`;
    return select(
      selectListed(collection, p.maxBytes, {
        hasResource: sql<number>`${table.id} is not null`,
        place: sql<number>`planned.place`,
        outcome: sql<Outcome>`planned.outcome`,
        plannedId: sql<string | null>`planned.id`,
        matchCount: sql<number>`planned.matches`,
      }),
    )
      .from(
        sql`(
            select place, outcome, iif(outcome = 'created', null, id) as id, matches
            from (${selectPlan(collection, p, shape)})
            union all select * from ${planEntries(recordedPlan(p.idempotencyKey))}
          ) as planned`,
      )
      .leftJoin(table, mine(table, eq(table.id, idToReturn)));
  });

  return { record, upsert, plan };
}

/** Returns the statements that are the same for all pushes. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- the statements' own types say it
export function fixedStatements(collection: Collection) {
  const { path, table } = collection;

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

  /** Selects resources by a JSON array of ids, in its order. */
  const resourcesById = statement((p: Params<'ids' | 'maxBytes'>) =>
    select(selectListed(collection, p.maxBytes, {}))
      .from(sql`json_each(${p.ids}) as item`)
      .crossJoin(table)
      .where(mine(table, eq(table.id, sql`item.value`)))
      .orderBy(sql`item.key`),
  );

  return { leaveTombstones, deleteRows, resourcesById };
}

/** SQL: the plan in the key's record as JSONB, if this call inserted it. */
function newPlan(idempotencyKey: Placeholder): SQL {
  return sql`(select jsonb(results) from ${newRecord(idempotencyKey)})`;
}

/** SQL: the entries of the plan that this call recorded whose resources it deletes, as a table expression. */
function plannedDeletions(idempotencyKey: Placeholder): SQL {
  const entries = planEntries(newPlan(idempotencyKey));
  return sql`(select place, id from ${entries} where outcome = 'deleted')`;
}
