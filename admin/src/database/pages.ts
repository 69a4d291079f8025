import { onDatabases } from './on-databases.ts';
import type { OpenDatabase } from './open-database.ts';

export interface PageOptions {
  /** How many items at most; all by default. */
  readonly limit?: number | undefined;
  /** The id of the item before the first; by default the list begins with its first item. */
  readonly after?: string | undefined;
}

/** A part of a list, in its order. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The id of the last item, if the list goes on after it; otherwise null. */
  readonly next: string | null;
}

/** How many items are read per call of the database, whose result is in memory. */
const READ_AT_A_TIME = 5000;

/**
 * Yields a list, or a part of it, page by page.
 * @param list returns a part
 */
export async function* pagesOf<P extends Page<unknown>>(
  { after, limit = Infinity }: PageOptions,
  list: (part: PageOptions) => Promise<P>,
): AsyncGenerator<P> {
  let [left, last] = [limit, after];
  while (left > 0) {
    const page = await list({ after: last, limit: Math.min(left, READ_AT_A_TIME) });
    yield page;
    if (page.next === null) return;
    left -= page.items.length;
    last = page.next;
  }
}

/** The order of a list: by a text of its items, which tells each from the others. */
export interface ListOrder<T> {
  readonly by: (item: T) => string;
  readonly isDescending: boolean;
  /** Whether an item that several databases have is one. */
  readonly isShared?: boolean;
}

/**
 * Reads a part of a list whose items are spread over databases, or as much of it as is read at a time.
 * @param read reads up to `count` items of a database, in the order, after the one with this text
 */
export async function readPage<T>(
  all: readonly OpenDatabase[],
  { after, limit = Infinity }: PageOptions,
  { by, isDescending, isShared = false }: ListOrder<T>,
  read: (database: OpenDatabase, after: string | undefined, count: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const count = Math.min(limit, READ_AT_A_TIME);
  // One more shows whether the list goes on.
  const found = (await onDatabases(all, (database) => read(database, after, count + 1))).flat();
  const each = isShared ? [...new Map(found.map((item) => [by(item), item])).values()] : found;
  const sorted = each.sort((one, other) => (by(one) < by(other) === isDescending ? 1 : -1));
  const items = sorted.slice(0, count);
  const last = items.at(-1);
  return { items, next: each.length > count && last !== undefined ? by(last) : null };
}
