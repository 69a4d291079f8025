import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { recordExpiry } from '../../db/idempotency-records.ts';
import type { ItemParameter } from '../../db/json-items.ts';
import { itemsIn } from '../../db/json-items.ts';
import { keyBrand } from '../../db/key.ts';
import { perCall } from '../../db/statement.ts';
import { idempotencyRecords } from '../../db/tables.ts';
import type { Collection, Field } from '../collection.ts';
import { checkedRow } from '../list-body.ts';
import { otherRowWith } from '../row.ts';
import type { PushItem } from './item.ts';
import type { Outcome } from './outcome.ts';
import { OUTCOMES } from './outcome.ts';

// The plan of a push says what happens to each of its items. SQL makes it, in the transaction that does it.

/** SQL: the number of an outcome. */
export function outcomeNumber(name: Outcome): SQL {
  return integer(OUTCOMES.indexOf(name));
}

/** SQL: a number as text: a parameter would be sent with every statement. */
function integer(value: number): SQL {
  return sql.raw(String(value));
}

/**
 * The names of the placeholders of a plan, besides the items: the match values of all of them, whether any is a deletion,
 * and whether late events do nothing.
 */
export const planNames = ['idempotencyKey', 'matchValues', 'deletes', 'ifNewer'] as const;

type PlanPlaceholders = Readonly<Record<ItemParameter | (typeof planNames)[number], Placeholder>>;

/** The first members of an item; its values follow. `sets` has a bit for each field that the item sets. */
const MEMBERS = ['n', 'v', 'candidate', 'sets', 'kind'];

/** What an item does besides changing a resource, by its number in SQL. */
const KINDS = ['changes', 'creates', 'deletes'] as const;

/**
 * Returns an item as a JSON array: `MEMBERS` and a value for each writable field.
 * @param n its place among the items that are sent to the database
 * @throws PayloadTooLarge
 */
export function itemText(collection: Collection, item: PushItem, n: number): string {
  const { index, kind, matchValue, candidateId, setFields, newValues } = item;
  const fields = Object.keys(collection.writable);
  const sets = setFields.reduce((bits, field) => bits + 2 ** fields.indexOf(field), 0);
  const members = [n, matchValue, candidateId, sets, KINDS.indexOf(kind)];
  return checkedRow(collection, index, [
    ...members,
    ...fields.map((field) => newValues[field] ?? null),
  ]);
}

/** SQL condition on an `item`: it sets the field. */
export function isSet({ writable }: Collection, field: string): SQL {
  return sql`item.sets & ${integer(2 ** Object.keys(writable).indexOf(field))}`;
}

/**
 * Returns a subquery `item` with the members and values of items as columns, each under its field's column name.
 *
 * JSONB, because SQLite would parse a text again for each value that it reads from it. `LIMIT` and `OFFSET` keep SQLite
 * from merging a subquery into the outer query, where it would do so at each reference to a column.
 * @param count the number of parameters that hold the items
 * @param guard the condition under which the items are read
 * @param more further columns, which may read the item as `parsed`
 */
export function itemColumns(
  { writable }: Collection,
  p: Readonly<Record<ItemParameter, Placeholder>>,
  count: number,
  guard: SQL,
  more = sql``,
): SQL {
  const names = [...MEMBERS, ...Object.values(writable).map(({ name }) => name)];
  const columns = names.map(
    (name, index) => sql`parsed ->> ${integer(index)} as ${sql.identifier(name)}`,
  );
  return sql`(
    select ${sql.join(columns, sql`, `)}${more} from (select jsonb(value) as parsed from ${itemsIn(p, count, guard)} limit -1 offset 0) limit -1 offset 0
  ) as item`;
}

/**
 * SQL: the plan in the key's record; NULL if there is none, or it is expired. A record without a key counts for the call
 * that inserted it.
 */
export function recordedPlan(idempotencyKey: Placeholder): SQL {
  return sql`(
    select results from ${idempotencyRecords} where brand_id = ${keyBrand.write} and key = ${idempotencyKey}
      and (request = ${perCall.tryId} or (key <> '' and created_at > ${recordExpiry})))`;
}

/**
 * Returns a SELECT of the plan, which has no rows if one is recorded: for each item its place `n`, its `outcome`, how many
 * resources it `matches`, the id of the one that it matches as `old_id`, and of the one that it matches or creates as `id`.
 * It is the only place that decides what a push does.
 * @param count the number of parameters that hold the items
 */
export function selectPlan(
  collection: Collection,
  match: Field,
  p: PlanPlaceholders,
  count: number,
): SQL {
  const { writable, sourceTime } = collection;
  const { source, matches } = matchedItems(collection, match, p, count);
  const kind = (name: PushItem['kind']): SQL => sql`kind = ${integer(KINDS.indexOf(name))}`;
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
    select jsonb_group_object(old.id, item.n) from ${source} where ${kind('deletes')} and old.id is not null), null)`;
  return sql`
    select *, iif(outcome = ${outcomeNumber('created')}, candidate, old_id) as id
    from (
      select item.n, item.candidate, old.id as old_id, ${matches} as matches, case
        when ${matches} > 1 then ${outcomeNumber('several')}
        when ${kind('deletes')} then case
          when old.id is null then ${outcomeNumber('unchanged')} when ${isStale} then ${outcomeNumber('stale')} else ${outcomeNumber('deleted')} end
        when old.id is null and ${kind('changes')} then ${outcomeNumber('missing')}
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
    keyBrand.write,
    sql`item.${sql.identifier(unique.column.name)}`,
    sql`coalesce(old.id, '')`,
    sql`and not coalesce(${deletedBy} ->> other.id < item.n, 0)`,
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
  p: PlanPlaceholders,
  count: number,
): { readonly source: SQL; readonly matches: SQL } {
  const { table } = collection;
  const name = sql.identifier(match.column.name);
  const brand = keyBrand.write;
  const guard = sql`${recordedPlan(p.idempotencyKey)} is null`;
  if (match.index !== undefined || match.name === 'id') {
    const indexed = match.index && sql`indexed by ${sql.identifier(match.index)}`;
    // Both in one column of the item, so that they are read once.
    const found = sql`, (
      select json_array(count(*), min(hit.id)) from ${table} as hit ${indexed}
      where hit.brand_id = ${brand} and hit.${name} = parsed ->> 1) as found`;
    return {
      source: sql`${itemColumns(collection, p, count, guard, found)}
        left join ${table} as old on old.brand_id = ${brand} and found ->> 0 = 1 and old.id = found ->> 1`,
      matches: sql`found ->> 0`,
    };
  }
  const hits = sql`
    select ${name} as v, count(*) as matches, min(id) as id from ${table}
    where brand_id = iif(${guard}, ${brand}, null) and ${name} in (select value from json_each(${p.matchValues}))
    group by ${name}`;
  return {
    source: sql`${itemColumns(collection, p, count, guard)} left join (${hits}) as hit on hit.v = item.v
      left join ${table} as old on old.brand_id = ${brand} and hit.matches = 1 and old.id = hit.id`,
    matches: sql`coalesce(hit.matches, 0)`,
  };
}
