import { Failure } from '../../../../common/failure.ts';
import type { HeldMemory } from '../memory.ts';
import type { JsonObject } from '../json-values.ts';
import type { TooLarge, WooCommerceApi } from './api.ts';
import { askedPart } from './asked-fields.ts';
import type { Hole, ShortPage } from './holes.ts';
import { holesIn } from './holes.ts';
import type { PageAttempt, AdaptivePageSize } from './adaptive-page-size.ts';
import { SMALLEST_PAGE } from './adaptive-page-size.ts';
import type { Absent, Changed, ListQuestion, Page } from './list-pages.ts';
import { askForPage } from './list-pages.ts';

/** How often a list is read from its start, until an attempt gives all of it, or the same as the one before. */
const MOST_ATTEMPTS = 3;

/** A list that was read to its end. */
export interface List {
  readonly objects: readonly JsonObject[];
  /** The parts of it that the store counts and does not give. */
  readonly holes: readonly Hole[];
}

/** What one attempt to read a list found, from its first page to its last. */
type Attempt = Whole | Short | Changed | TooLarge | Absent;

interface Whole {
  readonly found: 'whole';
  readonly objects: readonly JsonObject[];
}

/** Some pages have fewer entries than the store counts there. */
interface Short {
  readonly found: 'short';
  readonly objects: readonly JsonObject[];
  readonly pages: readonly ShortPage[];
}

/** Reads the lists of one store. What they hold counts together, and so does what they find out about its pages. */
export class ListReader {
  readonly #api: WooCommerceApi;
  readonly #pageSize: AdaptivePageSize;
  readonly #memory: HeldMemory;

  constructor(api: WooCommerceApi, pageSize: AdaptivePageSize, memory: HeldMemory) {
    this.#api = api;
    this.#pageSize = pageSize;
    this.#memory = memory;
  }

  /**
   * Reads a list to its end, ordered by id. A deletion between two pages moves a later entry to a page that was read already, and
   * the total tells it. What is short in the same way twice is not changing: the store has a hole.
   * @returns undefined if the store has no such list
   * @throws Failure if the pages never fit together, or the store refuses one
   */
  async read(list: ListQuestion): Promise<List | undefined> {
    let before: string | undefined;
    let why = '';
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const held = this.#memory.part();
      const read = await this.#readOnce(list, held);
      switch (read.found) {
        case 'absent':
          return undefined;
        case 'whole':
          return { objects: read.objects, holes: [] };
        case 'changed':
          before = undefined;
          why = read.why;
          break;
        case 'short': {
          const { objects, pages } = read;
          const shape = JSON.stringify([objects.length, pages]);
          if (shape === before) {
            return { objects, holes: await holesIn(this.#api, list, objects, pages) };
          }
          before = shape;
          why = `gave other ${list.nouns} each time`;
        }
      }
      held.free();
    }
    throw this.#api.failure(
      `${why}, ${MOST_ATTEMPTS} times in a row. Run the command again when nobody changes it.`,
    );
  }

  /** The same with one attempt. @returns undefined also if the list is not whole */
  async readIfWhole(list: ListQuestion): Promise<readonly JsonObject[] | undefined> {
    const held = this.#memory.part();
    const read = await this.#readOnce(list, held);
    if (read.found === 'whole') return read.objects;
    held.free();
    return undefined;
  }

  #readOnce(list: ListQuestion, held: HeldMemory): Promise<Exclude<Attempt, TooLarge>> {
    return this.#pageSize.fit(async (page) => {
      const read = await readPages(this.#api, list, page, held);
      if (read.found === 'tooLarge') held.free();
      return read;
    });
  }
}

/**
 * Reads a list once, with pages of one size.
 * @throws Failure if the store refuses a page, or gives what no change of the store explains
 */
