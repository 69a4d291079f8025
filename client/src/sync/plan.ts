import type { Pushed } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import type { Comparison, Difference } from './compare.ts';
import { compare } from './compare.ts';
import type { ItemList, ListedItem } from './items.ts';
import { readItems } from './items.ts';
import type { SyncOptions } from './options.ts';
import { checkSyncOptions } from './options.ts';

/** An item that is new, or differs from its resource. */
export interface Write {
  readonly item: ListedItem;
  /** What is sent of it. */
  readonly fields: object;
  /** How it differs from its resource; undefined if it has none. */
  readonly difference: Difference | undefined;
}

/** What a sync would do: what differs, what is owned and missing, and what is doubtful. Nothing is written so far. */
export interface SyncPlan extends Omit<ItemList, 'items' | 'repeated'> {
  readonly writes: readonly Write[];
  /** How many items change nothing. */
  readonly unchanged: number;
  /** How many of the unchanged items say nothing that the service has. */
  readonly idle: number;
  readonly found: Comparison;
  /** When the items were read, by the clock of the service. */
  readonly readAt: Date;
}

/** Reads the items and the list of the service, each to its end, and compares them. */
export async function planSync<T extends Pushed>(
  collection: SyncCollection,
  source: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncPlan> {
  const { transport, names } = collection;
  checkSyncOptions(options, names.path);
  const { match, deleteMissing } = options;
  const started = new Date();
  const list = await readItems(source, match, transport.limits(options).signals);
  const { count, items, repeated, isUnclear } = list;
  const found = await compare<T>(collection, items, options);
  const { readAt = started } = typeof deleteMissing === 'object' ? deleteMissing : {};

  const writes: Write[] = [];
  const refused = [...list.refused];
  let [unchanged, idle] = [repeated, repeated];
  for (const [stored, item] of items) {
    const { index, key, fields } = item;
    const resources = found.doubled.get(stored);
    const difference = found.matched.get(item);
    if (item.isBare) {
      unchanged++;
      if (difference === undefined) idle++;
    } else if (resources !== undefined) {
      const error = `${match}: ${resources} ${names.many} have the value ${JSON.stringify(key)}`;
      refused.push({ index, key, error });
    } else if (difference === null) {
      unchanged++;
    } else {
      writes.push({ item, fields: difference?.sent ?? fields, difference });
    }
  }
  return {
    count,
    writes,
    unchanged,
    idle,
    refused,
    isUnclear,
    found,
    readAt: new Date(readAt.getTime() - found.skew),
  };
}
