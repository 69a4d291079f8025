import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import type { Refused, TooLarge, WooCommerceApi } from './api.ts';
import type { PageAttempt } from './adaptive-page-size.ts';

/** What is read of the API by its pages. */
export interface ListQuestion {
  readonly path: string;
  /** What it has, for sentences: `products`. */
  readonly nouns: string;
  /** The fields that are asked for, such as `id,name`. Nothing else is held, whatever the store gives. */
  readonly fields: string;
  /** Called with each page, with what has been read and the total. */
  readonly onPage?: ((done: number, total: number) => void) | undefined;
}

interface PagePlace extends PageAttempt {
  readonly number: number;
  /** How many entries the list had before; undefined if nobody knows. */
  readonly total: number | undefined;
}

export interface Page {
  readonly found: 'page';
  readonly number: number;
  readonly size: number;
  readonly entries: readonly JsonObject[];
  readonly ids: readonly number[];
  /** How many entries it should have. */
  readonly expected: number;
  /** How many the whole list has. */
  readonly total: number;
  /** How much memory it takes. */
  readonly bytes: number;
}

/** The pages of a list do not belong together, so it is to be read again. */
export interface Changed {
  readonly found: 'changed';
  /** What the store did, behind its name: `had 3 products and then 2 while they were read`. */
  readonly why: string;
}

/** The store has no such list. */
export interface Absent {
  readonly found: 'absent';
}

/** Asks for a page of a list, in the order of the ids. */
export async function askForPage(
  api: WooCommerceApi,
  { path, nouns, fields }: ListQuestion,
  { number, size, tries, total: before }: PagePlace,
): Promise<Page | Changed | TooLarge | Absent | Refused> {
  const order = { _fields: fields, orderby: 'id', order: 'asc' };
  const query = { ...order, page: `${number}`, per_page: `${size}` };
  const answered = await api.askForMany({ path, query, tries });
  if (answered.found !== 'answer') return answered;
  const { status, json, headers, bytes } = answered.answer;
  if (status === 404) return { found: 'absent' };
  const total = Number(headers.get('X-WP-Total') ?? NaN);
  if (!Array.isArray(json) || !json.every(isJsonObject) || !Number.isSafeInteger(total)) {
    const { message } = api.failure(
      `answered page ${number} of its ${nouns} with no list, or without the header X-WP-Total. A plugin, a cache or a proxy may be in between.`,
    );
    return { found: 'refused', why: message };
  }
  if (before !== undefined && total !== before) {
    const why = `had ${before} ${nouns} and then ${total} while they were read`;
    return { found: 'changed', why };
  }
  const ids = json.map(({ id }) => Number(id));
  const expected = Math.min(size, total - (number - 1) * size);
  return { found: 'page', number, size, total, entries: json, ids, expected, bytes };
}
