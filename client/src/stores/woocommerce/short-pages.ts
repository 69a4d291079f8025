import { Failure } from '../failure.ts';
import type { Question, WooCommerceApi } from './api.ts';
import type { Hole } from './holes.ts';
import type { PageOptions } from './pages.ts';
import { askForPage, SmallerPages, SMALLEST_PAGE } from './pages.ts';

/** A page of a list with fewer entries than the store counts there. */
export interface ShortPage extends PageOptions {
  readonly expected: number;
  readonly ids: readonly number[];
  /** The id of the last entry before the page, and of the first one behind it; undefined if there is none. */
  readonly after: number | undefined;
  readonly before: number | undefined;
}

/** Returns what pages lack, between the two entries next to it, so that a person finds it. */
export async function holesIn(
  api: WooCommerceApi,
  question: Question,
  pages: readonly ShortPage[],
): Promise<Hole[]> {
  const holes: Hole[] = [];
  for (const page of pages) {
    const { nouns, expected, ids, after, before } = page;
    const places = await placesIn(api, question, page).catch((error: unknown) => {
      // The list is read: where it lacks something is then less exact.
      if (error instanceof SmallerPages || error instanceof Failure) return [];
      throw error;
    });
    const isSure = places.filter((id) => id !== undefined).join() === ids.join();
    if (isSure) holes.push(...runsIn(places, page));
    else holes.push({ nouns, count: expected - ids.length, after, before });
  }
  return holes;
}

type PlacedPage = PageOptions & Pick<ShortPage, 'expected' | 'ids'>;

/** Returns the id at each place of a page, undefined for one that is missing: it is read again in parts, if it is short. */
async function placesIn(
  api: WooCommerceApi,
  question: Question,
  { number, size, nouns, expected, ids }: PlacedPage,
): Promise<(number | undefined)[]> {
  if (ids.length === expected) return [...ids];
  if (ids.length === 0) return Array.from({ length: expected }, () => undefined);
  const part = size > SMALLEST_PAGE ? SMALLEST_PAGE : 1;
  const places: (number | undefined)[] = [];
  for (let at = 0; at < expected; at += part) {
    const options = { number: ((number - 1) * size + at) / part + 1, size: part, nouns };
    const page = await askForPage(api, question, options);
    const partIds = (page?.entries ?? []).map(({ id }) => Number(id));
    const most = Math.min(part, expected - at);
    // A store that gives more than a page has is not asked again.
    if (partIds.length > most) return [];
    places.push(...(await placesIn(api, question, { ...options, expected: most, ids: partIds })));
  }
  return places;
}

/** Returns what is missing in a row, with its neighbours. */
function runsIn(
  places: readonly (number | undefined)[],
  { nouns, after, before }: ShortPage,
): Hole[] {
  const runs: Hole[] = [];
  let [last, count] = [after, 0];
  const endAt = (id: number | undefined): void => {
    if (count > 0) runs.push({ nouns, count, after: last, before: id });
    [last, count] = [id, 0];
  };
  for (const id of places) {
    if (id === undefined) count++;
    else endAt(id);
  }
  endAt(before);
  return runs;
}
