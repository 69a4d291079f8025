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
import { isOfKind, isSet, itemColumns, itemMember, outcomeNumber } from './layout.ts';

// The plan of a push says what happens to each of its items. SQL makes it, in the transaction that does it.

/**
 * The placeholders of a plan: the items, the match values of all of them, whether any is a deletion, and whether late events
 * do nothing.
 */
export type PlanParams = Params<
  ItemParameter | 'idempotencyKey' | 'matchValues' | 'deletes' | 'ifNewer'
>;

/** SQL: an item in JSON, within `selectItems`. */
const PARSED = sql`parsed`;

/**
 * Returns a subquery `item` with the members and values of items as columns.
 *
 * JSONB, because SQLite would parse a text again for each value that it reads from it. `LIMIT` and `OFFSET` keep SQLite
 * from merging a subquery into the outer query, where it would do so at each reference to a column.
 * @param count the number of parameters that hold the items
 * @param guard the condition under which the items are read
 * @param more returns further columns, which may read the item in JSON
 */
export function selectItems(
  collection: Collection,
  p: Params<ItemParameter>,
  count: number,
  guard: SQL,
  more?: (item: SQL) => SQL,
): SQL {
  const columns = itemColumns(collection, PARSED);
  return sql`(
    select ${columns}${more && sql`, ${more(PARSED)}`}
    from (select jsonb(value) as parsed from ${itemsIn(p, count, guard)} limit -1 offset 0) limit -1 offset 0
  ) as item`;
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

/**
 * Returns a SELECT of the plan, which has no rows if one is recorded: for each item its `place` in the request, its
 * `outcome`, the `id` of the resource that it matches or creates, and how many resources it `matches`. It is the only place
 * that decides what a push does.
 * @param count the number of parameters that hold the items
 */
export function selectPlan(
  collection: Collection,
  match: Field,
  p: PlanParams,
  count: number,
): SQL {
  const { writable, sourceTime } = collection;
  const { source, matches } = matchedItems(collection, match, p, count);
  // Binary collation: a code in another case counts as a change, whatever the column's collation.
  const differences = Object.entries(writable).map(([field, { name }]) => {
    const column = sql.identifier(name);
    return sql`(${isSet(collection, field)} and item.${column} is not old.${column} collate binary)`;
  });
  const time = sourceTime && sql.identifier(writable[sourceTime]?.name ?? '');
  const isStale =
    sourceTime === undefined
      ? sql`0`
      : sql`${p.ifNewer} and ${isSet(collection, sourceTime)} and item.${time} < old.${time}`;
  const deletedBy = sql`iif(${p.deletes}, (
    select jsonb_group_object(old.id, item.place) from ${source} where ${isOfKind('deletes')} and old.id is not null), null)`;
  return sql`
    select place, outcome, iif(outcome = ${outcomeNumber('created')}, new_id, id) as id, matches
    from (
      select item.place, item.new_id, old.id, ${matches} as matches, case
        when ${matches} > 1 then ${outcomeNumber('several')}
        when ${isOfKind('deletes')} then case
          when old.id is null then ${outcomeNumber('unchanged')} when ${isStale} then ${outcomeNumber('stale')} else ${outcomeNumber('deleted')} end
        when old.id is null and ${isOfKind('changes')} then ${outcomeNumber('missing')}
        when ${isStale} then ${outcomeNumber('stale')}
        when ${isTaken(collection, match, deletedBy)} then ${outcomeNumber('taken')}
        when old.id is null then ${outcomeNumber('created')}
        when ${sql.join(differences, sql` or `)} then ${outcomeNumber('updated')} else ${outcomeNumber('unchanged')} end as outcome
      from ${source} limit -1 offset 0)`;
}

/**
 * SQL condition: another resource has the item's unique value, unless an earlier item deletes that resource.
 * @param deletedBy the places of deletions, by the ids of what they delete
 */
function isTaken(collection: Collection, match: Field, deletedBy: SQL): SQL {
  const { unique } = collection;
  // A resource matched by its unique value has it itself.
  if (!unique || match.name === unique.name) return sql`0`;
  const others = otherRowWith(
    collection,
    brand,
    sql`item.${sql.identifier(unique.column.name)}`,
    sql`coalesce(old.id, '')`,
    sql`not coalesce(${deletedBy} ->> other.id < item.place, 0)`,
  );
  return sql`(${isSet(collection, unique.name)} and exists ${others})`;
}

/**
 * Returns the items joined to the single resource that each matches, as `old`, and to the number of `hit.matches`.
 *
 * By a field with an index, each item looks its resources up. By another one, that would read the brand's rows once per
 * item, so they are read once: the parameter `matchValues` has the match values of all items.
 */
function matchedItems(
  collection: Collection,
  match: Field,
  p: PlanParams,
  count: number,
): { readonly source: SQL; readonly matches: SQL } {
  const { table } = collection;
  const name = sql.identifier(match.column.name);
  const guard = sql`${recordedPlan(p.idempotencyKey)} is null`;
  if (match.index !== undefined || match.name === 'id') {
    const indexed = match.index && sql`indexed by ${sql.identifier(match.index)}`;
    // Both in one column of the item, so that they are read once.
    const found = (item: SQL): SQL => sql`(
      select json_array(count(*), min(hit.id)) from ${table} as hit ${indexed}
      where hit.brand_id = ${brand} and hit.${name} = ${itemMember(item, 'match_value')}) as found`;
    return {
      source: sql`${selectItems(collection, p, count, guard, found)}
        left join ${table} as old on old.brand_id = ${brand} and found ->> 0 = 1 and old.id = found ->> 1`,
      matches: sql`found ->> 0`,
    };
  }
  const hits = sql`
    select ${name} as value, count(*) as matches, min(id) as id from ${table}
    where brand_id = iif(${guard}, ${brand}, null) and ${name} in (select value from json_each(${p.matchValues}))
    group by ${name}`;
  return {
    source: sql`${selectItems(collection, p, count, guard)} left join (${hits}) as hit on hit.value = item.match_value
      left join ${table} as old on old.brand_id = ${brand} and hit.matches = 1 and old.id = hit.id`,
    matches: sql`coalesce(hit.matches, 0)`,
  };
}
