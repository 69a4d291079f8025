import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { WRITE_TIME } from '../db/guarded-update.ts';
import type { Collection, Match } from './collection.ts';
import { otherRowWith } from './row.ts';

/**
 * What to merge. An item is `{n, v, u, p, d}`: its index, the value by which it finds its resource, its mark, the columns
 * that it names, and the defaults of the others if it can be created.
 */
interface Merge {
  /** A table with the column `value`, to stand after `from`. */
  readonly items: SQL;
  /** The columns that the items name, all together. */
  readonly named: readonly string[];
  /** Holds if the brand's resources are to be looked at. */
  readonly guard: SQL;
  /** The brand whose resources they are. */
  readonly brand: SQL;
  /** What a default of the time of the write is. */
  readonly time: SQL;
}

/**
 * The items with what the database knows of them, a row each: how many resources match, the one that does, whether the
 * item is refused, whether it differs, and under the names of the columns the resource as it would be.
 */
export function mergedItems(collection: Collection, match: Match, merge: Merge): SQL {
  const { writable, stamped } = collection;
  const { named, brand, time } = merge;
  const columns = Object.entries(writable).map(([field, { name }]) => {
    const fallback = stamped.has(field)
      ? sql`iif(${defaultOf(name)} = ${sql.raw(`'${WRITE_TIME}'`)}, ${time}, ${defaultOf(name)})`
      : defaultOf(name);
    const own = named.includes(name) ? sql`when ${names(name)} then ${valueOf(name)}` : sql``;
    return sql`case ${own} when old.id is null then ${fallback} else old.${sql.identifier(name)} end as ${sql.identifier(name)}`;
  });
  // Binary: a code written in another case is another text, whatever the column's own collation.
  const differences = named.map(
    (name) =>
      sql`(${names(name)} and ${valueOf(name)} is not old.${sql.identifier(name)} collate binary)`,
  );
  const differs = differences.length > 0 ? sql.join(differences, sql` or `) : sql`0`;
  const taken = takenBy(collection, match, merge);
  const { source, matches } = matchedItems(collection, match, merge);
  return sql`
    select item.value ->> 'n' as n, item.value ->> 'u' as mark, ${matches} as matches, old.id as old_id, old.revision as old_revision,
      ${taken} as taken, old.id is not null and (${differs}) as differs,
      ${matches} > 1 or ${taken} or (${matches} = 0 and item.value -> 'd' is null) as is_refused,
      old.id as id, old.created_at as created_at, old.updated_at as updated_at, ${sql.join(columns, sql`, `)}
    from ${source} and old.brand_id = ${brand}`;
}

/** Whether an item names this column; `null` is a value too. */
function names(name: string): SQL {
  return sql`item.value -> ${sql.raw(`'$.p.${name}'`)} is not null`;
}

function valueOf(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'$.p.${name}'`)}`;
}

function defaultOf(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'$.d.${name}'`)}`;
}

/** Whether another resource has the item's unique value. What was found by that value has it itself. */
function takenBy(collection: Collection, match: Match, { named, brand }: Merge): SQL {
  const { unique } = collection;
  if (!unique || match.isUnique || !named.includes(unique.column.name)) return sql`0`;
  const value = valueOf(unique.column.name);
  const other = otherRowWith(collection, brand, value, sql`coalesce(old.id, '')`);
  return sql`(${names(unique.column.name)} and exists (${other}))`;
}

/**
 * The items, each with the one resource that it matches as `old`, and how many match.
 *
 * `LEFT JOIN` keeps the items outside: joined the other way round, the brand's rows would be read for each of them.
 */
function matchedItems(
  { table }: Collection,
  { column, index, isIndexed, isUnique }: Match,
  { items, guard, brand }: Merge,
): { readonly source: SQL; readonly matches: SQL } {
  const name = sql.identifier(column.name);
  if (isUnique || column === table.id) {
    return {
      source: sql`${items} as item left join ${table} as old on old.${name} = item.value ->> 'v'`,
      matches: sql`(old.id is not null)`,
    };
  }
  if (isIndexed) {
    const hits = sql`from ${table} as hit ${index === undefined ? sql`` : sql`indexed by ${sql.identifier(index)}`}
      where hit.brand_id = ${brand} and hit.${name} = item.value ->> 'v'`;
    return {
      source: sql`${items} as item left join ${table} as old on old.id = (select min(hit.id) ${hits} having count(*) = 1)`,
      matches: sql`iif(old.id is not null, 1, (select count(*) ${hits}))`,
    };
  }
  // The brand's rows are read once, and sorted together with the items.
  const found = sql`
    select max(value) as value, count(id) as matches, min(id) as id from (
      select item.value ->> 'v' as v, item.value as value, null as id from ${items} as item
      union all
      select ${name}, null, id from ${table}
      where brand_id = iif(${guard}, ${brand}, null) and ${name} in (select item.value ->> 'v' from ${items} as item)
    ) group by v having max(value) is not null`;
  return {
    source: sql`(${found}) as item left join ${table} as old on item.matches = 1 and old.id = item.id`,
    matches: sql`item.matches`,
  };
}
