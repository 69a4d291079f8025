import type { JsonObject } from '../json-values.ts';
import { skippedPart } from '../findings.ts';
import type { Findings } from '../source.ts';
import type { WooCommerceApi } from './api.ts';
import { SMALLEST_PAGE } from './adaptive-page-size.ts';
import type { ListQuestion, Page } from './list-pages.ts';
import { askForPage } from './list-pages.ts';

/** A part of a list that the store counts, and does not give: what a plugin or an import has broken. */
export interface Hole {
  /** What it is of: `products`. */
  readonly nouns: string;
  readonly count: number;
  /** The id of the last entry before it; undefined if there is none. */
  readonly after: number | undefined;
  /** The id of the first entry behind it; undefined if there is none. */
  readonly before: number | undefined;
}

/** A page of a list with fewer entries than the store counts there. */
export interface ShortPage extends Omit<Page, 'entries' | 'found' | 'bytes'> {
  /** How many entries of the list come before it. */
  readonly at: number;
}

/** Returns what some pages of a list lack, so that a person finds it. @param objects the whole list */
export async function holesIn(
  api: WooCommerceApi,
  list: ListQuestion,
  objects: readonly JsonObject[],
  pages: readonly ShortPage[],
): Promise<Hole[]> {
  const idAt = (index: number): number | undefined =>
    objects[index] && Number(objects[index]['id']);
  const holes: Hole[] = [];
  for (const page of pages) {
    const { ids, expected, at } = page;
    const found = await placesIn(api, list, page);
    // The list is read: where it lacks something is less exact if the store does not say it.
    const isSure = found.filter((id) => id !== undefined).join() === ids.join();
    const places = isSure ? found : unknownIds(expected - ids.length);
    holes.push(...runsIn([idAt(at - 1), ...places, idAt(at + ids.length)], list));
  }
  return holes;
}

/**
 * Returns the id at each place of a page, undefined if the store does not give it. A page that is short is read again in parts, of
 * which the store may give none.
 */
async function placesIn(
  api: WooCommerceApi,
  list: ListQuestion,
  { number, size, total, ids, expected }: Omit<ShortPage, 'at'>,
): Promise<readonly (number | undefined)[]> {
  if (ids.length >= expected) return ids;
  if (ids.length === 0) return unknownIds(expected);
  const part = size > SMALLEST_PAGE ? SMALLEST_PAGE : 1;
  const places: (number | undefined)[] = [];
  for (let at = 0; at < expected; at += part) {
    const place = { number: ((number - 1) * size + at) / part + 1, size: part, total };
    const page = await askForPage(api, list, place);
    if (page.found === 'refused' || page.found === 'tooLarge' || page.found === 'changed')
      return [];
    if (page.found === 'page') places.push(...(await placesIn(api, list, page)));
  }
  return places;
}

function unknownIds(count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => undefined);
}

/**
 * Returns the entries in a row that the store does not give, between their neighbours.
 * @param places with those next to the page, first and last
 */
function runsIn(places: readonly (number | undefined)[], { nouns }: ListQuestion): Hole[] {
  const runs: Hole[] = [];
  const last = places.length - 1;
  let start = 0;
  for (let end = 1; end <= last; end++) {
    const [after, before] = [places[start], places[end]];
    if (before === undefined && end < last) continue;
    if (end - start > 1) runs.push({ nouns, count: end - start - 1, after, before });
    start = end;
  }
  return runs;
}

/** Returns what is said of a hole. Any resource there may be in it. */
export function findingsOf({ nouns, count, after, before }: Hole): Partial<Findings> {
  const where =
    after === undefined && before === undefined
      ? 'in the whole list'
      : before === undefined
        ? `behind the id ${after ?? ''}`
        : after === undefined
          ? `before the id ${before}`
          : `between the ids ${after} and ${before}`;
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them'];
  const reason = `The store counts more ${nouns} than it gives: ${count} ${are} missing ${where}, as a plugin or an import may leave them. Look for ${them} in the admin of the store, and save or delete ${them}. Until then nothing there is deleted.`;
  return {
    skipped: [skippedPart(null, { reason })],
    stays: [{ after: after ?? -Infinity, before: before ?? Infinity }],
  };
}
