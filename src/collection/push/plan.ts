import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { recordExpiry } from '../../db/idempotency-records.ts';
import type { ItemParameter } from '../../db/json-items.ts';
import { itemsIn } from '../../db/json-items.ts';
import { brand } from '../../db/key.ts';
import type { Params } from '../../db/statement.ts';
import { perCall } from '../../db/statement.ts';
import { idempotencyRecords } from '../../db/tables.ts';
import type { Collection, Field } from '../collection.ts';
import { otherRowWith } from '../row.ts';
import type { SentItem } from './items.ts';

// The plan of a push says what happens to each of its items. SQL makes it, in the transaction that does it.

/** What is done with an item that is not refused, as clients see it. `stale`: it is older than the resource. */
export type Status = 'created' | 'updated' | 'deleted' | 'unchanged' | 'stale';

/** What happens to an item; or why not: it matches several resources, none that it could change, or another has its unique value. */
export type Outcome = Status | 'several' | 'missing' | 'taken';

/** SQL conditions on the column `outcome`: it writes something, or refuses an item. */
export const writes = isOutcome('created', 'updated', 'deleted');
export const refuses = isOutcome('several', 'missing', 'taken');

/** SQL condition: the column `outcome` is one of these. With `in`, D1 would count a row more for each item. */
export function isOutcome(...names: readonly Outcome[]): SQL {
  return sql.raw(`(${names.map((name) => `outcome = '${name}'`).join(' or ')})`);
}

/** A variant of the statements: the field to match by, the number of parameters with the items, the fields that any item sets. */
export interface PushShape {
  readonly match: Field;
  readonly count: number;
  readonly named: readonly string[];
}

/**
 * The placeholders of a plan: the items, the match values of all of them, whether any is a deletion, and whether late events
 * do nothing.
 */
export type PlanParams = Params<
  ItemParameter | 'idempotencyKey' | 'matchValues' | 'deletes' | 'ifNewer'
>;

/** SQL: a member of the column `item`. */
export function member(name: Exclude<keyof SentItem, 'set' | 'defaults'>): SQL {
  return sql`item ->> ${sql.raw(`'$.${name}'`)}`;
}

/** SQL: the value that the column `item` has for a field. */
export function valueOf(part: 'set' | 'defaults', field: string): SQL {
  return sql`item ->> ${sql.raw(`'$.${part}.${field}'`)}`;
}

/** SQL condition: the column `item` sets the field. */
export function isSet(field: string): SQL {
  return sql`json_type(item, ${sql.raw(`'$.set.${field}'`)}) is not null`;
}

/**
 * Returns a subquery `sent` with the column `item`, and others that may read it.
 *
 * JSONB, because SQLite would parse a text again for each value that it reads from it. `LIMIT` and `OFFSET` keep SQLite
 * from merging a subquery into the outer query, where it would do so at each reference to the column.
 * @param guard the condition under which the items are read
 */
export function sentItems(
  p: Params<ItemParameter>,
  count: number,
  guard: SQL,
  more: SQL = sql`null`,
): SQL {
  return sql`(
    select item, ${more}
    from (select jsonb(value) as item from ${itemsIn(p, count, guard)} limit -1 offset 0) limit -1 offset 0
  ) as sent`;
}

/**
 * SQL: the plan in the key's record; NULL if there is none, or it is expired. A record without a key counts for the call
 * that inserted it.
 */
export function recordedPlan(idempotencyKey: Placeholder): SQL {
  return sql`(
    select results from ${idempotencyRecords} where brand_id = ${brand} and key = ${idempotencyKey}
      and (request = ${perCall.tryId} or (key <> '' and created_at > ${recordExpiry})))`;
}

/** SQL: a plan as JSON, made of the columns of `selectPlan`. */
export const planAsJson = sql`json_group_array(json_object('place', place, 'outcome', outcome, 'id', id, 'matches', matches) order by place)`;

/** SQL: the entries of a plan in JSON, as a table expression with the columns of `selectPlan`; none of the record of a creation. */
export function planEntries(plan: SQL): SQL {
  return sql`(
    select value ->> '$.place' as place, value ->> '$.outcome' as outcome, value ->> '$.id' as id, value ->> '$.matches' as matches
    from json_each(${plan}) where type = 'object')`;
}

/**
 * Returns a SELECT of the plan, which has no rows if one is recorded: for each item that is sent its `place`, its
 * `outcome`, the `id` of the resource that it matches or creates, and how many resources it `matches`. It is the only place
 * that decides what a push does.
 */
