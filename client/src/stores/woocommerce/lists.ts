import type { JsonObject } from '../json-values.ts';
import { isJsonObject } from '../json-values.ts';
import type { Question, WooCommerceApi } from './api.ts';
import type { Hole } from './holes.ts';

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
  question: Question,
  options: ReadListOptions,
): Promise<List | undefined> {
  let before: string | undefined;
  for (let tried = 1; ; tried++) {
    let reason = `gave other ${options.nouns} each time`;
    try {
      const list = await readOnce(api, question, options);
      if (list === undefined || list.holes.length === 0) return list;
      const holes = JSON.stringify([list.objects.length, list.holes]);
      if (holes === before) return list;
      before = holes;
    } catch (error) {
      if (!(error instanceof ChangedList)) throw error;
      reason = error.message;
      before = undefined;
    }
    if (tried < TRIES) continue;
    throw api.failure(
      `${reason}, ${TRIES} times in a row. Run the command again when nobody changes it.`,
    );
  }
}

/** The same without a second try. @returns undefined also if the list is not whole, or its pages do not belong together */
export async function readListIfWhole(
  api: WooCommerceApi,
  question: Question,
  options: ReadListOptions,
): Promise<readonly JsonObject[] | undefined> {
  try {
    const list = await readOnce(api, question, options);
    return list?.holes.length === 0 ? list.objects : undefined;
  } catch (error) {
    if (error instanceof ChangedList) return undefined;
    throw error;
  }
}

async function readOnce(
  api: WooCommerceApi,
  { path, query }: Question,
  { nouns, onPage }: ReadListOptions,
): Promise<List | undefined> {
  const objects: JsonObject[] = [];
  const short: { count: number; after: number | undefined; at: number }[] = [];
  let total = 0;
  for (let page = 1; page === 1 || (page - 1) * PAGE < total; page++) {
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
    if (page > 1 && count !== total) {
      throw new ChangedList(`had ${total} ${nouns} and then ${count} while they were read`);
    }
    total = count;
    const expected = Math.min(PAGE, total - (page - 1) * PAGE);
    if (body.length > expected) {
      throw new ChangedList(`gave ${body.length} ${nouns} on page ${page} in place of ${expected}`);
    }
    const after = idOf(objects.at(-1));
    for (const object of body) {
      if (!(Number(object['id']) > (idOf(objects.at(-1)) ?? -1))) {
        throw new ChangedList(`gave its ${nouns} twice, or not in the order of their ids`);
      }
      objects.push(object);
    }
    if (body.length < expected) {
      short.push({ count: expected - body.length, after, at: objects.length });
    }
    // A store that gives less than half is no store with a hole.
    if (page * PAGE > 2 * objects.length + PAGE && page * PAGE < total) {
      throw new ChangedList(`gave ${objects.length} of its first ${page * PAGE} ${nouns}`);
    }
    onPage?.(objects.length, total);
  }
  const holes = short.map(({ count, after, at }) => ({
    nouns,
    count,
    after,
    before: idOf(objects[at]),
  }));
  return { objects, holes };
}

function idOf(object: JsonObject | undefined): number | undefined {
  return object === undefined ? undefined : Number(object['id']);
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
