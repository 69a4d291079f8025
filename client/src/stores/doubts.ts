import type { CollectionName } from './fields.ts';
import { COLLECTIONS } from './fields.ts';

/** What to say to a doubt about a file that is complete all the same. */
export const IF_WHOLE = 'If it is complete, use --whole.';

/** Says that a list may be one page of a longer one, by the number of its entries. @param pages how many a page has */
export function pageDoubts(
  count: number,
  pages: readonly number[],
  collection: CollectionName,
): string[] {
  if (!pages.includes(count)) return [];
  return [
    `The list has exactly ${count} ${COLLECTIONS[collection].nouns}, as many as a page. ${IF_WHOLE}`,
  ];
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
): string[] {
  if (count === 0) return [];
  const { nouns } = COLLECTIONS[collection];
  const [which, have, are] =
    count === 1 ? [nouns.replace(/s$/, ''), 'has', 'it is'] : [nouns, 'have', 'they are'];
  const hint = better === undefined ? '' : ` Use --match ${better}, which all of them have.`;
  return [
    `${count} ${which} ${have} no ${match} that can be read, so nobody can tell which ${which} of the service ${are}.${hint}`,
  ];
}

/** Says that nobody can tell which resources some parts of a file mean. */
export function unreadableDoubts(count: number, what: 'row' | 'line' | 'item'): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? `1 ${what} cannot be read, so nobody can tell what it means.`
      : `${count} ${what}s cannot be read, so nobody can tell what they mean.`,
  ];
}

/** Says that a file may have been cut off, and what to do if it was not. */
export function openEndSentence(what: 'row' | 'line', number: number): string {
  const name = what === 'row' ? 'Row' : 'Line';
  return `${name} ${number}, the last one, has no line end, so the file may have been cut off. ${IF_WHOLE}`;
}
