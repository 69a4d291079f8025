import type { CollectionName } from '../fields.ts';
import { COLLECTIONS } from '../fields.ts';
import type { JsonObject, JsonValue, PlacedObject } from './json-values.ts';
import { isJsonObject } from './json-values.ts';
import type { Doubt } from './source.ts';

/** What to say to a doubt about a file that is complete all the same. */
export const IF_WHOLE = 'If it is complete, use --whole.';

/** How many entries the pages of an API have. */
export interface PageSizes {
  /** Without a limit, and with the largest one. */
  readonly usual: readonly number[];
  /** The largest: who adds up pages has a multiple of it if the last one is missing. */
  readonly largest: number;
}

const UNKNOWN: PageSizes = { usual: [], largest: Infinity };

/**
 * Says that lists may lack a page: a single one as long as a page, or pages that were added up to one, or several of which the
 * last is as long as the one before.
 * @param entries of each entry, the list that it is in
 * @param sizes undefined if nobody knows what pages there are
 */
export function pageDoubts(
  entries: readonly Pick<JsonValue, 'list'>[],
  sizes: PageSizes | undefined,
  collection: CollectionName,
): Doubt[] {
  const counts = new Map<string | undefined, number>();
  for (const { list } of entries) counts.set(list, (counts.get(list) ?? 0) + 1);
  const { nouns } = COLLECTIONS[collection];
  const [last = 0, before] = [...counts.values()].reverse();
  if (before === undefined) {
    const { usual, largest } = sizes ?? UNKNOWN;
    const isPage = usual.includes(last);
    if (!isPage && (last === 0 || last % largest !== 0)) return [];
    const what = isPage ? 'as many as a page' : `which is a number of whole pages of ${largest}`;
    return [{ sentence: `The list has exactly ${last} ${nouns}, ${what}. ${IF_WHOLE}` }];
  }
  if (last !== before) return [];
  const sentence = `The last of ${counts.size} lists has ${last} ${nouns}, as many as the one before, so a page may be missing. ${IF_WHOLE}`;
  return [{ sentence }];
}

/**
 * Says that nobody can tell which resources some items mean, because their keys are missing, empty or unreadable.
 * @param better another field to match by, which all of them have
 */
export function keyDoubts(
  count: number,
  collection: CollectionName,
  match: string,
  better?: string,
): Doubt[] {
  if (count === 0) return [];
  const { nouns } = COLLECTIONS[collection];
  const [which, have, are] =
    count === 1 ? [nouns.replace(/s$/, ''), 'has', 'it is'] : [nouns, 'have', 'they are'];
  const hint = better === undefined ? '' : ` Use --match ${better}, which all of them have.`;
  const sentence = `${count} ${which} ${have} no ${match} that can be read, so nobody can tell which ${which} of the service ${are}.${hint}`;
  return [{ sentence }];
}

/** Says that nobody can tell which resources some parts of a file mean. */
export function unreadableDoubts(count: number, what: 'row' | 'line' | 'item'): Doubt[] {
  if (count === 0) return [];
  const sentence =
    count === 1
      ? `1 ${what} cannot be read, so nobody can tell what it means.`
      : `${count} ${what}s cannot be read, so nobody can tell what they mean.`;
  return [{ sentence }];
}

/** Says that a file may have been cut off, and what to do if it was not. */
export function openEnd(what: 'row' | 'line', number: number): Doubt {
  const name = what === 'row' ? 'Row' : 'Line';
  const sentence = `${name} ${number}, the last one, has no line end, so the file may have been cut off. ${IF_WHOLE}`;
  return { sentence, mayBeCut: true };
}

/**
 * Divides values into the objects of a kind, and a doubt for each of the others.
 * @param kind what they are, such as `a product of Shopify`
 */
export function divided(
  values: readonly JsonValue[],
  isOwn: (value: JsonObject) => boolean,
  kind: string,
): { readonly own: PlacedObject[]; readonly doubts: Doubt[] } {
  const own: PlacedObject[] = [];
  const doubts: Doubt[] = [];
  for (const { value, place, list } of values) {
    if (isJsonObject(value) && isOwn(value)) own.push({ place, list, object: value });
    else doubts.push({ sentence: `What is at ${place} is not ${kind}.` });
  }
  return { own, doubts };
}
