/** How many of a kind are named, unless all are asked for. */
const SHOWN = 20;

/**
 * Returns the lines of the first of a kind, and one that counts the others.
 * @param kind how the lines begin
 */
export function firstLines<T>(
  kind: string,
  all: readonly T[],
  isVerbose: boolean,
  linesOf: (one: T) => readonly string[],
): string[] {
  const shown = isVerbose ? all : all.slice(0, SHOWN);
  const left = all.length - shown.length;
  return [
    ...shown.flatMap(linesOf),
    ...(left === 0 ? [] : [`${kind}: ${left} more (--verbose prints them all)`]),
  ];
}
