import type { CallOptions } from '../abort.ts';
import type { CollectionNames } from '../collection-names.ts';
import type { Pushed, PushOptions, PushResult } from '../push.ts';
import type { Transport } from '../transport.ts';
import type { ThinnedCollection } from './deletions.ts';
import { deleteMissing } from './deletions.ts';
import type { SyncOptions } from './options.ts';
import { checkSyncOptions } from './options.ts';
import type { SyncReport } from './report.ts';
import { SyncError } from './report.ts';
import type { Comparison } from './service.ts';
import { compare } from './service.ts';
import { readSource } from './source.ts';
import { planWrites, reportResults } from './writes.ts';

/** What a sync needs of a collection. */
export interface SyncedCollection extends ThinnedCollection {
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
  checkSyncOptions(options, names.path);
  const { match, keep = [], keepSpelling = false, owned = () => true, dryRun = false } = options;
  const { signal, timeout, tries } = options;
  const limits: CallOptions = { signal, timeout, tries };
  const { signals } = transport.limits(limits);
  const started = new Date();
  const source = await readSource(items, match, signals);
  const compared = { names, match, items: source.items, keep, keepSpelling, owned };
  const found: Comparison = await compare<T>(transport, compared, limits);

  const report: SyncReport = {
    created: 0,
    updated: 0,
    unchanged: 0,
    deleted: 0,
    withheld: 0,
    unmatched: found.unmatched,
    kept: [],
    refused: [...source.refused],
    ...(dryRun && { changes: [] }),
  };
  const { toPush, idle } = planWrites(source, found, report, { match, keep, nouns: names.many });
  const progress = { done: source.count - toPush.length, total: source.count };
  const advance = async (done: number, more = 0): Promise<void> => {
    progress.done += done;
    progress.total += more;
    await options.onProgress?.({ ...progress });
  };

  try {
    await advance(0);
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
        onProgress: async ({ done, results }) => {
          reportResults(results, toPush.slice(done - results.length), report);
          await advance(results.length);
        },
      },
    );
    report.refused.sort((a, b) => a.index - b.index);
    const deletions = options.deleteMissing ?? false;
    if (deletions === false) return report;
    const { readAt = started, ...others } = deletions === true ? {} : deletions;
    await deleteMissing<T>({
      collection,
      match,
      limits: others,
      readAt: new Date(readAt.getTime() - found.skew),
      dryRun,
      found,
      // A source that answers with an error, or in another form, has items too.
      isDoubtful: source.isUnclear || report.created + report.updated + report.unchanged === idle,
      report,
      options: limits,
      signals,
      advance,
    });
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
