import type { CollectionName } from './fields.ts';
import { COLLECTIONS } from './fields.ts';

/**
 * Says that nobody can tell which resources some items mean, because their keys are missing, empty or unreadable.
 * @param count how many there are
 * @param better another field to match by, which all of them have
 */
export function keyDoubts(
  count: number,
  collection: CollectionName,
  match: string,
  better?: string,
): string[] {
  if (count === 0) return [];
  const nouns = COLLECTIONS[collection].nouns;
  const noun = nouns.replace(/s$/, '');
  const hint = better === undefined ? '' : ` Use --match ${better}, which all of them have.`;
  return [
    count === 1
      ? `1 ${noun} has no ${match} that can be read, so nobody can tell which ${noun} of the service it is.${hint}`
      : `${count} ${nouns} have no ${match} that can be read, so nobody can tell which ${nouns} of the service they are.${hint}`,
  ];
}
