import type { CallOptions } from '../abort.ts';
import type { CollectionNames } from '../collection-names.ts';
import type { Pushed, PushOptions, PushResult } from '../push.ts';
import { storedKey } from '../stored.ts';
import type { Transport } from '../transport.ts';
import type { Deleting } from './delete-as-read.ts';
import { deleteAsRead } from './delete-as-read.ts';
import type { DeletionLimits, SyncOptions } from './options.ts';
import { checkSyncOptions, largestLoss } from './options.ts';
import type { SyncReport } from './report.ts';
import { SyncError } from './report.ts';
import type { Comparison, Missing } from './service.ts';
import { compare } from './service.ts';
import type { Source, SourceItem } from './source.ts';
import { readSource } from './source.ts';

/** What a sync needs of a collection. */
export interface SyncedCollection extends Deleting {
  /** Lists what was created or changed since a time. */
  changedSince(time: string, options: CallOptions): AsyncIterable<Pushed>;
  push(
    items: readonly object[],
    options: PushOptions<Pushed, string>,
  ): Promise<PushResult<Pushed>[]>;
}

/** Makes the service equal to a complete list. `Collection.sync` says how. */
export async function sync<T extends Pushed>(
  { transport, names, collection }: Synced,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  options: SyncOptions<T, string>,
): Promise<SyncReport> {
  checkSyncOptions(options);
  const { match, owned = () => true, dryRun = false, deleteMissing = false } = options;
  const { signal, timeout, tries } = options;
  const limits: CallOptions = { signal, timeout, tries };
  const started = new Date();
  const source = await readSource(items, match, signal);
  const found = await compare<T>(transport, { names, match, items: source.items, owned }, limits);

  const report: SyncReport = {
    created: 0,
    updated: 0,
    unchanged: found.equal.size,
    deleted: 0,
    withheld: 0,
    kept: [],
    refused: [...source.refused],
  };
  const toPush = changed(source, found, report, { match, nouns: names.many });
  const progress = { done: source.count - toPush.length, total: source.count };
  const advance = (count: number): void => {
    progress.done += count;
    options.onProgress?.({ ...progress });
  };

  try {
    advance(0);
    await collection.push(
      toPush.map(({ fields }) => fields),
      {
        ...limits,
        match,
        dryRun,
        lenient: true,
        minimal: true,
        // Each key would be a row: a sync that changes nothing writes nothing.
        idempotencyKey: null,
        onProgress: ({ done, results }) => {
          count(results, toPush.slice(done - results.length), report);
          advance(results.length);
        },
      },
    );
    report.refused.sort((a, b) => a.index - b.index);
    if (deleteMissing === false) return report;
    const { readAt = started, ...max } = deleteMissing === true ? {} : deleteMissing;
    const doomed = toDelete(source, found, report, { match, max });
    const recent = new Set<string | null>();
    if (doomed.length > 0) {
      const changes = collection.changedSince(readAt.toISOString(), limits);
      for await (const { id } of changes) recent.add(id);
    }
    progress.total += doomed.length;
    for (const missing of doomed) {
      const { id, key } = missing;
      if (recent.has(id)) {
        report.kept.push({ id, key, reason: 'it was changed after the items were read' });
      } else if (dryRun || (await deleteAsRead(collection, missing, limits))) {
        report.deleted++;
      } else {
        report.kept.push({ id, key, reason: 'it was changed during the sync' });
      }
      advance(1);
    }
    return report;
  } catch (cause) {
    throw new SyncError(report, cause);
  }
}

/** A collection, and how to reach it. */
export interface Synced {
  readonly transport: Transport;
  readonly names: CollectionNames;
  readonly collection: SyncedCollection;
}

/** Returns the items to push: new ones, and those that differ. Refuses items that several resources match. */
function changed(
  { items }: Source,
  { equal, doubled }: Comparison,
  report: SyncReport,
  { match, nouns }: { readonly match: string; readonly nouns: string },
): SourceItem[] {
  const others: SourceItem[] = [];
  for (const [stored, item] of items) {
    const count = doubled.get(stored);
    const { index, key } = item;
    if (count === undefined) {
      if (!equal.has(item)) others.push(item);
      continue;
    }
    // One of them may be equal.
    if (equal.has(item)) report.unchanged--;
    const error = `${match}: ${count} ${nouns} have the value ${JSON.stringify(key)}`;
    report.refused.push({ index, key, error });
  }
  return others;
}

/** Adds the results of a request to a report. */
function count(
  results: readonly PushResult<Pushed>[],
  items: readonly SourceItem[],
  report: SyncReport,
): void {
  for (const [at, result] of results.entries()) {
    const { index = at, key = null } = items[at] ?? {};
    if (result.status === 'refused') report.refused.push({ index, key, error: result.error });
    // Without ifNewer nothing is stale, and no item is a deletion.
    else if (result.status !== 'stale') report[result.status]++;
  }
}

/** Returns the resources to delete. Reports those that are kept or withheld. */
function toDelete(
  { isUnclear }: Source,
  { missing, doubled, owned }: Comparison,
  report: SyncReport,
  { match, max }: { readonly match: string; readonly max: DeletionLimits },
): readonly Missing[] {
  const refusedKeys = new Set(report.refused.map(({ key }) => loose(key)));
  const doomed: Missing[] = [];
  for (const one of missing) {
    const { id, key } = one;
    const keep = (reason: string): void => {
      report.kept.push({ id, key, reason });
    };
    const count = doubled.get(storedKey(key, match));
    if (count !== undefined) keep(`${count} resources have this ${match}`);
    else if (refusedKeys.has(loose(key))) keep('an item with this key was refused');
    else doomed.push(one);
  }
  // A source that answers with an error, or in another form, has items too.
  const hasNothing = report.created + report.updated + report.unchanged === 0;
  const isTooMuch = hasNothing || isUnclear || doomed.length > largestLoss(max, owned);
  if (!isTooMuch) return doomed;
  report.withheld = doomed.length;
  return [];
}

/** Returns a key without what a refused spelling of it may have: its case, white space and control characters. */
function loose(key: string | null): string | undefined {
  return key
    ?.normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{C}]+/gu, '');
}
