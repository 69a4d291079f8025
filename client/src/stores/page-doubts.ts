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
