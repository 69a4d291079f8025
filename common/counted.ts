/** Returns a number with its noun: `1 row`, `2 rows`. @param nouns by default the noun with an `s` */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
