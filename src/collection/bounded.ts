import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import type { RequiredColumn } from '../db/columns.ts';
import { requireEntry } from '../db/columns.ts';
import type { RowOf, Selection } from '../db/selection.ts';
import type { Collection } from './collection.ts';
import type { SelectionBesides } from './single-resource.ts';
import { shown } from './single-resource.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a call reads a long text only if its resource is within its share of 8 MiB.
// If one is not, the rows say how long they are, and another call reads as many as fit.

/** The length of the texts that a call to D1 may read, in bytes, besides 5 KB for the short ones of each resource. */
const MAX_READ = 8 * 1024 * 1024;

/** What is selected of a listed resource besides what it shows. */
type ListedSelection = Readonly<{
  id: RequiredColumn<string>;
  /** The length of its long texts in bytes. */
  bytes: SQL<number>;
}>;

/** The row of a listed resource, besides what it shows. */
export type ListedRow = RowOf<ListedSelection>;

/**
 * Selects what a representation shows, and the length of the long texts, which are null if they are too long.
 * @param maxBytes the greatest length of a resource's long texts in bytes
 * @param more what else to select
 */
export function selectListed<S extends Selection>(
  { table, visible, longFields }: Collection,
  maxBytes: Placeholder,
  more: SelectionBesides<S>,
): S & ListedSelection {
  const columns = longFields.map((field) => [field, requireEntry(visible, field)] as const);
  // SQLite knows the length of a stored text without reading it.
  const lengths = columns.map(([, column]) => sql`coalesce(octet_length(${column}), 0)`);
  const bytes = sql<number>`(${sql.join([sql`0`, ...lengths], sql` + `)})`;
  const texts = columns.map(
    ([field, column]) => [field, sql`iif(${bytes} > ${maxBytes}, null, ${column})`] as const,
  );
  const selection = { ...visible, ...Object.fromEntries(texts) };
  return { ...shown<S>(selection, more), id: table.id, bytes };
}

export interface BoundedRows<R> {
  readonly rows: readonly R[];
  /** Whether others follow: more than were asked for, or than fit. */
  readonly hasMore: boolean;
}

/** Returns how long the texts of each of `count` rows may be. */
export function maxBytesEach(count: number): number {
  return Math.floor(MAX_READ / count);
}

/**
 * Reads rows whose texts have 8 MiB at most together; at least one row, if there is one.
 * @param limit the greatest number of rows
 * @param read takes a number of rows and the maximum length of each row's texts, and may return more than the rows
 */
export async function readBounded<R extends ListedRow, M>(
  limit: number,
  read: (count: number, maxBytes: number) => Promise<{ readonly rows: readonly R[] } & M>,
): Promise<BoundedRows<R> & M> {
  let [fitting, maxBytes] = [limit, maxBytesEach(limit + 1)];
  for (;;) {
    // One row more shows whether others follow, such as one that was created since the call before.
    const answer = await read(fitting + 1, maxBytes);
    const rows = answer.rows.slice(0, fitting);
    const longest = maxBytes;
    if (rows.every(({ bytes }) => bytes <= longest)) {
      return { ...answer, rows, hasMore: answer.rows.length > fitting };
    }
    // Rare. A row may also have grown since its length was read.
    const next = fittingRows(rows);
    [fitting, maxBytes] = [next.length, Math.max(...next.map(({ bytes }) => bytes))];
  }
}

/** Returns the first rows, at least one, whose texts have 8 MiB at most together. */
function fittingRows(rows: readonly ListedRow[]): readonly ListedRow[] {
  let total = 0;
  const end = rows.findIndex(({ bytes }, index) => {
    total += bytes;
    return index > 0 && total > MAX_READ;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
