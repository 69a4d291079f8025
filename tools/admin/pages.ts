/** The part of a list to read. */
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
const AT_A_TIME = 5000;

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
    const page = await list({ after: last, limit: Math.min(left, AT_A_TIME) });
    yield page;
    if (page.next === null) return;
    left -= page.items.length;
    last = page.next;
  }
}

/**
 * Reads a list, or a part of it.
 * @param read reads up to `count` items after the one with this id
 */
export async function readPage<T>(
  { after, limit = Infinity }: PageOptions,
  idOf: (item: T) => string,
  read: (after: string | undefined, count: number) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const items: T[] = [];
  for (let next = after; ;) {
    const count = Math.min(limit - items.length, AT_A_TIME);
    // One more shows whether the list goes on.
    const found = await read(next, count + 1);
    items.push(...found.slice(0, count));
    const last = items.at(-1);
    if (found.length <= count || last === undefined) return { items, next: null };
    next = idOf(last);
    if (items.length === limit) return { items, next };
  }
}

/**
 * Makes one page of those of several databases.
 * @param isBefore whether an item comes before another one
 */
export function mergePages<T>(
  pages: readonly Page<T>[],
  idOf: (item: T) => string,
  isBefore: (one: T, other: T) => boolean,
  limit?: number,
): Page<T> {
  const all = pages.flatMap(({ items }) => items);
  const sorted = all.sort((one, other) => (isBefore(one, other) ? -1 : 1));
  const items = sorted.slice(0, limit);
  const last = items.at(-1);
  const goesOn = items.length < all.length || pages.some(({ next }) => next !== null);
  return { items, next: goesOn && last !== undefined ? idOf(last) : null };
}

/** How many databases are asked at the same time: each call of wrangler is a process. */
const AT_ONCE = 4;

/** Does the same for all, some at a time, and returns the results in their order. */
export async function inGroups<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(act))));
  }
  return results;
}
