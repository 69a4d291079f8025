import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { WRITE_TIME } from '../db/guarded-update.ts';
import type { Collection, Match } from './collection.ts';
import { otherRowWith } from './row.ts';

/**
 * The input of a merge. An item is `{n, v, u, p, d}`: its index, its match value, its mark, the values that it sets by
 * column, and the defaults of the other columns if it can create a resource.
 */
interface Merge {
  /** A table expression with the column `value`, for use after `from`. */
  readonly items: SQL;
  /** The columns that any of the items sets. */
  readonly named: readonly string[];
  /** The condition under which the brand's rows are read. */
  readonly guard: SQL;
  /** The brand that owns the resources. */
  readonly brand: SQL;
  /** The value of defaults that stand for the time of the write. */
  readonly time: SQL;
}

/**
 * Returns a SELECT with one row per item: the number of matching resources, the matching resource, whether the item is
 * refused, whether it differs, and the resource's columns after the merge.
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
  // Binary collation: a code in another case counts as a change, whatever the column's collation.
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

/** SQL: whether an item sets this column; `null` counts as a value. */
function names(name: string): SQL {
  return sql`item.value -> ${sql.raw(`'$.p.${name}'`)} is not null`;
}

function valueOf(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'$.p.${name}'`)}`;
}

function defaultOf(name: string): SQL {
  return sql`item.value ->> ${sql.raw(`'$.d.${name}'`)}`;
}

/** SQL: whether another resource has the item's unique value. A resource matched by that value has it itself. */
function takenBy(collection: Collection, match: Match, { named, brand }: Merge): SQL {
  const { unique } = collection;
  if (!unique || match.isUnique || !named.includes(unique.column.name)) return sql`0`;
  const value = valueOf(unique.column.name);
  const other = otherRowWith(collection, brand, value, sql`coalesce(old.id, '')`);
  return sql`(${names(unique.column.name)} and exists (${other}))`;
}

/**
 * Returns the items joined to the single resource that each matches, as `old`, and the number of matches.
 *
 * `LEFT JOIN` makes the items the outer loop. Otherwise SQLite could read all of the brand's rows once per item.
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
  // Reads the brand's rows once and groups them with the items.
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
