import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { StoreAnswer } from '../request.ts';
import { Overload } from '../request.ts';
import type { Question, WooCommerceApi } from './api.ts';
import { SMALLEST_PAGE } from './page-size.ts';

/** Says that pages are smaller from now on, so that what was read of a list does not fit to them. */
export class SmallerPages extends Error {}

/** Says that the pages of a list do not belong together, as a predicate. */
export class ChangedList extends Error {}

/**
 * Asks a question of so many entries.
 * @throws SmallerPages if it was too large; Failure as `ask`
 */
export async function askInPages(
  api: WooCommerceApi,
  { path, query }: Question,
  size: number,
): Promise<StoreAnswer> {
  const { pageSize } = api;
  try {
    const sized = { ...query, per_page: `${size}` };
    const answer = await api.ask({ path, query: sized, tries: pageSize.tries });
    pageSize.works(size);
    return answer;
  } catch (error) {
    if (error instanceof Overload && pageSize.shrink(size)) throw new SmallerPages();
    throw error;
  }
}

/** What is read of the API by its pages. */
export interface ListQuestion {
  readonly path: string;
  /** What it has, for sentences: `products`. */
  readonly nouns: string;
  /** The fields that are asked for, such as `id,name`. Nothing else is held, whatever the store gives. */
  readonly fields: string;
}

interface PagePlace {
  readonly number: number;
  readonly size: number;
  /** How many entries the list had before; undefined if nobody knows. */
  readonly total: number | undefined;
}

export interface Page extends PagePlace {
  readonly entries: readonly JsonObject[];
  readonly ids: readonly number[];
  /** How many entries it should have. */
  readonly expected: number;
  /** How many the whole list has. */
  readonly total: number;
}

/**
 * Asks for a page of a list, in the order of the ids.
 * @returns undefined if the store has no such list
 * @throws ChangedList if the list has another total now; as `askInPages`
 */
export async function askForPage(
  api: WooCommerceApi,
  { path, nouns, fields }: ListQuestion,
  { number, size, total: before }: PagePlace,
): Promise<Page | undefined> {
  const query = { _fields: fields, orderby: 'id', order: 'asc', page: `${number}` };
  const { status, json, headers } = await askInPages(api, { path, query }, size);
  if (status === 404) return undefined;
  const total = Number(headers.get('X-WP-Total') ?? NaN);
  if (!Array.isArray(json) || !json.every(isJsonObject) || !Number.isSafeInteger(total)) {
    throw api.failure(
      `answered page ${number} of its ${nouns} with no list, or without the header X-WP-Total. A plugin, a cache or a proxy may be in between.`,
    );
  }
  if (before !== undefined && total !== before) {
    throw new ChangedList(`had ${before} ${nouns} and then ${total} while they were read`);
  }
  const ids = json.map(({ id }) => Number(id));
  const expected = Math.min(size, total - (number - 1) * size);
  return { number, size, total, entries: json, ids, expected };
}

/**
 * Whether a page was cut: the store gives fewer entries than it is asked for, and has more in their place. The last of them are
 * asked for by a small page.
 * @throws as `askForPage`
 */
export async function isCut(api: WooCommerceApi, list: ListQuestion, page: Page): Promise<boolean> {
  const { number, size, total, ids, expected } = page;
  if (ids.length === expected || size <= SMALLEST_PAGE) return false;
  const last = (number - 1) * size + expected;
  const place = { number: Math.ceil(last / SMALLEST_PAGE), size: SMALLEST_PAGE, total };
  const end = await askForPage(api, list, place);
  return end?.ids.some((id) => !ids.includes(id)) ?? false;
}
