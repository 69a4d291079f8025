import { concurrentMap } from '../../../common/concurrent-map.ts';
import type { CallOptions } from '../abort.ts';
import { wait, within } from '../abort.ts';
import { expectOption } from '../option-rules.ts';
import { deleteIfUnchanged } from './delete-if-unchanged.ts';
import type { SyncCollection } from './collection.ts';
import type { Missing } from './compare.ts';
import type { SyncOptions } from './options.ts';
import type { SyncResult } from './results.ts';
import { asKept } from './results.ts';
import { declared } from '../json.ts';

/** How many resources are looked at and confirmed at once. A request has at most 100 values of filters: these, and a time. */
const BATCH = 99;

/** How many resources are deleted at once. */
const AT_ONCE = 6;

/**
 * The pause before the next deletion begins, in milliseconds. Each takes two requests, and a key has 1,000 in ten seconds,
 * which other programs may share.
 */
const PACE = 25;

const RECENT = 'it was changed after the items were read';
const UNCONFIRMED = 'the source does not confirm that it is gone';

/** Is called once it is known what became of some resources: the report has it, even if a later step fails. */
type OnResults = (results: readonly SyncResult[]) => Promise<void>;

/**
 * Deletes resources that are still as they were read, and that the source does not have.
 * @param readAt when the items were read, by the clock of the service
 * @throws BrandApiError; what `confirm` throws; the reason of a signal
 */
export async function executeDeletions<T>(
  collection: SyncCollection,
  { doomed, readAt }: { readonly doomed: readonly Missing[]; readonly readAt: Date },
  options: SyncOptions<T, string>,
  onResults: OnResults,
): Promise<void> {
  const { signals } = collection.transport.limits(options);
  for (let at = 0; at < doomed.length; at += BATCH) {
    const batch = doomed.slice(at, at + BATCH);
    const filters = { updatedSince: readAt.toISOString(), id: batch.map(({ id }) => id) };
    const recent = new Set<unknown>();
    for await (const { id } of collection.list(filters, options)) recent.add(id);
    const untouched = batch.filter(({ id }) => !recent.has(id));
    const gone = await confirmed(untouched, options.deleteMissing, signals);
    const left = batch.filter((one) => !gone.includes(one));
    if (left.length > 0) {
      await onResults(left.map((one) => asKept(one, recent.has(one.id) ? RECENT : UNCONFIRMED)));
    }
    if (options.dryRun !== true) await deleteAll(collection, gone, options, onResults);
    else if (gone.length > 0)
      await onResults(gone.map((missing) => ({ action: 'delete', missing })));
  }
}

/** Returns the resources of which the source says that it does not have them. */
async function confirmed<T>(
  batch: readonly Missing[],
  limits: SyncOptions<T, string>['deleteMissing'],
  signals: readonly AbortSignal[],
): Promise<readonly Missing[]> {
  const { confirm } = typeof limits === 'object' ? limits : {};
  if (confirm === undefined || batch.length === 0) return batch;
  const resources = batch.map(({ text }) => declared<T>(JSON.parse(text)));
  const ids: unknown = await within(async () => confirm(resources), Infinity, signals);
  expectOption(Array.isArray(ids), 'the result of deleteMissing.confirm', 'a list of ids');
  const gone = new Set<unknown>(ids);
  return batch.filter(({ id }) => gone.has(id));
}

/** Deletes several resources at once. If one fails, begins no more, and waits for those that it has begun. */
async function deleteAll(
  collection: SyncCollection,
  resources: readonly Missing[],
  options: CallOptions,
  onResults: OnResults,
): Promise<void> {
  const { signals } = collection.transport.limits(options);
  let next = Date.now();
  await concurrentMap(resources, AT_ONCE, async (missing, failed) => {
    const pause = next - Date.now();
    next = Math.max(next, Date.now()) + PACE;
    if (pause > 0) await wait(pause, [...signals, failed]);
    await onResults([await deleteIfUnchanged(collection, missing, options)]);
  });
}
