import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import { jsonOfColumns } from '../db/json.ts';
import { readableBrand, statement } from '../db/statement.ts';
import type { Collection } from './collection.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a call to D1 that reads many resources reads of the large ones only how long
// they may be, and further calls read these in groups while the response is sent.

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

/**
 * SQL: the JSON text of a row; only an upper bound of its length as JSON in JSON if that exceeds the placeholder `inline`.
 * @param bytes the bytes of all texts of the row; by default of the row's columns
 */
export function jsonOrLength({ shown, texts, long }: Collection, bytes = bytesOf(texts)): SQL {
  const json = jsonOfColumns(shown);
  if (long.length === 0) return json;
  const inline = sql.placeholder('inline');
  const members = sql.raw(String(MEMBER * Object.keys(shown).length));
  // A text is only made if it can be short enough, and only measured if it can be too long. `LIMIT` and `OFFSET` keep
  // SQLite from making it twice.
  return sql`(
    select case
      when most <= ${inline} then ${json}
      when bytes > ${inline} then most
      else (select iif(octet_length(json_quote(json)) <= ${inline}, json, most) from (select ${json} as json limit -1 offset 0))
    end
    from (select bytes, ${sql.raw(String(MOST_UNITS))} * bytes + ${members} as most from (select ${bytes} as bytes)))`;
}

function bytesOf(columns: readonly Column[]): SQL {
  // SQLite knows the length of a stored text without reading it.
  const lengths = columns.map((column) => sql`coalesce(octet_length(${column}), 0)`);
  return sql.join(lengths, sql` + `);
}

/** Returns the value of the placeholder `inline` for a call that reads up to `count` resources. */
export function inlineLength(count: number): number {
  return Math.floor(MAX_READ / count);
}

/** Reads the JSON texts of resources by id. A resource that no longer exists is left out. */
export type ReadTexts = (
  session: BrandSession,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Returns a function that reads the JSON texts of a collection's resources. */
export function textsOf({ table, shown }: Collection): ReadTexts {
  const select = statement(sql`
    select ${table.id}, ${jsonOfColumns(shown)} as json from ${table}
    where ${table.brandId} = ${readableBrand} and ${table.id} in (select value from json_each(${sql.placeholder('ids')}))`);

  return async (session, ids) => {
    const values = { ids: JSON.stringify(ids) };
    const { rows } = await session.run([{ statement: select, values }]);
    return new Map(rows[0]?.map(({ id, json }) => [String(id), String(json)]));
  };
}
