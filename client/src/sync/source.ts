import { storedKey } from '../stored.ts';
import type { RefusedItem } from './report.ts';

/** An item of the source. */
export interface SourceItem {
  /** Its place in the source. */
  readonly index: number;
  /** Its key, as the source spells it. */
  readonly key: string;
  readonly fields: object;
}

/** All items of a source. */
export interface Source {
  readonly count: number;
  /** The items that can be compared, by their key as the service compares it. */
  readonly items: ReadonlyMap<string, SourceItem>;
  readonly refused: readonly RefusedItem[];
  /** Whether nobody can tell which resource an item means. */
  readonly isUnclear: boolean;
}

/**
 * Reads a source to its end, before anything is written: a source that fails midway changes nothing.
 * @param match the field that identifies an item
 * @throws what the source throws, or the reason of the signal
 */
export async function readSource(
  source: Iterable<unknown> | AsyncIterable<unknown>,
  match: string,
  signal: AbortSignal | undefined,
): Promise<Source> {
  const items = new Map<string, SourceItem>();
  const refused: RefusedItem[] = [];
  let isUnclear = false;
  let index = 0;
  for await (const item of source) {
    signal?.throwIfAborted();
    const value: unknown = Reflect.get(Object(item), match);
    const key = keyIn(value);
    const refuse = (error: string): void => {
      refused.push({ index, key, error });
    };
    if (typeof item !== 'object' || item === null) {
      refuse('expected an object');
    } else if (key === null) {
      // A number that is not exact, for example, stands for another one.
      isUnclear ||= value !== undefined && value !== null;
      refuse(`${match}: required`);
    } else if (typeof value !== 'string') {
      refuse(`${match}: expected a string`);
    } else if (Reflect.get(item, 'deleted') !== undefined) {
      refuse('deleted: a sync deletes what has no item');
    } else {
      const stored = storedKey(value, match);
      const before = items.get(stored);
      if (before === undefined) items.set(stored, { index, key, fields: item });
      else refuse(`${match}: item ${before.index} has the value ${JSON.stringify(key)} too`);
    }
    index++;
  }
  return { count: index, items, refused, isUnclear };
}

/** Returns the key that a value means; null if it means none, or nobody can tell which. */
function keyIn(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : null;
}
