import type { Column, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { BrandSession } from '../db/brand-session.ts';
import { jsonOfColumns } from '../db/json.ts';
import { readableBrand, statement } from '../db/statement.ts';
import type { Collection } from './collection.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a call to D1 that reads many resources reads of the large ones only their length,
// and further calls read these in groups while the response is sent.

/** The bytes of long texts that a call to D1 may read. */
export const MAX_READ = 8 * 1024 * 1024;

/**
 * SQL: the JSON text of a row; only the length of its long texts, in bytes, if that exceeds the placeholder `inline`.
 * @param length that length; by default the length of the row's columns
 */
export function jsonOrLength({ shown, long }: Collection, length = lengthOf(long)): SQL {
  const json = jsonOfColumns(shown);
  if (long.length === 0) return json;
  return sql`iif(${length} > ${sql.placeholder('inline')}, ${length}, ${json})`;
}

function lengthOf(columns: readonly Column[]): SQL {
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
