import { newestChange } from '../../db/change-order.ts';
import { orWriteTime } from '../../db/guarded-update.ts';
import type { RecordName } from '../../db/idempotency-records.ts';
import {
  hasKey,
  hasRecorded,
  keyRecord,
  recordIsOfThisTry,
  recordStatement,
  resultsOfRecord,
  resultsOfThisTry,
} from '../../db/idempotency-records.ts';
import type { Sql } from '../../db/sql.ts';
import { identifier, join, literal, placeholder, raw, sql } from '../../db/sql.ts';
import type { KeyedSelect, Statement } from '../../db/statement.ts';
import { now, selectWithKey, statement, thisTry, uncheckedBrand } from '../../db/statement.ts';
import { tombstones } from '../../db/tables.ts';
import { cached } from '../../lazy.ts';
import type { Collection, Match } from '../collection.ts';
import { inlineLimit, jsonOrLength } from '../list/large-resources.ts';
import type { PlanName, PushForm } from './plan.ts';
import { isSet, itemColumns, outcome, plan } from './plan.ts';

// A push first makes its plan: one outcome for each item. The plan is written as the record of the request, under the
// condition that the push may write, and the statements that follow do what the plan says. So they agree, whatever each of
// them changes, and a retry with an Idempotency-Key finds the plan of the first try.

/** The values that the statements take. */
export type PushName = RecordName | 'stem' | PlanName | 'lenient' | 'mayWrite' | 'inline';

/** The statements of a push that matches by one field. */
export interface PushStatements {
  /**
   * Records the plan, if `mayWrite`, and no item is refused or `lenient`; without an Idempotency-Key, only if there is something to
   * write.
   */
  readonly record: (form: PushForm) => Statement<PushName>;
  /** Leave tombstones for the resources that the plan deletes, and delete them. */
  readonly deletions: readonly Statement<PushName>[];
  /** Writes the resources that the plan creates or updates. */
  readonly write: (form: PushForm) => Statement<PushName>;
  /** Selects the resources of the recorded plan as they are now; none if the record is that of a creation. */
  readonly resources: Statement<PushName>;
  /** Selects the plan, and the resources as they would be, if none is recorded. What is not settled yet is null. */
  readonly report: (form: PushForm) => Statement<PushName>;
  /** Looks the API key up, and reads the record. */
  readonly recorded: KeyedSelect<PushName>;
}

/** Where the columns of an item and of the resource that it matches are. */
interface Places {
  readonly item: (name: string) => Sql;
  readonly old: (name: string) => Sql;
}

/** In tables that are joined. */
const JOINED: Places = {
  item: (name) => sql`item.${identifier(name)}`,
  old: (name) => sql`old.${identifier(name)}`,
};

/** In a subquery that has selected both. */
const SELECTED: Places = {
  item: (name) => identifier(`item.${name}`),
  old: (name) => identifier(`old.${name}`),
};

