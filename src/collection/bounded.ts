import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { RequiredColumn } from '../db/columns.ts';
import { requireEntry } from '../db/columns.ts';
import type { RowOf, Selection } from '../db/selection.ts';
import { jsonSchemas } from '../fields/expected.ts';
import { withoutNull } from '../fields/schema.ts';
import type { Collection } from './collection.ts';
import type { SelectionBesides } from './single-resource.ts';
import { shown } from './single-resource.ts';

// A resource may have 1 MB (768 KB of URLs that normalization made longer, and a description by a PATCH), and a Worker
// 128 MB of memory for all of its requests. So a call reads a long text only if its resource is within its share of 8 MiB.
// If one is not, the rows say how long they are, and another call reads as many as fit.
//
// The lengths of all texts would take longer than the rows. So the length of a long one is looked up, and a short one counts
// as the longest that its field may have.

/** The length of the texts that a call to D1 may read, in bytes. */
const MAX_READ = 8 * 1024 * 1024;

/** The most characters of a short text. */
const MAX_SHORT = 255;

/** The most bytes of a character in UTF-8. */
const BYTES = 4;

const TIME_LENGTH = '2026-01-31T09:30:00.000Z'.length;

/** Returns the most characters that a value of a field has as a text. */
function maxCharacters(field: z.core.$ZodType): number {
  const rule = withoutNull(field);
  if (rule instanceof z.ZodMiniNumber || rule instanceof z.ZodMiniBoolean) return 0;
  const { enum: values, format, maxLength } = jsonSchemas.get(rule) ?? {};
  if (values) return Math.max(...values.map((value) => String(value).length));
  return format === 'date-time' ? TIME_LENGTH : (maxLength ?? Infinity);
}

type ListedSelection = Readonly<{
  id: RequiredColumn<string>;
  /** The length of its texts in bytes. */
  bytes: SQL<number>;
}>;

/** What a row has besides what it shows. */
export type ListedRow = RowOf<ListedSelection>;

/**
 * Selects what a representation shows, and the length of its texts. If that is too long, its long texts are null.
 * @param maxBytes the greatest length of a resource's texts in bytes
 * @param more what else to select
 */
export function selectListed<S extends Selection>(
  { table, visible, fields }: Collection,
  maxBytes: Placeholder,
  more: SelectionBesides<S>,
): S & ListedSelection {
  const sizes = Object.entries(fields).map(
    ([name, field]) => [name, maxCharacters(field)] as const,
  );
  const columns = sizes
    .filter(([, characters]) => characters > MAX_SHORT)
    .map(([name]) => [name, requireEntry(visible, name)] as const);
  const short = sizes
    .filter(([, characters]) => characters <= MAX_SHORT)
    .reduce((sum, [, characters]) => sum + BYTES * characters, 0);
  // SQLite knows the length of a stored text without reading it.
  const lengths = columns.map(([, column]) => sql`coalesce(octet_length(${column}), 0)`);
  const bytes = sql<number>`(${sql.join([sql.raw(String(short)), ...lengths], sql` + `)})`;
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
