import { within } from '../abort.ts';
import { expectOption } from '../option-rules.ts';
import type { Problem } from '../problems.ts';
import { problemsText } from '../problems.ts';
import { storedKey } from '../stored-text.ts';
import type { RefusedItem } from './report.ts';
import { jsonText, memberOf } from '../json.ts';

/** Fields that a push ignores. */
const READ_ONLY: ReadonlySet<string> = new Set(['id', 'createdAt', 'updatedAt']);

export interface ListedItem {
  readonly index: number;
  /** Its key, as the list spells it. */
  readonly key: string;
  readonly fields: object;
  /** Whether it has its key alone: it changes nothing, and keeps its resource. */
  readonly isBare: boolean;
}

export interface ItemList {
  readonly count: number;
  /** When reading began. */
  readonly readAt: Date;
  /** The items that can be compared, by their key as the service compares it. */
  readonly items: ReadonlyMap<string, ListedItem>;
  /** How many items have their key alone, and an earlier item has it too. */
  readonly repeated: number;
  readonly refused: readonly RefusedItem[];
  /** Whether an item has no key, or one that nobody can read: it may mean any resource. */
  readonly isUnclear: boolean;
}

/**
 * Reads a source to its end, before anything is written: a source that fails midway changes nothing.
 * @throws TypeError if the source or an item cannot be used; what the source throws, or the reason of a signal
 */
export async function readItems(
  source: Iterable<unknown> | AsyncIterable<unknown>,
  match: string,
  signals: readonly AbortSignal[],
): Promise<ItemList> {
  const isIterable = [Symbol.iterator, Symbol.asyncIterator].some((name) => name in Object(source));
  expectOption(isIterable, 'items', 'an iterable');
  const readAt = new Date();
  const items = new Map<string, ListedItem>();
  const refused: RefusedItem[] = [];
  let repeated = 0;
  let isUnclear = false;
  let index = 0;

  const take = (given: unknown): void => {
    const item = asSent(given, `item ${index}`);
    const { key, problem } = keyIn(memberOf(item, match));
    const refuse = (path: string, message: string, sameAs?: number): void => {
      refused.push(refusedItem({ index, key }, [{ path, message }], sameAs));
    };
    if (item === undefined || problem !== undefined || key === null) {
      isUnclear = true;
      if (item === undefined) refuse('', 'expected an object');
      else refuse(match, problem ?? 'required');
      return;
    }
    if (memberOf(item, 'deleted') !== undefined) {
      refuse('deleted', 'a sync deletes what has no item');
      return;
    }
    const stored = storedKey(key, match);
    const before = items.get(stored);
    const isBare = changesIn(item).every(([field]) => field === match);
    if (before === undefined) items.set(stored, { index, key, fields: item, isBare });
    else if (isBare) repeated++;
    else {
      const message = `item ${before.index} has the value ${JSON.stringify(key)} too`;
      refuse(match, message, before.index);
    }
  };
  // What a source waits for does not know the signals.
  const readAll = async (ended: AbortSignal): Promise<void> => {
    for await (const item of source) {
      ended.throwIfAborted();
      take(item);
      index++;
    }
  };
  await within(readAll, Infinity, signals);
  return { count: index, readAt, items, repeated, refused, isUnclear };
}

export function refusedItem(
  { index, key }: Pick<RefusedItem, 'index' | 'key'>,
  problems: readonly Problem[],
  sameAs?: number,
): RefusedItem {
  const refused = { index, key, error: problemsText(problems), problems };
  return sameAs === undefined ? refused : { ...refused, sameAs };
}

/**
 * Returns an item as a push sends it: once, because what it has may be a getter, or change. Undefined if it is no object. A text
 * that it shares with others stays shared: a hundred variants have one description.
 * @throws TypeError if it has no JSON: later that would be an error of one request among others
 */
function asSent(item: unknown, name: string): object | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const sent: unknown = JSON.parse(jsonText(item, name));
  if (typeof sent !== 'object' || sent === null) return undefined;
  const members = Object.entries<unknown>({ ...sent }).map(([field, value]) => {
    // Not by the member itself: a getter is read once.
    const own: unknown = Object.getOwnPropertyDescriptor(item, field)?.value;
    return [field, own === value ? own : value] as const;
  });
  return Array.isArray(sent) ? sent : Object.fromEntries(members);
}

/** Returns the fields with which a push of an item would change a resource, and their values. */
export function changesIn(item: object): [string, unknown][] {
  return Object.entries(item).filter(([field]) => !READ_ONLY.has(field));
}

/** Returns a key as text, or null if it has none, and what is wrong with it. */
function keyIn(value: unknown): { readonly key: string | null; readonly problem?: string } {
  if (typeof value === 'string' && value.trim() !== '') return { key: value };
  if (value === undefined || value === null || typeof value === 'string') {
    return { key: null, problem: 'required' };
  }
  if (typeof value !== 'number') return { key: null, problem: 'expected a string' };
  const end = Math.abs(value) > Number.MAX_SAFE_INTEGER ? ', which is too large to be exact' : '';
  const problem = `expected a string, not the number ${value}${end}`;
  return { key: Number.isSafeInteger(value) ? String(value) : null, problem };
}
