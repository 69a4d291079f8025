import type { HeldMemory } from '../memory.ts';
import type { JsonObject } from '../json.ts';
import type { WooCommerceApi } from './api.ts';
import type { Hole, ShortPage } from './holes.ts';
import { holesIn } from './holes.ts';
import { keptOf } from './kept.ts';
import type { ListQuestion, Page } from './pages.ts';
import { askForPage, ChangedList, isCut, SmallerPages } from './pages.ts';

/** How often a list is read from its start, until a reading is whole, or is like the one before. */
const MOST_READINGS = 3;

export interface ListOptions extends ListQuestion {
  /** What all lists together hold. */
  readonly held: HeldMemory;
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
export async function readList(api: WooCommerceApi, list: ListOptions): Promise<List | undefined> {
  let before: string | undefined;
  let reason = '';
  for (let reading = 1; reading <= MOST_READINGS; reading++) {
    const pages = await readOnce(api, list);
    if (pages === undefined) return undefined;
    if (pages instanceof ChangedList) {
      before = undefined;
      reason = pages.message;
      continue;
    }
    const { objects, short } = pages;
    const found = JSON.stringify([objects.length, short]);
    if (short.length === 0 || found === before) {
      return { objects, holes: await holesIn(api, list, objects, short) };
    }
    before = found;
    reason = `gave other ${list.nouns} each time`;
    pages.free();
  }
  throw api.failure(
    `${reason}, ${MOST_READINGS} times in a row. Run the command again when nobody changes it.`,
  );
}

/** The same with one reading. @returns undefined also if the list is not whole, or its pages do not belong together */
export async function readListIfWhole(
  api: WooCommerceApi,
  list: ListOptions,
): Promise<readonly JsonObject[] | undefined> {
  const pages = await readOnce(api, list);
  if (!(pages instanceof Reading)) return undefined;
  if (pages.short.length === 0) return pages.objects;
  pages.free();
  return undefined;
}

/** Reads a list once, with pages of the size that the store gives. @returns why they do not belong together, if they do not */
async function readOnce(
  api: WooCommerceApi,
  list: ListOptions,
): Promise<Reading | ChangedList | undefined> {
  for (;;) {
    const reading = new Reading(list);
    try {
      return await reading.read(api);
    } catch (error) {
      reading.free();
      if (error instanceof ChangedList) return error;
      if (!(error instanceof SmallerPages)) throw error;
    }
  }
}

const NO_QUERY =
  'The server seems to drop the query of a request, which is all behind its question mark: for nginx, try_files must end with /index.php?$args. A plugin may do so too.';

/** The reading of a list, from its first page on. */
class Reading {
  readonly objects: JsonObject[] = [];
  readonly short: ShortPage[] = [];
  readonly #list: ListOptions;
  #bytes = 0;
  #missing = 0;
  #firstPage = '';

  constructor(list: ListOptions) {
    this.#list = list;
  }

  /** @throws SmallerPages, ChangedList, or Failure as `ask` */
  async read(api: WooCommerceApi): Promise<this | undefined> {
    const size = api.pageSize.now;
    let total: number | undefined;
    for (let number = 1; total === undefined || (number - 1) * size < total; number++) {
      const page = await askForPage(api, this.#list, { number, size, total });
      if (page === undefined) return undefined;
      this.#check(api, page);
      if (await isCut(api, this.#list, page)) {
        api.pageSize.shrink(size);
        throw new SmallerPages();
      }
      this.#add(page);
      total = page.total;
      this.#list.onPage?.(this.objects.length, total);
    }
    return this;
  }

  /** Says that what was read is no longer needed. */
  free(): void {
    this.#list.held.free(this.#bytes);
  }

  #check(api: WooCommerceApi, { number, ids, expected }: Page): void {
    const { nouns } = this.#list;
    if (ids.length > expected) {
      throw new ChangedList(
        `gave ${ids.length} ${nouns} on page ${number} in place of ${expected}`,
      );
    }
    // Within a page, no change of the store can do that.
    if (ids.some((id, index) => id < (ids[index - 1] ?? id))) {
      throw api.failure(`gave its ${nouns} in another order than that of their ids. ${NO_QUERY}`);
    }
    if (number === 1) this.#firstPage = ids.join();
    else if (ids.length > 0 && ids.join() === this.#firstPage) {
      throw api.failure(`gave its first page of ${nouns} again as page ${number}. ${NO_QUERY}`);
    }
    const all = [...this.objects.slice(-1).map(({ id }) => Number(id)), ...ids];
    if (!all.every((id, index) => id > (all[index - 1] ?? -1))) {
      throw new ChangedList(`gave ${nouns} twice, or without an id`);
    }
  }

  #add({ number, size, total, entries, ids, expected }: Page): void {
    const { nouns, fields, held } = this.#list;
    if (ids.length < expected) {
      this.short.push({ number, size, total, ids, expected, at: this.objects.length });
    }
    for (const entry of entries) {
      const kept = keptOf(entry, fields);
      this.#bytes += held.add(kept);
      this.objects.push(kept);
    }
    this.#missing += expected - ids.length;
    const { length } = this.objects;
    // That is no store with a hole.
    if (this.#missing > Math.max(size, length)) {
      throw new ChangedList(`gave only ${length} of ${length + this.#missing} ${nouns}`);
    }
  }
}
