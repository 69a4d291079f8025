import type { Column } from 'drizzle-orm';
import type { BrandSession } from '../../db/brand-session.ts';
import { jsonOfColumns } from '../../db/json.ts';
import type { Sql } from '../../db/sql.ts';
import { join, placeholder, raw, sql } from '../../db/sql.ts';
import type { Row } from '../../db/statement.ts';
import { bind, readableBrand, statement } from '../../db/statement.ts';
import type { Collection } from '../collection.ts';
import type { JsonOrLength } from '../representation.ts';
import { jsonIn } from '../representation.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a list reads a large resource in two steps: a first call returns a bound of
// its length instead of its text, and further calls read the texts in groups while the response is sent.
//
// The length is checked again with the text. Otherwise a client that reads slowly while its own 250 resources grow to 1 MB
// each would make one call return 250 MB, which ends every request of the isolate.

/**
 * The length of resources that a call to D1 may read, in UTF-16 units. D1's answer is JSON in JSON, and is in memory
 * together with what is parsed from it. If one of its characters is beyond Latin-1, each unit takes two bytes of both: 32
 * MiB.
 */
export const MAX_READ = 8 * 1024 * 1024;

/** The length of a quote or a backslash as JSON in JSON. A line end has 3, and any other character as in UTF-16. */
const MOST_UNITS = 4;

/** More than the length of a member without its text: a name of 24 characters, quotes, and a number of 20. */
const MEMBER = 64;

/** The greatest length of a text that a call reads at once, from `inlineLimitFor`. */
export const inlineLimit = placeholder('inline');

/**
 * SQL: the JSON text of a row; only an upper bound of its length as JSON in JSON if that exceeds the limit.
 * @param bytes the bytes of all texts of the row, if the row is not stored
 */
export function jsonOrLength<N extends string>(
  { shown, texts, long }: Collection,
  limit: Sql<N>,
  bytes?: Sql,
): Sql<N> {
  const json = jsonOfColumns(shown);
  if (long.length === 0) return json;
  const most = sql`${raw(MOST_UNITS)} * (${bytes ?? bytesOf(texts)}) + ${raw(MEMBER * Object.keys(shown).length)}`;
  const measured = sql`octet_length(json_quote(json))`;
  // Most resources are short: their JSON is made once, and it is quoted to be measured only if it can be too long. `LIMIT`
  // and `OFFSET` keep SQLite from making it at each use.
  return sql`(
    select iif(json is null, ${most}, iif(2 * octet_length(json) > ${limit} and ${measured} > ${limit}, ${measured}, json))
    from (select iif(${bytes ?? bytesOf(long)} > ${limit}, null, ${json}) as json limit -1 offset 0))`;
}

function bytesOf(columns: readonly Column[]): Sql {
  // SQLite knows the length of a stored text without reading it.
  return join(
    columns.map((column) => sql`coalesce(octet_length(${column}), 0)`),
    ' + ',
  );
}

/**
 * Returns the value of `inlineLimit` for a call that reads up to `count` resources.
 * @param room the length that they may have together
 */
export function inlineLimitFor(count: number, room = MAX_READ): number {
  return Math.floor(room / count);
}

/**
 * Reads the JSON texts of resources by id. A resource that no longer exists is left out. Of one that has grown beyond its
 * part of the room, only an upper bound of its length is read; one that is alone has all of it.
 * @param lengths upper bounds of their lengths when the list was read, by id
 * @param room the length that they may have together
 */
export type ReadLarge = (
  lengths: ReadonlyMap<string, number>,
  room: number,
) => Promise<ReadonlyMap<string, JsonOrLength>>;

/** Returns a function that reads the large resources of a collection for a request. */
export function largeResources(collection: Collection): (session: BrandSession) => ReadLarge {
  const { table } = collection;
  const select = statement(sql`
    select ${table.id}, ${jsonOrLength(collection, raw('part.value'))} as json
    from json_each(${placeholder('parts')}) as part cross join ${table} on ${table.id} = part.key
    where ${table.brandId} = ${readableBrand}`);

  return (session) => async (lengths, room) => {
    const parts = JSON.stringify(partsOf(lengths, room));
    const { rows } = await session.run([bind(select, { parts })]);
    return jsonsById(rows[0], 'id');
  };
}

/** Divides a room among resources, in proportion to their lengths. */
function partsOf(
  lengths: ReadonlyMap<string, number>,
  room: number,
): Readonly<Record<string, number>> {
  const total = [...lengths.values()].reduce((sum, length) => sum + length, 0);
  const parts: Record<string, number> = {};
  for (const [id, length] of lengths) parts[id] = Math.floor((length * room) / total);
  return parts;
}

/** Returns the column `json` of rows by the column with their id. */
export function jsonsById(
  rows: readonly Row[] = [],
  id: string,
): ReadonlyMap<string, JsonOrLength> {
  return new Map(rows.map((row) => [String(row[id]), jsonIn(row)]));
}