export function selectPlan(
  collection: Collection,
  p: PlanParams,
  { match, count, named }: PushShape,
): SQL {
  const { writable, sourceTime } = collection;
  const { source, matches } = matchedItems(collection, match, p, count);
  const ofOld = (field: string): SQL => sql`old.${sql.identifier(writable[field]?.name ?? '')}`;
  // Binary collation: a code in another case counts as a change, whatever the column's collation.
  const differences = named.map(
    (field) =>
      sql`(${isSet(field)} and ${valueOf('set', field)} is not ${ofOld(field)} collate binary)`,
  );
  const isStale =
    sourceTime !== undefined && named.includes(sourceTime)
      ? sql`${p.ifNewer} and ${isSet(sourceTime)} and ${valueOf('set', sourceTime)} < ${ofOld(sourceTime)}`
      : sql`false`;
  const deletedBy = sql`iif(${p.deletes}, (
    select jsonb_group_object(old.id, ${member('place')}) from ${source} where ${member('kind')} = 'deletes' and old.id is not null), null)`;
  return sql`
    select ${member('place')} as place, outcome, iif(outcome = 'created', ${member('newId')}, id) as id, matches
    from (
      select item, old.id, ${matches} as matches, case
        when ${matches} > 1 then 'several'
        when ${member('kind')} = 'deletes' then case when old.id is null then 'unchanged' when ${isStale} then 'stale' else 'deleted' end
        when old.id is null and ${member('kind')} = 'changes' then 'missing'
        when ${isStale} then 'stale'
        when ${isTaken(collection, match, named, deletedBy)} then 'taken'
        when old.id is null then 'created'
        when ${sql.join([sql`false`, ...differences], sql` or `)} then 'updated' else 'unchanged' end as outcome
      from ${source} limit -1 offset 0)`;
}

/**
 * SQL condition: another resource has the item's unique value, unless an earlier item deletes that resource.
 * @param deletedBy the places of deletions, by the ids of what they delete
 */
function isTaken(
  collection: Collection,
  match: Field,
  named: readonly string[],
  deletedBy: SQL,
): SQL {
  const { unique } = collection;
  // A resource matched by its unique value has it itself.
  if (!unique || match.name === unique.name || !named.includes(unique.name)) return sql`false`;
  const others = otherRowWith(
    collection,
    brand,
    valueOf('set', unique.name),
    sql`coalesce(old.id, '')`,
    sql`not coalesce(${deletedBy} ->> other.id < ${member('place')}, 0)`,
  );
  return sql`(${isSet(unique.name)} and exists ${others})`;
}

/**
 * Returns the items joined to the single resource that each matches, as `old`, and to the number of those that it matches.
 *
 * By a field with an index, each item looks its resources up. By another one, that would read the brand's rows once per
 * item, so they are read once: the parameter `matchValues` has the match values of all items.
 */
function matchedItems(
  { table }: Collection,
  match: Field,
  p: PlanParams,
  count: number,
): { readonly source: SQL; readonly matches: SQL } {
  const name = sql.identifier(match.column.name);
  const guard = sql`${recordedPlan(p.idempotencyKey)} is null`;
  if (match.index !== undefined || match.name === 'id') {
    const indexed = match.index && sql`indexed by ${sql.identifier(match.index)}`;
    // Both in one column of the item, so that they are read once.
    const found = sql`(
      select json_object('matches', count(*), 'id', min(hit.id)) from ${table} as hit ${indexed}
      where hit.brand_id = ${brand} and hit.${name} = ${member('matchValue')}) as found`;
    return {
      source: sql`${sentItems(p, count, guard, found)}
        left join ${table} as old on old.brand_id = ${brand} and found ->> 'matches' = 1 and old.id = found ->> 'id'`,
      matches: sql`found ->> 'matches'`,
    };
  }
  const hits = sql`
    select ${name} as value, count(*) as matches, min(id) as id from ${table}
    where brand_id = iif(${guard}, ${brand}, null) and ${name} in (select value from json_each(${p.matchValues}))
    group by ${name}`;
  return {
    source: sql`${sentItems(p, count, guard)} left join (${hits}) as hit on hit.value = ${member('matchValue')}
      left join ${table} as old on old.brand_id = ${brand} and hit.matches = 1 and old.id = hit.id`,
    matches: sql`coalesce(hit.matches, 0)`,
  };
}
