import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { besides, requireEntry } from '../../db/columns.ts';
import type { Selection } from '../../db/key.ts';
import type { Collection } from '../collection.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a call reads a long text only if its resource is within its share of 8 MiB.
// If one is not, the rows say how long they are, and a second call reads as many as fit.

/** The length of the texts that a call to D1 may read, in bytes, besides 5 KB for the short ones of each resource. */
export const MAX_READ = 8 * 1024 * 1024;

/** A row whose long texts are null if they are longer than the call may read. */
interface BoundedRow {
  /** The length of its long texts in bytes. */
  readonly bytes: number;
}

/** The columns of a `BoundedRow`. */
interface BoundedSelection {
  /** Selects what a representation shows. The long texts are null if they are longer than `most` together. */
  readonly shown: Selection;
  readonly bytes: SQL.Aliased<number>;
}

/**
 * Selects a resource, whose long texts may be missing.
 * @param most the greatest length of its long texts in bytes
 */
export function boundedSelection(
  { selection, shown, long }: Collection,
  most: Placeholder,
): BoundedSelection {
  const columns = long.map((field) => [field, requireEntry(shown, field)] as const);
  // SQLite knows the length of a stored text without reading it.
  const lengths = columns.map(([, column]) => sql`coalesce(octet_length(${column}), 0)`);
  const bytes = sql<number>`(${sql.join([sql`0`, ...lengths], sql` + `)})`;
  const texts = columns.map(
    ([field, column]) => [field, sql`iif(${bytes} > ${most}, null, ${column})`.as(field)] as const,
  );
  return { shown: { ...selection, ...Object.fromEntries(texts) }, bytes: bytes.as('bytes') };
}

/** The row of a listed resource, besides what it shows. */
export interface ListedRow extends BoundedRow {
  readonly id: string;
}

/**
 * Selects a resource of a list, whose long texts may be missing.
 * @param most as for `boundedSelection`
 */
export function selectListed(
  collection: Collection,
  most: Placeholder,
): { readonly [K in keyof ListedRow]: SQL.Aliased<ListedRow[K]> } {
  const { shown, bytes } = boundedSelection(collection, most);
  const { id: _, ...fields } = shown;
  return besides(fields, { id: sql<string>`${collection.table.id}`.as('id'), bytes });
}

/** Rows in their order. */
export interface Bounded<R> {
  readonly rows: readonly R[];
  /** Whether there are more rows than fit. */
  readonly isCut: boolean;
}

/** Returns how long the texts of each of `count` rows may be. */
export function shareOf(count: number): number {
  return Math.floor(MAX_READ / count);
}

/**
 * Reads rows whose texts have 8 MiB at most together; at least one row, if there is one.
 * @param count the greatest number of rows
 * @param read reads the first rows: how many at most, and how long the texts of each may be
 */
export async function readBounded<R extends BoundedRow>(
  count: number,
  read: (count: number, most: number) => Promise<readonly R[]>,
): Promise<Bounded<R>> {
  let [most, isCut] = [shareOf(count), false];
  let rows = await read(count, most);
  // Usually false. A row may also have grown since its length was read.
  while (rows.some(({ bytes }) => bytes > most)) {
    const fitting = fittingRows(rows);
    isCut = fitting.length < rows.length;
    most = Math.max(...fitting.map(({ bytes }) => bytes));
    rows = await read(fitting.length, most);
  }
  return { rows, isCut };
}

/** Returns the first rows, at least one, whose texts have 8 MiB at most together. */
function fittingRows<R extends BoundedRow>(rows: readonly R[]): readonly R[] {
  let total = 0;
  const end = rows.findIndex(({ bytes }, index) => {
    total += bytes;
    return index > 0 && total > MAX_READ;
  });
  return end < 0 ? rows : rows.slice(0, end);
}