/** Returns the statements of a push that matches by one field. */
export function pushStatements(collection: Collection, match: Match): PushStatements {
  const { path, table, writable, stamped, texts } = collection;
  const fields = Object.entries(writable).map(([field, { name }]) => ({ field, name }));
  const columns = join(fields.map(({ name }) => identifier(name)));
  const isUnrecorded = sql`${resultsOfRecord} is null`;
  const planOfThisTry = sql`(
    select value ->> 0 as n, value ->> 1 as outcome, value ->> 2 as id from json_each(${resultsOfThisTry}))`;
  // By its index: a join of the plan with the items would read each row several times.
  const entry = sql`${resultsOfThisTry} -> (parsed ->> 0)`;
  const planned = sql`, ${entry} ->> 1 as outcome, ${entry} ->> 2 as planned_id`;

  /** The columns of the resources after the push: where their values are, and what stands for the time of the write. */
  const merged = <T extends string>({ item, old }: Places, time: Sql<T>): Sql<T> =>
    join(
      fields.map(({ field, name }) => {
        const written = stamped.has(field) ? orWriteTime(item(name), time) : item(name);
        return sql`iif(outcome = ${outcome('created')} or ${setsColumn(name, item)}, ${written}, ${old(name)}) as ${identifier(name)}`;
      }),
    );
  const setsColumn = (name: string, item: Places['item']): Sql =>
    sql`(outcome = ${outcome('updated')} and ${isSet(collection, name, item('sets'))})`;

  const record = (form: PushForm): Statement<PushName> =>
    recordStatement(
      sql`${placeholder('mayWrite')} and (${placeholder('lenient')} or not push.is_refused) and (${hasKey} or push.has_work)`,
      raw('push.results'),
      sql`(
        select json_group_array(json_array(n, outcome, id, matches) order by n) as results,
          max(outcome) > ${outcome('deleted')} as is_refused,
          max(outcome between ${outcome('created')} and ${outcome('deleted')}) as has_work
        from (${plan(collection, match, form, isUnrecorded)})
      ) as push`,
    );

  const insert = byParameters((form) =>
    statement(sql`
      insert into ${table} (brand_id, id, created_at, revision, updated_at, change_number, ${columns})
      select ${uncheckedBrand}, planned_id, coalesce(old.created_at, ${now}), ${thisTry}, ${now}, ${newestChange(table, path, uncheckedBrand)} + 1 + n, ${merged(JOINED, now)}
      from ${itemColumns(collection, form, recordIsOfThisTry, planned)}
        left join ${table} as old on old.brand_id = ${uncheckedBrand} and old.id = planned_id
      where outcome between ${outcome('created')} and ${outcome('updated')}`),
  );
  /**
   * Sets only the columns that items set: setting an indexed column costs a written row, even to the same value. The match
   * value itself does not change, except the case of a unique value.
   */
  const write = (form: PushForm): Statement<PushName> => {
    const { text, names } = insert(form);
    const set = ['revision', 'updated_at', 'change_number', ...form.named]
      .filter((name) => name !== match.column.name || match.isUnique)
      .map((name) => sql`${identifier(name)} = excluded.${identifier(name)}`);
    const { text: update } = statement(sql`on conflict (brand_id, id) do update set ${join(set)}`);
    return { text: `${text} ${update}`, names };
  };

  const names = fields.map(({ name }) => name);
  const places = join([
    ...['sets', ...names].map((name) => sql`${JOINED.item(name)} as ${SELECTED.item(name)}`),
    ...['created_at', 'updated_at', ...names].map(
      (name) => sql`${JOINED.old(name)} as ${SELECTED.old(name)}`,
    ),
  ]);
  // SQLite knows the length of a stored text without reading it.
  const lengths = texts
    .filter(({ name }) => names.includes(name))
    .map(({ name }) => {
      const { item, old } = SELECTED;
      return sql`coalesce(iif(${setsColumn(name, item)}, octet_length(${item(name)}), octet_length(${old(name)})), 0)`;
    });
  const report = (form: PushForm): Statement<PushName> =>
    statement(sql`
      select n, outcome, matches, old_id, ${jsonOrLength(collection, inlineLimit, raw('text_bytes'))} as json
      from (
        select n, outcome, matches, old_id, iif(old_id is null, 0, ${join(lengths, ' + ')}) as text_bytes,
          old_id as id, ${SELECTED.old('created_at')} as created_at,
          iif(outcome = ${outcome('updated')}, null, ${SELECTED.old('updated_at')}) as updated_at, ${merged(SELECTED, raw('null'))}
        from (${plan(collection, match, form, isUnrecorded, places)})
      ) as ${table}`);

  return {
    record: byParameters(record),
    deletions: [
      statement(sql`
        insert into ${tombstones} (brand_id, collection, change_number, id, request, deleted_at)
        select ${uncheckedBrand}, ${literal(path)}, ${newestChange(table, path, uncheckedBrand)} + 1 + n, id, ${thisTry}, ${now}
        from ${planOfThisTry} where outcome = ${outcome('deleted')}`),
      statement(sql`
        delete from ${table} where ${table.brandId} = ${uncheckedBrand}
          and ${table.id} in (select id from ${planOfThisTry} where outcome = ${outcome('deleted')})`),
    ],
    write,
    resources: statement(sql`
      select ${table.id}, ${jsonOrLength(collection, inlineLimit)} as json
      from json_each(${resultsOfRecord}) as item
      cross join ${table} on ${table.brandId} = ${uncheckedBrand} and ${table.id} = iif(item.type = 'array', item.value ->> 2, null)`),
    report: byParameters(report),
    recorded: selectWithKey({
      columns: sql`record.fingerprint, record.results`,
      join: keyRecord,
      hasWritten: hasRecorded,
    }),
  };
}

/** Caches statements that depend on little of the form, so that a new combination of columns costs no new rendering. */
function byParameters(
  make: (form: PushForm) => Statement<PushName>,
): (form: PushForm) => Statement<PushName> {
  return cached(make, ({ parameters, deletes }) => [parameters, deletes].join());
}
