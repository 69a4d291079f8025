import type { Pushed, PushResult } from '../push.ts';
import { storedValue } from '../stored.ts';
import type { SyncReport } from './report.ts';
import type { Comparison, Difference } from './service.ts';
import { titleOf } from './service.ts';
import type { Source, SourceItem } from './source.ts';
import { changesIn } from './source.ts';

export interface Write {
  readonly item: SourceItem;
  readonly fields: object;
  /** How it differs from its resource; undefined if it had none. */
  readonly difference: Difference | undefined;
}

export interface Plan {
  readonly toPush: readonly Write[];
  /** How many of the unchanged items say nothing that the service has. */
  readonly idle: number;
}

interface Rules {
  readonly match: string;
  readonly keep: readonly string[];
  /** What the resources are called. */
  readonly nouns: string;
}

/** Plans the writes: items that are new, or differ. Refuses items that several resources match. */
export function planWrites(
  { items, repeated }: Source,
  { matched, doubled }: Comparison,
  report: SyncReport,
  { match, keep, nouns }: Rules,
): Plan {
  const toPush: Write[] = [];
  let idle = repeated;
  report.unchanged += repeated;
  for (const [stored, item] of items) {
    const { index, key, fields } = item;
    const count = doubled.get(stored);
    const difference = matched.get(item);
    if (item.isBare) {
      report.unchanged++;
      if (difference === undefined) idle++;
    } else if (count !== undefined) {
      const error = `${match}: ${count} ${nouns} have the value ${JSON.stringify(key)}`;
      report.refused.push({ index, key, error });
    } else if (difference === null) {
      report.unchanged++;
    } else {
      const isKept = (field: string): boolean => difference !== undefined && keep.includes(field);
      toPush.push({
        item,
        fields: without({ ...fields, ...difference?.spelled }, isKept),
        difference,
      });
    }
  }
  return { toPush, idle };
}

/** Returns an object without some of its members. */
function without(fields: object, isLeft: (field: string) => boolean): object {
  return Object.fromEntries(
    Object.entries<unknown>({ ...fields }).filter(([field]) => !isLeft(field)),
  );
}

/** Adds the results of a request to a report. */
export function reportResults(
  results: readonly PushResult<Pushed>[],
  writes: readonly Write[],
  report: SyncReport,
): void {
  for (const [at, { item, difference }] of writes.slice(0, results.length).entries()) {
    const result = results[at];
    const { index, key, fields } = item;
    if (result?.status === 'refused') report.refused.push({ index, key, error: result.error });
    else if (result?.status === 'created') {
      report.created++;
      report.changes?.push({ action: 'create', key, id: null, ...creation(fields) });
    } else if (result?.status === 'updated') {
      report.updated++;
      const { title, fields: changed } = difference ?? { ...creation(fields), fields: {} };
      report.changes?.push({ action: 'update', key, id: result.id, title, fields: changed });
    } else report.unchanged++;
  }
}

/** Returns what a new resource is called, and its fields, as they are stored. */
function creation(item: object): Omit<Difference, 'spelled'> {
  const stored = changesIn(item).map(
    ([field, value]) => [field, storedValue(value, field)] as const,
  );
  const pairs = stored.map(([field, value]) => [field, [null, value] as const] as const);
  return { title: titleOf(Object.fromEntries(stored)), fields: Object.fromEntries(pairs) };
}
