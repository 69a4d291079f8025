import type { SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { WRITE_TIME } from '../db/guarded-update.ts';
import { stemOf } from '../db/revision.ts';
import type { Collection, Match } from './collection.ts';
import type { PushItem } from './push-items.ts';
import { otherRowWith } from './row.ts';

/** The input of a merge. */
interface Merge {
  /** A table expression with the column `value`, an item as `itemText` writes it, for use after `from`. */
  readonly items: SQL;
  /** The condition under which the brand's rows are read. */
  readonly guard: SQL;
  /** The brand that owns the resources. */
  readonly brand: SQL;
  /** The value of defaults that stand for the time of the write. */
  readonly time: SQL;
  /** Whether the long texts of unchanged resources are left out, because nothing is written of them. */
  readonly isWrite?: boolean;
}

/** The first members of an item; its values follow. `sets` has a bit for each column that the item sets. */
const MEMBERS = ['n', 'v', 'mark', 'sets', 'creates'];

/** SQL: `v`, where the columns of an item are made. */
const VALUE = sql.raw('parsed ->> 1');

/**
 * Returns an item as a JSON array: `MEMBERS` and a value for each writable column. Columns that the item does not set
 * have the default of a new resource.
 * @param n its index
 * @param defaults as in the item; undefined if it cannot create a resource
 */
export function itemText(
  { writable }: Collection,
  n: number,
  { value, mark, named }: PushItem,
  defaults: PushItem['defaults'],
): string {
  const names = Object.values(writable).map(({ name }) => name);
  const sets = names.reduce((bits, name, index) => bits + (name in named ? 2 ** index : 0), 0);
  const values = names.map((name) => named[name] ?? defaults?.[name] ?? null);
  return JSON.stringify([n, value, mark, sets, defaults ? 1 : 0, ...values]);
}

/**
 * Returns a SELECT with one row per item: the number of matching resources, the matching resource, whether the item is
 * refused, whether it differs, and the resource's columns after the merge.
 */
export function mergedItems(collection: Collection, match: Match, merge: Merge): SQL {
  const { writable, stamped, texts, long } = collection;
  const { brand, time, isWrite = false } = merge;
  const names = Object.values(writable).map(({ name }) => name);
  const isSet = (name: string): SQL => sql.raw(`item.sets & ${2 ** names.indexOf(name)}`);
  const inItem = (name: string): SQL => sql`item.${sql.identifier(name)}`;
  const inOld = (name: string): SQL => sql`old.${sql.identifier(name)}`;

  // Binary collation: a code in another case counts as a change, whatever the column's collation.
  const differences = names.map(
    (name) => sql`(${isSet(name)} and ${inItem(name)} is not ${inOld(name)} collate binary)`,
  );
  const differs = sql`old.id is not null and (${sql.join(differences, sql` or `)})`;
  const longNames = long.map(({ name }) => name);
  const columns = Object.entries(writable).map(([field, { name }]) => {
    const written = stamped.has(field)
      ? sql`iif(${inItem(name)} = ${sql.raw(`'${WRITE_TIME}'`)}, ${time}, ${inItem(name)})`
      : inItem(name);
    const kept =
      isWrite && longNames.includes(name)
        ? sql`iif(${differs}, ${inOld(name)}, null)`
        : inOld(name);
    // A retry shows what an earlier try created as it was, whatever others have made of it since.
    return sql`iif(old.id is null or old.id = mark or ${isSet(name)}, ${written}, ${kept}) as ${sql.identifier(name)}`;
  });
  // SQLite knows the length of a stored text without reading it.
  const lengths = texts
    .filter(({ name }) => names.includes(name))
    .map(
      ({ name }) =>
        sql` + coalesce(iif(${isSet(name)}, octet_length(${inItem(name)}), octet_length(${inOld(name)})), 0)`,
    );
  const { unique } = collection;
  // A resource matched by its unique value has it itself.
  const taken =
    unique && !match.isUnique
      ? sql`(${isSet(unique.column.name)} and exists (${otherRowWith(collection, brand, inItem(unique.column.name), sql`coalesce(old.id, '')`)}))`
      : sql`0`;
  const { source, matches } = matchedItems(collection, match, merge);
  return sql`
    select n, mark, ${matches} as matches, old.id as old_id, ${sql.raw(stemOf('old.revision'))} = ${sql.raw(stemOf('mark'))} as ours,
      ${taken} as taken, ${differs} as differs,
      ${matches} > 1 or ${taken} or (${matches} = 0 and not creates) as is_refused,
      iif(old.id is null, 0, 0${sql.join(lengths)}) as text_bytes,
      old.id as id, old.created_at as created_at, old.updated_at as updated_at, ${sql.join(columns, sql`, `)}
    from ${source} and old.brand_id = ${brand}`;
}

/**
 * Returns a subquery `item` with the members and values of items as columns.
 *
 * JSONB, because SQLite would parse a text again, or copy it, for each value that it reads from it. `LIMIT` and `OFFSET`
 * keep SQLite from merging a subquery into the outer query, where it would do so at each reference to a column.
 * @param items has the column `value`
 * @param found a further column of this name
 */
function itemColumns({ writable }: Collection, items: SQL, found = sql`null`): SQL {
  const names = [...MEMBERS, ...Object.values(writable).map(({ name }) => name)];
  const columns = names.map((name, index) => `parsed ->> ${index} as "${name}"`);
  return sql`(
    select ${sql.raw(columns.join(', '))}, ${found} as found from (select jsonb(value) as parsed from ${items} limit -1 offset 0) limit -1 offset 0
  ) as item`;
}

/**
 * Returns the items joined to the single resource that each matches, as `old`, and the number of matches.
 *
 * `LEFT JOIN` makes the items the outer loop. Otherwise SQLite could read all of the brand's rows once per item.
 */
function matchedItems(
  collection: Collection,
  { column, index, isIndexed, isUnique }: Match,
  { items, guard, brand }: Merge,
): { readonly source: SQL; readonly matches: SQL } {
  const { table } = collection;
  const name = sql.identifier(column.name);
  const item = itemColumns(collection, items);
  if (isUnique || column === table.id) {
    return {
      source: sql`${item} left join ${table} as old on old.${name} = item.v`,
      matches: sql`(old.id is not null)`,
    };
  }
  if (isIndexed) {
    // Both in one column of the item, so that they are read once.
    const found = sql`(
      select json_array(count(*), min(hit.id)) from ${table} as hit ${index === undefined ? sql`` : sql`indexed by ${sql.identifier(index)}`}
      where hit.brand_id = ${brand} and hit.${name} = ${VALUE})`;
    return {
      source: sql`${itemColumns(collection, items, found)} left join ${table} as old on found ->> 0 = 1 and old.id = found ->> 1`,
      matches: sql`found ->> 0`,
    };
  }
  // Reads the brand's rows once, and not the items again: the parameter `sought` holds their match values.
  const hits = sql`
    select ${name} as v, count(*) as matches, min(id) as id from ${table}
    where brand_id = iif(${guard}, ${brand}, null) and ${name} in (select value from json_each(${sql.placeholder('sought')}))
    group by ${name}`;
  return {
    source: sql`${item} left join (${hits}) as hit on hit.v = item.v left join ${table} as old on hit.matches = 1 and old.id = hit.id`,
    matches: sql`coalesce(hit.matches, 0)`,
  };
}
