import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import type { Question, WooCommerceApi } from './api.ts';

const PAGE = 100;

/** How often a list is read from its start, if it changes while it is read. */
const TRIES = 3;

/** How many requests are sent at once. */
const AT_ONCE = 4;

/** Says that the pages of a list do not belong together, as a predicate. */
class ChangedList extends Error {}

export interface ReadListOptions {
  /** What it has, for sentences: `products`. */
  readonly nouns: string;
  /** Called after each page. */
  readonly onPage?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads a list to its end, ordered by id. A deletion between two pages moves a later entry to a page that was read already, and
 * the total tells it.
 * @returns undefined if the store has no such list
 * @throws Failure if the pages never fit together, or as `ask`
 */
export async function readList(
  api: WooCommerceApi,
  question: Question,
  options: ReadListOptions,
): Promise<JsonObject[] | undefined> {
  for (let tried = 1; ; tried++) {
    try {
      return await readOnce(api, question, options);
    } catch (error) {
      if (!(error instanceof ChangedList)) throw error;
      if (tried < TRIES) continue;
      throw api.failure(
        `${error.message}, ${TRIES} times in a row. Run the command again when nobody changes it.`,
      );
    }
  }
}

/** The same without a second try. @returns undefined also if its pages do not belong together */
export async function readListIfWhole(
  api: WooCommerceApi,
  question: Question,
  options: ReadListOptions,
): Promise<JsonObject[] | undefined> {
  try {
    return await readOnce(api, question, options);
  } catch (error) {
    if (error instanceof ChangedList) return undefined;
    throw error;
  }
}

async function readOnce(
  api: WooCommerceApi,
  { path, query }: Question,
  { nouns, onPage }: ReadListOptions,
): Promise<JsonObject[] | undefined> {
  const objects: JsonObject[] = [];
  let total: number | undefined;
  let lastId = -1;
  for (let page = 1; total === undefined || objects.length < total; page++) {
    const { status, body, headers } = await api.ask({
      path,
      query: { ...query, orderby: 'id', order: 'asc', per_page: `${PAGE}`, page: `${page}` },
    });
    if (status === 404) return undefined;
    const count = Number(headers.get('X-WP-Total') ?? NaN);
    if (!Array.isArray(body) || !body.every(isJsonObject) || !Number.isSafeInteger(count)) {
      throw api.failure(
        `answered page ${page} of its ${nouns} with no list, or without the header X-WP-Total. A plugin, a cache or a proxy may be in between.`,
      );
    }
    if (count !== (total ?? count)) {
      throw new ChangedList(`had ${total ?? 0} ${nouns} and then ${count} while they were read`);
    }
    total = count;
    const expected = Math.min(PAGE, total - objects.length);
    if (body.length !== expected) {
      throw new ChangedList(`gave ${body.length} ${nouns} on page ${page} in place of ${expected}`);
    }
    for (const object of body) {
      const id = Number(object['id']);
      if (!(id > lastId)) {
        throw new ChangedList(`gave its ${nouns} twice, or not in the order of their ids`);
      }
      lastId = id;
      objects.push(object);
    }
    onPage?.(objects.length, total);
  }
  return objects;
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
