import type { Pushed } from '../push.ts';
import type { SyncCollection } from './collection.ts';
import type { Comparison, Difference, Missing } from './compare.ts';
import { compare } from './compare.ts';
import type { ItemList, ListedItem } from './item-list.ts';
import { refusedItem } from './item-list.ts';
import type { SyncOptions } from './options.ts';
import { largestLoss } from './options.ts';
import type { RefusedItem } from './report.ts';

/** An item that is new, or differs from its resource. */
export interface Write {
  readonly item: ListedItem;
  /** What is sent of it. */
  readonly fields: object;
  /** How it differs from its resource; undefined if it has none. */
  readonly difference: Difference | undefined;
}

/** The deletions of a sync, as far as they are known before anything is written. */
export interface PlannedDeletions {
  readonly missing: readonly Missing[];
  /** How many may be deleted. */
  readonly most: number;
  /** Why the caller doubts the list, as sentences. */
  readonly doubts: readonly string[];
  /** Whether an item has no key, or one that nobody can read: it may mean any resource. */
  readonly isUnclear: boolean;
  /** When the items were read, by the clock of the service. */
  readonly readAt: Date;
}

/** What a sync does: it writes what differs, then deletes what is missing. Nothing is done so far. */
export interface SyncSteps {
  readonly comparison: Comparison;
  /** How many items there are. */
  readonly count: number;
  readonly writes: readonly Write[];
  readonly refused: readonly RefusedItem[];
  /** How many items change nothing. */
  readonly unchanged: number;
  /** How many of these say something that the service has. */
  readonly equal: number;
  /** Undefined if nothing is to be deleted. */
  readonly deletions: PlannedDeletions | undefined;
}

/** Reads the list of the service to its end, and compares it with that of the items. */
export async function planSteps<T extends Pushed>(
  collection: SyncCollection,
  list: ItemList,
  options: SyncOptions<T, string>,
): Promise<SyncSteps> {
  const { match } = options;
  const comparison = await compare<T>(collection, list.items, options);
  const writes: Write[] = [];
  const refused = [...list.refused];
  let unchanged = list.repeated;
  let equal = 0;
  for (const [stored, item] of list.items) {
    const { key, fields } = item;
    const resources = comparison.doubled.get(stored);
    const difference = comparison.matched.get(item);
    if (item.isBare) {
      unchanged++;
      if (difference !== undefined) equal++;
    } else if (resources !== undefined) {
      const message = `${resources} ${collection.names.many} have the value ${JSON.stringify(key)}`;
      refused.push(refusedItem(item, [{ path: match, message }]));
    } else if (difference === null) {
      unchanged++;
      equal++;
    } else {
      writes.push({ item, fields: difference?.sent ?? fields, difference });
    }
  }
  const deletions = plannedDeletions(list, comparison, options);
  return { comparison, count: list.count, writes, refused, unchanged, equal, deletions };
}

function plannedDeletions<T>(
  { isUnclear, readAt: started }: ItemList,
  { missing, owned, unmatched, skew }: Comparison,
  { deleteMissing = false }: SyncOptions<T, string>,
): PlannedDeletions | undefined {
  if (deleteMissing === false) return undefined;
  const { max, doubts = [], readAt = started } = deleteMissing === true ? {} : deleteMissing;
  return {
    missing,
    // What has no key is never deleted.
    most: largestLoss(max, owned - unmatched),
    doubts,
    isUnclear,
    readAt: new Date(readAt.getTime() - skew),
  };
}
