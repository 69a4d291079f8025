/** Returns words joined by commas, and by `and` (`conjunction`) or `or` (`disjunction`) before the last one. */
export function listOf(words: Iterable<string>, type: 'conjunction' | 'disjunction'): string {
  // British, so that there is no comma before the last one.
  return new Intl.ListFormat('en-GB', { type }).format(words);
}
