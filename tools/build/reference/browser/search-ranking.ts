import type { SearchEntry } from './data.ts';

/** How many results are shown. */
const MOST = 24;

/**
 * The entries in which each word of a query is found, those first whose titles fit best.
 * @param textOf the text about an entry, which counts least
 */
export function searchResults(
  entries: readonly SearchEntry[],
  query: string,
  textOf: (entry: SearchEntry) => string,
): readonly SearchEntry[] {
  const words = query.toLowerCase().split(/\s/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, MOST);
  return entries
    .map((entry) => ({
      entry,
      rank: Math.max(...words.map((word) => rankOf(entry, word, textOf))),
    }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** How far a word is from being the title; infinite if it is not there. */
function rankOf(entry: SearchEntry, word: string, textOf: (entry: SearchEntry) => string): number {
  const title = entry.title.toLowerCase();
  if (title === word) return 0;
  if (title.startsWith(word)) return 1;
  if (title.includes(word)) return 2;
  if (`${entry.kind} ${entry.where}`.toLowerCase().includes(word)) return 3;
  return textOf(entry).toLowerCase().includes(word) ? 4 : Infinity;
}