async function readPages(
  api: WooCommerceApi,
  list: ListQuestion,
  { size, tries }: PageAttempt,
  held: HeldMemory,
): Promise<Attempt> {
  const { nouns, fields, onPage } = list;
  const objects: JsonObject[] = [];
  const pages: ShortPage[] = [];
  let first: Page | undefined;
  let shortBy = 0;
  for (let number = 1; (number - 1) * size < (first?.total ?? 1); number++) {
    const total = first?.total;
    // Once a page has come, the size is not to blame for a lost answer.
    const place = { number, size, total, tries: first === undefined ? tries : undefined };
    const page = await askForPage(api, list, place);
    if (page.found === 'refused') throw new Failure(page.why);
    if (page.found !== 'page') return page;
    const misfit = misfitOf(api, nouns, page, first, objects.at(-1));
    if (misfit !== undefined) return misfit;
    first ??= page;
    const { entries, ids, expected } = page;
    if (ids.length < expected) {
      const cut = await cutIn(api, list, page);
      if (cut !== undefined) return cut;
      pages.push({ number, size, total: page.total, ids, expected, at: objects.length });
    }
    held.hold(page);
    objects.push(...entries.map((entry) => askedPart(entry, fields)));
    shortBy += expected - ids.length;
    // That is no store with a hole.
    if (shortBy > Math.max(size, objects.length)) {
      const why = `gave only ${objects.length} of ${objects.length + shortBy} ${nouns}`;
      return { found: 'changed', why };
    }
    onPage?.(objects.length, page.total);
  }
  return pages.length === 0 ? { found: 'whole', objects } : { found: 'short', objects, pages };
}

const NO_QUERY =
  'The server seems to drop the query of a request, which is all behind its question mark: for nginx, try_files must end with /index.php?$args. A plugin may do so too.';

/**
 * Says why a page does not follow the first one and the last entry before it.
 * @throws Failure if no change of the store explains it
 */
function misfitOf(
  api: WooCommerceApi,
  nouns: string,
  { number, ids, expected }: Page,
  first: Page | undefined,
  last: JsonObject | undefined,
): Changed | undefined {
  if (ids.length > expected) {
    const why = `gave ${ids.length} ${nouns} on page ${number} in place of ${expected}`;
    return { found: 'changed', why };
  }
  // Within a page, no change of the store can do that.
  if (ids.some((id, index) => id < (ids[index - 1] ?? id))) {
    throw api.failure(`gave its ${nouns} in another order than that of their ids. ${NO_QUERY}`);
  }
  if (ids.length > 0 && ids.join() === first?.ids.join()) {
    throw api.failure(`gave its first page of ${nouns} again as page ${number}. ${NO_QUERY}`);
  }
  const all = [last === undefined ? -1 : Number(last['id']), ...ids];
  const isAscending = ids.every((id, index) => id > (all[index] ?? -1));
  return isAscending
    ? undefined
    : { found: 'changed', why: `gave ${nouns} twice, or without an id` };
}

/**
 * Says that a short page was cut: the store gives fewer entries than it is asked for, and has more in their place. The last of
 * them are asked for by a small page.
 * @returns undefined if it was not
 * @throws Failure if that cannot be found out
 */
async function cutIn(
  api: WooCommerceApi,
  list: ListQuestion,
  { number, size, total, ids, expected }: Page,
): Promise<TooLarge | Changed | undefined> {
  if (size <= SMALLEST_PAGE) return undefined;
  const last = (number - 1) * size + expected;
  const place = { number: Math.ceil(last / SMALLEST_PAGE), size: SMALLEST_PAGE, total };
  const end = await askForPage(api, list, place);
  switch (end.found) {
    case 'refused':
    case 'tooLarge':
      throw new Failure(end.why);
    case 'changed':
      return end;
    case 'absent':
      return undefined;
    case 'page': {
      if (end.ids.every((id) => ids.includes(id))) return undefined;
      const what = `gives ${ids.length} of ${expected} ${list.nouns} on a page`;
      return { found: 'tooLarge', why: api.failure(`${what}.`).message };
    }
  }
}
