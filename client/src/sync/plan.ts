import type { CallOptions } from '../abort.ts';
import type { Pushed } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import type { Comparison, Difference } from './compare.ts';
import { compare } from './compare.ts';
import type { ItemList, ListedItem } from './items.ts';
import { readItems } from './items.ts';
import type { SyncOptions } from './options.ts';
import { checkSyncOptions } from './options.ts';
import type { RefusedItem } from './report.ts';

/** An item that is new, or differs from its resource. */
export interface Write {
  readonly item: ListedItem;
  /** What is sent of it. */
  readonly fields: object;
  /** How it differs from its resource; undefined if it has none. */
  readonly difference: Difference | undefined;
}

/** What a sync would do: what differs, what is owned and missing, and what is doubtful. Nothing is written so far. */
export interface SyncPlan {
  /** The number of items. */
  readonly count: number;
  readonly writes: readonly Write[];
  /** How many items change nothing. */
  readonly unchanged: number;
  /** How many of the unchanged items say nothing that the service has. */
  readonly idle: number;
  readonly refused: readonly RefusedItem[];
  /** Whether an item has no key, or one that nobody can read: it may mean any resource. */
  readonly isUnclear: boolean;
  readonly found: Comparison;
  /** When the items were read, by the local clock. */
  readonly readAt: Date;
}

/** Reads the items and the list of the service, each to its end, and compares them. */
export async function planSync<T extends Pushed>(
  { transport, names }: SyncCollection,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncPlan> {
  checkSyncOptions(options, names.path);
  const { match, keep = [], keepSpelling = false, owned = () => true } = options;
  const limits = limitsOf(options);
  const started = new Date();
  const list = await readItems(items, match, transport.limits(limits).signals);
  const rules = { names, match, items: list.items, keep, keepSpelling, owned };
  const found = await compare<T>(transport, rules, limits);
  const { deleteMissing } = options;
  const { readAt = started } = typeof deleteMissing === 'object' ? deleteMissing : {};
  return { ...planWrites(list, found, { match, keep, nouns: names.many }), found, readAt };
}

/** Returns the options of a call that a sync passes on to each of its requests. */
export function limitsOf({ signal, timeout, tries }: CallOptions): CallOptions {
  return { signal, timeout, tries };
}

interface Rules {
  readonly match: string;
  readonly keep: readonly string[];
  /** What the resources are called. */
  readonly nouns: string;
}

/** Plans the writes: items that are new, or differ. Refuses items that several resources match. */
function planWrites(
  { count, items, repeated, isUnclear, refused: unusable }: ItemList,
  { matched, doubled }: Comparison,
  { match, keep, nouns }: Rules,
): Omit<SyncPlan, 'found' | 'readAt'> {
  const writes: Write[] = [];
  const refused = [...unusable];
  let [unchanged, idle] = [repeated, repeated];
  for (const [stored, item] of items) {
    const { index, key, fields } = item;
    const resources = doubled.get(stored);
    const difference = matched.get(item);
    if (item.isBare) {
      unchanged++;
      if (difference === undefined) idle++;
    } else if (resources !== undefined) {
      const error = `${match}: ${resources} ${nouns} have the value ${JSON.stringify(key)}`;
      refused.push({ index, key, error });
    } else if (difference === null) {
      unchanged++;
    } else {
      const isKept = (field: string): boolean => difference !== undefined && keep.includes(field);
      const sent = without({ ...fields, ...difference?.spelled }, isKept);
      writes.push({ item, fields: sent, difference });
    }
  }
  return { count, writes, unchanged, idle, refused, isUnclear };
}

/** Returns an object without some of its members. */
function without(fields: object, isLeft: (field: string) => boolean): object {
  return Object.fromEntries(
    Object.entries<unknown>({ ...fields }).filter(([field]) => !isLeft(field)),
  );
}
