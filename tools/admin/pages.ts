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

/** Reads one of several lists for a merge. */
class ListReader<T> {
  readonly #chunks: AsyncIterator<Chunk<T>, unknown>;
  #items: readonly T[] = [];
  #place = 0;
  /** Whether the list goes on after what was read of it. */
  #goesOn = true;

  constructor(chunks: AsyncIterable<Chunk<T>, unknown>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next item, once it was read; undefined at the end. */
  get head(): T | undefined {
    return this.#items[this.#place];
  }

  /** Whether the list has more items. They may be behind what was asked for. */
  get hasMore(): boolean {
    return this.head !== undefined || this.#goesOn;
  }

  /** Reads the next item, if it was not read yet. */
  async read(): Promise<void> {
    while (this.head === undefined) {
      const result = await this.#chunks.next();
      if (result.done) return;
      const { items, next } = result.value;
      [this.#items, this.#place, this.#goesOn] = [items, 0, next !== null];
    }
  }

  step(): void {
    this.#place += 1;
  }
}

/** How to merge lists. */
export interface Merge<T> extends Pick<PageOptions, 'limit'> {
  readonly idOf: (item: T) => string;
  /** Whether an item comes before another one. */
  readonly isBefore: (one: T, other: T) => boolean;
}

/**
 * Merges lists that have the same order into one of bounded chunks: at least one, which may be empty. A single list stays
 * as it is.
 */
export async function* mergeChunks<T>(
  lists: readonly AsyncIterable<Chunk<T>>[],
  { idOf, isBefore, limit = Infinity }: Merge<T>,
): AsyncGenerator<Chunk<T>> {
  const [only, ...others] = lists;
  if (only !== undefined && others.length === 0) {
    yield* only;
    return;
  }
  const readers = lists.map((list) => new ListReader(list));
  await inGroups(readers, (reader) => reader.read());
  let items: T[] = [];
  for (let left = limit; ; left--) {
    const first = firstOf(readers, isBefore);
    const last = items.at(-1);
    const isEnd = left === 0 || first?.head === undefined;
    if (isEnd || items.length === CHUNK) {
      const goesOn = readers.some(({ hasMore }) => hasMore);
      yield { items, next: goesOn && last !== undefined ? idOf(last) : null };
      items = [];
    }
    if (isEnd) return;
    items.push(first.head);
    first.step();
    await first.read();
  }
}

function firstOf<T>(
  readers: readonly ListReader<T>[],
  isBefore: Merge<T>['isBefore'],
): ListReader<T> | undefined {
  let first: ListReader<T> | undefined;
  for (const reader of readers) {
    if (reader.head === undefined) continue;
    if (first?.head === undefined || isBefore(reader.head, first.head)) first = reader;
  }
  return first;
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

/** Returns all items of a list. */
export async function allOf<T>(chunks: AsyncIterable<Chunk<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const { items } of chunks) all.push(...items);
  return all;
}
