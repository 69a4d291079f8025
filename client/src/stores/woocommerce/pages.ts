import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { Overload } from '../request.ts';
import type { ApiAnswer, Question, WooCommerceApi } from './api.ts';

/** Says that pages are smaller from now on, so that what was read of a list does not fit to them. */
export class SmallerPages extends Error {}

/** Says that the pages of a list do not belong together, as a predicate. */
export class ChangedList extends Error {}

/** A page of a list. */
export interface Page {
  readonly entries: readonly JsonObject[];
  /** How many the whole list has. */
  readonly total: number;
}

/** Which page is asked for, and what of, in a sentence: `products`. */
export interface PageOptions {
  readonly number: number;
  readonly size: number;
  readonly nouns: string;
}

/**
 * Asks a question of so many entries.
 * @throws SmallerPages if it was too large; Failure as `ask`
 */
export async function askInPages(
  api: WooCommerceApi,
  { path, query }: Question,
  size: number,
): Promise<ApiAnswer> {
  const { pageSize } = api;
  try {
    const answer = await api.ask({
      path,
      query: { ...query, per_page: `${size}` },
      tries: pageSize.tries,
    });
    pageSize.works(size);
    return answer;
  } catch (error) {
    if (error instanceof Overload && pageSize.shrink(size)) throw new SmallerPages();
    throw error;
  }
}

/**
 * Asks for a page of a list, in the order of the ids.
 * @returns undefined if the store has no such list
 * @throws as `askInPages`
 */
export async function askForPage(
  api: WooCommerceApi,
  question: Question,
  options: PageOptions,
): Promise<Page | undefined> {
  const answer = await askInPages(api, pageOf(question, options), options.size);
  return answer.status === 404 ? undefined : pageIn(answer, api, options);
}

/** The size of pages that every host gives. */
export const SMALLEST_PAGE = 10;

/**
 * Whether a page that is too short was cut: the store gives fewer entries than it is asked for, and has more in their place. The
 * last of them are asked for by a small page.
 * @param expected how many the page should have
 * @throws ChangedList, or Failure as `ask`
 */
export async function isCut(
  api: WooCommerceApi,
  question: Question,
  { entries, total }: Page,
  { number, size, nouns }: PageOptions,
  expected: number,
): Promise<boolean> {
  if (size <= SMALLEST_PAGE) return false;
  const last = (number - 1) * size + expected;
  const options = { number: Math.ceil(last / SMALLEST_PAGE), size: SMALLEST_PAGE, nouns };
  const { path, query } = pageOf(question, options);
  const answer = await api.ask({ path, query: { ...query, per_page: `${SMALLEST_PAGE}` } });
  const end = pageIn(answer, api, options);
  if (end.total !== total) {
    throw new ChangedList(`had ${total} ${nouns} and then ${end.total} while they were read`);
  }
  const there = new Set(entries.map(({ id }) => id));
  return end.entries.some(({ id }) => !there.has(id));
}

function pageOf({ path, query }: Question, { number }: PageOptions): Question {
  return { path, query: { ...query, orderby: 'id', order: 'asc', page: `${number}` } };
}

function pageIn(
  { body, headers }: ApiAnswer,
  api: WooCommerceApi,
  { number, nouns }: PageOptions,
): Page {
  const total = Number(headers.get('X-WP-Total') ?? NaN);
  if (Array.isArray(body) && body.every(isJsonObject) && Number.isSafeInteger(total)) {
    return { entries: body, total };
  }
  throw api.failure(
    `answered page ${number} of its ${nouns} with no list, or without the header X-WP-Total. A plugin, a cache or a proxy may be in between.`,
  );
}
