/** Pixels from one line of text to the next. */
const LINE = 13;

/** Labels that stand close together, from the lowest up. */
interface Block<T> {
  readonly labels: readonly T[];
  /** Where the lowest would be, in pixels, if the block stood in the middle of its labels' values. */
  readonly wanted: number;
}

/**
 * Finds places for labels at the ends of lines on a logarithmic axis: as near their values as they can be without
 * standing on top of each other.
 * @param domain of the axis
 * @param height of the axis in pixels
 * @returns the labels, with the value at whose height each is to stand
 */
export function spread<T extends { readonly value: number }>(
  labels: readonly T[],
  [least = 1, most = 1]: readonly number[],
  height: number,
): (T & { place: number })[] {
  const scale = height / Math.log10(most / least);
  const pixels = ({ value }: T): number => Math.log10(value / least) * scale;
  const blocks: Block<T>[] = [];
  for (const label of labels.toSorted((a, b) => a.value - b.value)) {
    let block: Block<T> = { labels: [label], wanted: pixels(label) };
    for (let below = blocks.at(-1); below; below = blocks.at(-1)) {
      if (startOf(below) + below.labels.length * LINE <= startOf(block)) break;
      blocks.pop();
      block = merged(below, block);
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) =>
    block.labels.map((label, index) => ({
      ...label,
      place: least * 10 ** ((startOf(block) + index * LINE) / scale),
    })),
  );
}

/** Nothing stands below the axis. */
function startOf({ wanted }: Block<unknown>): number {
  return Math.max(LINE / 2, wanted);
}

function merged<T>(below: Block<T>, above: Block<T>): Block<T> {
  const [low, high] = [below.labels.length, above.labels.length];
  const wanted = (below.wanted * low + (above.wanted - low * LINE) * high) / (low + high);
  return { labels: [...below.labels, ...above.labels], wanted };
}

/** The powers of ten in a domain, for the ticks of a logarithmic axis. */
export function powersOfTen([least = 1, most = 1]: readonly number[]): number[] {
  const [first, last] = [Math.ceil(Math.log10(least)), Math.floor(Math.log10(most))];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => 10 ** (first + index));
}
