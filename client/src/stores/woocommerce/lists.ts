import type { HeldMemory } from '../memory.ts';
import type { JsonObject } from '../json.ts';
import type { Question, WooCommerceApi } from './api.ts';
import type { Hole } from './holes.ts';
import { keptOf } from './kept.ts';
import type { PageOptions } from './pages.ts';
import { askForPage, ChangedList, isCut, SmallerPages } from './pages.ts';
import type { ShortPage } from './short-pages.ts';
import { holesIn } from './short-pages.ts';

/** How often a list is read from its start, until a reading is whole, or is like the one before. */
const READINGS = 3;

/** How many requests are sent at once. */
const AT_ONCE = 4;

export interface ReadListOptions {
  /** What it has, for sentences: `products`. */
  readonly nouns: string;
  /** The fields that are asked for. Nothing else is held, whatever the store gives. */
  readonly fields: readonly string[];
  /** What all lists together hold. */
  readonly held: HeldMemory;
  /** Called after each page. */
  readonly onPage?: ((done: number, total: number) => void) | undefined;
}

/** A list that was read to its end. */
export interface List {
  readonly objects: readonly JsonObject[];
  /** The parts of it that the store counts and does not give. */
  readonly holes: readonly Hole[];
}

/**
 * Reads a list to its end, ordered by id. A deletion between two pages moves a later entry to a page that was read already, and
 * the total tells it. What is short in the same way twice is not changing: the store has a hole.
 * @returns undefined if the store has no such list
 * @throws Failure if the pages never fit together, or as `ask`
 */
export async function readList(
  api: WooCommerceApi,
  path: string,
  options: ReadListOptions,
): Promise<List | undefined> {
  let before: string | undefined;
  let reason = '';
  for (let reading = 1; reading <= READINGS; reading++) {
    try {
      const list = await readOnce(api, path, options);
      if (list === undefined) return undefined;
      const { objects, short } = list;
      if (short.length === 0) return { objects, holes: [] };
      const found = JSON.stringify([objects.length, short]);
      if (found === before) {
        return { objects, holes: await holesIn(api, questionOf(path, options), short) };
      }
      before = found;
      reason = `gave other ${options.nouns} each time`;
      options.held.free(list.bytes);
    } catch (error) {
      if (!(error instanceof ChangedList)) throw error;
      before = undefined;
      reason = error.message;
    }
  }
  throw api.failure(
    `${reason}, ${READINGS} times in a row. Run the command again when nobody changes it.`,
  );
}

/** The same with one reading. @returns undefined also if the list is not whole, or its pages do not belong together */
export async function readListIfWhole(
  api: WooCommerceApi,
  path: string,
  options: ReadListOptions,
): Promise<readonly JsonObject[] | undefined> {
  try {
    const list = await readOnce(api, path, options);
    if (list === undefined || list.short.length === 0) return list?.objects;
    options.held.free(list.bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ChangedList) return undefined;
    throw error;
  }
}

/** The pages of a list, as one reading gives them. */
interface Pages {
  readonly objects: readonly JsonObject[];
  readonly short: readonly ShortPage[];
  readonly bytes: number;
}

function questionOf(path: string, { fields }: ReadListOptions): Question {
  return { path, query: { _fields: fields.join() } };
}

/** Reads a list once, with pages of the size that the store gives. */
async function readOnce(
  api: WooCommerceApi,
  path: string,
  options: ReadListOptions,
): Promise<Pages | undefined> {
  for (;;) {
    const reading = new Reading(options, api.pageSize.now);
    try {
      return await reading.read(api, path);
    } catch (error) {
      options.held.free(reading.bytes);
      if (!(error instanceof SmallerPages)) throw error;
    }
  }
}

const NO_QUERY =
  'The server seems to drop the query of a request, which is all behind its question mark: for nginx, try_files must end with /index.php?$args. A plugin may do so too.';

