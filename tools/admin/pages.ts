/** The part of a list to read. */
export interface PageOptions {
  /** How many items at most; all by default. */
  readonly limit?: number | undefined;
  /** The id of the item before the first; by default the list begins with its first item. */
  readonly after?: string | undefined;
}

/** Some items of a list, in their order. */
export interface Chunk<T> {
  readonly items: readonly T[];
  /** The id of the last item, if the list goes on after it; otherwise null. */
  readonly next: string | null;
}

/** How many items are read per call of the database: a call of wrangler takes seconds, and its result is in memory. */
const CHUNK = 10_000;

/**
 * Reads a list, or a part of it, in chunks of bounded size: at least one, which may be empty.
 * @param read reads up to `count` items after the one with this id
 */
export async function* readChunks<T>(
  { after, limit = Infinity }: PageOptions,
  idOf: (item: T) => string,
  read: (after: string | undefined, count: number) => Promise<readonly T[]>,
): AsyncGenerator<Chunk<T>> {
  let last = after;
  for (let left = limit; left > 0; left -= CHUNK) {
    const count = Math.min(left, CHUNK);
    // One more shows whether the list goes on.
    const found = await read(last, count + 1);
    const items = found.slice(0, count);
    const end = items.at(-1);
    const hasMore = found.length > count;
    yield { items, next: hasMore && end !== undefined ? idOf(end) : null };
    if (!hasMore || end === undefined) return;
    last = idOf(end);
  }
}

/** Returns all items of a list. */
export async function allOf<T>(chunks: AsyncIterable<Chunk<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of chunks) all.push(...items);
  return all;
}
