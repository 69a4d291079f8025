import type { ItemParameter } from '../../db/json-items.ts';
import { itemsIn } from '../../db/json-items.ts';
import type { Sql } from '../../db/sql.ts';
import { identifier, join, placeholder, raw, sql } from '../../db/sql.ts';
import { writableBrand } from '../../db/statement.ts';
import type { Collection, Match } from '../collection.ts';
import { otherRowWith } from '../row.ts';
import type { PushItem } from './items.ts';

/** What happens to an item, by its number in SQL. The last three are refusals. */
export const OUTCOMES = [
  'unchanged',
  'stale',
  'created',
  'updated',
  'deleted',
  'several',
  'missing',
  'taken',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** SQL: the number of an outcome. */
export function outcome(name: Outcome): Sql {
  return raw(OUTCOMES.indexOf(name));
}

/** The properties of a push that its statements depend on. */
export interface PushForm {
  /** The number of parameters that hold the items. */
  readonly parameters: number;
  /** The columns that any of the items sets. */
  readonly named: readonly string[];
  /** Whether any item is a deletion. */
  readonly deletes: boolean;
}

/** The placeholders of a plan. `sought` has the match values of all items. */
export type PlanName = ItemParameter | 'keyHash' | 'sought' | 'ifNewer';

/** The first members of an item; its values follow. `sets` has a bit for each column that the item sets. */
const MEMBERS = ['n', 'v', 'candidate', 'sets', 'kind'];

/** What an item may do besides changing a resource. */
const KINDS = { changes: 0, creates: 1, deletes: 2 };

/**
 * Returns an item as a JSON array: `MEMBERS` and a value for each writable column. Columns that the item does not set
 * have the default of a new resource.
 * @param n its place among the items that are sent to the database
 * @param defaults as in the item; undefined if it cannot create a resource
 */
export function itemText(
  { writable }: Collection,
  n: number,
  { value, candidateId, named, deletes }: PushItem,
  defaults: PushItem['defaults'],
): string {
  const names = Object.values(writable).map(({ name }) => name);
  const sets = names.reduce((bits, name, index) => bits + (name in named ? 2 ** index : 0), 0);
  const values = names.map((name) => named[name] ?? defaults?.[name] ?? null);
  const kind = deletes ? KINDS.deletes : defaults ? KINDS.creates : KINDS.changes;
  return JSON.stringify([n, value, candidateId, sets, kind, ...values]);
}

/**
 * SQL: whether an item sets a column.
 * @param sets the member `sets` of the item
 */
export function isSet({ writable }: Collection, name: string, sets = raw('item.sets')): Sql {
  const index = Object.values(writable).findIndex((column) => column.name === name);
  return sql`${sets} & ${raw(2 ** index)}`;
}

/**
 * Returns a subquery `item` with the members and values of items as columns.
 *
 * JSONB, because SQLite would parse a text again for each value that it reads from it. `LIMIT` and `OFFSET` keep SQLite
 * from merging a subquery into the outer query, where it would do so at each reference to a column.
 * @param guard the condition under which the items are read
 * @param more further columns
 */
export function itemColumns<N extends string = never, M extends string = never>(
  { writable }: Collection,
  { parameters }: PushForm,
  guard?: Sql<N>,
  more?: Sql<M>,
): Sql<N | M | ItemParameter> {
  const names = [...MEMBERS, ...Object.values(writable).map(({ name }) => name)];
  const columns = names.map((name, index) => sql`parsed ->> ${raw(index)} as ${identifier(name)}`);
  return sql`(
    select ${join(columns)}${more} from (select jsonb(value) as parsed from ${itemsIn(parameters, guard)} limit -1 offset 0) limit -1 offset 0
  ) as item`;
}

/**
 * Returns a SELECT of the plan of a push: for each item its place `n`, its `outcome`, how many resources it `matches`, and
 * the `id` of the one that it matches or creates. It is the only place that decides what a push does.
 * @param guard the condition under which the items are read
 * @param more further columns, of the item and of the matching resource, `old`
 */
export function plan<N extends string>(
  collection: Collection,
  match: Match,
  form: PushForm,
  guard: Sql<N>,
  more?: Sql,
): Sql<N | PlanName> {
  const { writable, sourceTime } = collection;
  const { source, matches } = matchedItems(collection, match, form, guard);
  // Binary collation: a code in another case counts as a change, whatever the column's collation.
  const differences = Object.values(writable).map(({ name }) => {
    const column = identifier(name);
    return sql`(${isSet(collection, name)} and item.${column} is not old.${column} collate binary)`;
  });
  const time = sourceTime === undefined ? undefined : writable[sourceTime]?.name;
  const isStale =
    time === undefined
      ? raw('0')
      : sql`${placeholder('ifNewer')} and ${isSet(collection, time)} and item.${identifier(time)} < old.${identifier(time)}`;
  return sql`
    select *, iif(outcome = ${outcome('created')}, candidate, old_id) as id
    from (
      select item.n, item.candidate, old.id as old_id, ${matches} as matches${more && sql`, ${more}`}, case
        when ${matches} > 1 then ${outcome('several')}
        when kind = ${raw(KINDS.deletes)} then case
          when old.id is null then ${outcome('unchanged')} when ${isStale} then ${outcome('stale')} else ${outcome('deleted')} end
        when old.id is null and kind = ${raw(KINDS.changes)} then ${outcome('missing')}
        when ${isStale} then ${outcome('stale')}
        when ${isTaken(collection, match, form, source)} then ${outcome('taken')}
        when old.id is null then ${outcome('created')}
        when ${join(differences, ' or ')} then ${outcome('updated')} else ${outcome('unchanged')} end as outcome
      from ${source} limit -1 offset 0)`;
}

/** SQL condition: another resource has the item's unique value, unless an earlier item deletes that resource. */
function isTaken<N extends string>(
  collection: Collection,
  match: Match,
  { deletes }: PushForm,
  source: Sql<N>,
): Sql<N | 'keyHash'> {
  const { unique } = collection;
  // A resource matched by its unique value has it itself.
  if (!unique || match.isUnique) return raw('0');
  const { name } = unique.column;
  const other = otherRowWith(
    collection,
    writableBrand,
    sql`item.${identifier(name)}`,
    raw(`coalesce(old.id, '')`),
  );
  const deletedBy = sql`(
    select jsonb_group_object(old.id, item.n) from ${source} where kind = ${raw(KINDS.deletes)} and old.id is not null)`;
  return sql`(${isSet(collection, name)} and exists (${other} ${deletes && sql`and not coalesce(${deletedBy} ->> other.id < item.n, 0)`}))`;
}

/**
 * Returns the items joined to the single resource that each matches, as `old`, and the number of matches.
 *
 * `LEFT JOIN` makes the items the outer loop. Otherwise SQLite could read all of the brand's rows once per item.
 */
function matchedItems<N extends string>(
  collection: Collection,
  { column, index, isUnique }: Match,
  form: PushForm,
  guard: Sql<N>,
): { readonly source: Sql<N | PlanName>; readonly matches: Sql } {
  const { table } = collection;
  const name = identifier(column.name);
  const old = sql`${table} as old on old.brand_id = ${writableBrand}`;
  if (isUnique || column === table.id) {
    return {
      source: sql`${itemColumns(collection, form, guard)} left join ${old} and old.${name} = item.v`,
      matches: raw('(old.id is not null)'),
    };
  }
  if (index !== undefined) {
    // Both in one column of the item, so that they are read once.
    const found = sql`, (
      select json_array(count(*), min(hit.id)) from ${table} as hit indexed by ${identifier(index)}
      where hit.brand_id = ${writableBrand} and hit.${name} = parsed ->> 1) as found`;
    return {
      source: sql`${itemColumns(collection, form, guard, found)} left join ${old} and found ->> 0 = 1 and old.id = found ->> 1`,
      matches: raw('found ->> 0'),
    };
  }
  // Reads the brand's rows once, and not the items again: the parameter `sought` holds their match values.
  const hits = sql`
    select ${name} as v, count(*) as matches, min(id) as id from ${table}
    where brand_id = iif(${guard}, ${writableBrand}, null) and ${name} in (select value from json_each(${placeholder('sought')}))
    group by ${name}`;
  return {
    source: sql`${itemColumns(collection, form, guard)} left join (${hits}) as hit on hit.v = item.v left join ${old} and hit.matches = 1 and old.id = hit.id`,
    matches: raw('coalesce(hit.matches, 0)'),
  };
}