/** The reading of a list, from its first page on. */
class Reading {
  bytes = 0;
  readonly #options: ReadListOptions;
  readonly #size: number;
  readonly #objects: JsonObject[] = [];
  readonly #short: { -readonly [K in keyof ShortPage]: ShortPage[K] }[] = [];
  #firstPage = '';

  constructor(options: ReadListOptions, size: number) {
    this.#options = options;
    this.#size = size;
  }

  /** @throws SmallerPages, ChangedList, or Failure as `ask` */
  async read(api: WooCommerceApi, path: string): Promise<Pages | undefined> {
    const { nouns, onPage } = this.#options;
    const question = questionOf(path, this.#options);
    const size = this.#size;
    let total = 0;
    for (let number = 1; number === 1 || (number - 1) * size < total; number++) {
      const options = { number, size, nouns };
      const page = await askForPage(api, question, options);
      if (page === undefined) return undefined;
      if (number > 1 && page.total !== total) {
        throw new ChangedList(`had ${total} ${nouns} and then ${page.total} while they were read`);
      }
      total = page.total;
      const expected = Math.min(size, total - (number - 1) * size);
      const { length } = page.entries;
      if (length > expected) {
        throw new ChangedList(`gave ${length} ${nouns} on page ${number} in place of ${expected}`);
      }
      this.#checkOrder(api, page.entries, number);
      if (length < expected && (await isCut(api, question, page, options, expected))) {
        api.pageSize.shrink(size);
        throw new SmallerPages();
      }
      this.#add(page.entries, { ...options, expected });
      onPage?.(this.#objects.length, total);
    }
    return { objects: this.#objects, short: this.#short, bytes: this.bytes };
  }

  /** Within a page, no change of the store can put the ids out of their order. */
  #checkOrder(api: WooCommerceApi, entries: readonly JsonObject[], number: number): void {
    const { nouns } = this.#options;
    const ids = entries.map(numberOfEntry);
    if (ids.some((id, index) => id < (ids[index - 1] ?? id))) {
      throw api.failure(`gave its ${nouns} in another order than that of their ids. ${NO_QUERY}`);
    }
    if (number === 1) this.#firstPage = ids.join();
    else if (ids.length > 0 && ids.join() === this.#firstPage) {
      throw api.failure(`gave its first page of ${nouns} again as page ${number}. ${NO_QUERY}`);
    }
    const all = [...this.#objects.slice(-1).map(numberOfEntry), ...ids];
    if (!all.every((id, index) => id > (all[index - 1] ?? -1))) {
      throw new ChangedList(`gave ${nouns} twice, or without an id`);
    }
  }

  #add(entries: readonly JsonObject[], page: PageOptions & { readonly expected: number }): void {
    const { fields, held } = this.#options;
    const ids = entries.map(numberOfEntry);
    const [after] = this.#objects.slice(-1).map(numberOfEntry);
    const [before] = ids;
    if (before !== undefined) for (const one of this.#short) one.before ??= before;
    for (const entry of entries) {
      const kept = keptOf(entry, fields);
      this.bytes += held.add(kept);
      this.#objects.push(kept);
    }
    if (entries.length === page.expected) return;
    this.#short.push({ ...page, ids, after, before: undefined });
    const at = this.#objects.length;
    const missing = this.#short.reduce((sum, one) => sum + one.expected - one.ids.length, 0);
    // That is no store with a hole.
    if (missing > this.#size && missing > at) {
      throw new ChangedList(`gave only ${at} of ${at + missing} ${this.#options.nouns}`);
    }
  }
}

function numberOfEntry({ id }: JsonObject): number {
  return Number(id);
}

/** Asks for each value, several at a time. @returns the answers in the order of the values */
export async function askForEach<T, R>(
  values: readonly T[],
  ask: (value: T) => Promise<R>,
): Promise<R[]> {
  const answers: R[] = [];
  const rest = values.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, value] of rest) {
      if (hasFailed) return;
      try {
        answers[index] = await ask(value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}
